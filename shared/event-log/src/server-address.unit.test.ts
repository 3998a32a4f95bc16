import { describe, expect, it } from "vitest";
import { readServerAddress } from "./server-address.ts";

describe("the address of the log's servers", () => {
  it.each([
    ["nats://127.0.0.1:4222", {}],
    ["nats://ann:pass@127.0.0.1:4222", { user: "ann", pass: "pass" }],
    ["nats://ann:p%40ss%2F@127.0.0.1:4222", { user: "ann", pass: "p@ss/" }],
    ["nats://ann:100%@127.0.0.1:4222", { user: "ann", pass: "100%" }],
    ["nats://t0ken@127.0.0.1:4222", { token: "t0ken" }],
    ["ann:pass@127.0.0.1:4222", { user: "ann", pass: "pass" }],
  ])("%s says as whom to connect, and is shown without it", (text, credentials) => {
    expect(readServerAddress(text)).toEqual({ servers: ["nats://127.0.0.1:4222"], credentials });
  });

  it("may name several servers, with the credentials before any of them", () => {
    expect(readServerAddress("nats://a:4222, tls://ann:pass@b:4223,c")).toEqual({
      servers: ["nats://a:4222", "tls://b:4223", "nats://c"],
      credentials: { user: "ann", pass: "pass" },
    });
  });

  it.each(["nats://ann:s3cret@", "nats://ann:s3cret@host:port", "nats://ann:s3cret@ho st"])(
    "that cannot be read is refused without a word of it",
    (text) => {
      const refused = () => readServerAddress(text);
      expect(refused).toThrow(/NATS_URL/);
      expect(refused).not.toThrow(/s3cret/);
    },
  );
});
