import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { resumeClaim } from "../../test/run-server.ts";
import { verifyContinuation } from "../index.ts";

const SECRET = "s3cret";
const BODY = JSON.stringify(resumeClaim("c-1", { run_id: "Zürich/1" }));
const now = () => Math.floor(Date.now() / 1_000);

function sign(body: string, seconds: number, secret = SECRET): string {
  return createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
}

describe("verifyContinuation", () => {
  it("reads what the service signed, as text or bytes, under any of its signatures", async () => {
    const seconds = now();
    const header = `t=${seconds},v1=${"0".repeat(64)},v1=${sign(BODY, seconds).toUpperCase()},v0=x`;
    for (const body of [BODY, new TextEncoder().encode(BODY)]) {
      const claim = await verifyContinuation(SECRET, body, header);
      expect(claim).toMatchObject({
        claimId: "c-1",
        kind: "resume",
        fencing: 7,
        continuation: { runId: "Zürich/1" },
      });
    }
  });

  it.each([
    ["no header", () => undefined],
    ["an empty header", () => ""],
    ["another body's signature", () => `t=${now()},v1=${sign("{}", now())}`],
    ["another secret's", () => `t=${now()},v1=${sign(BODY, now(), "other")}`],
    ["another time's", () => `t=${now()},v1=${sign(BODY, now() - 1)}`],
    ["an old one", () => `t=${now() - 302},v1=${sign(BODY, now() - 302)}`],
    ["one of the future", () => `t=${now() + 302},v1=${sign(BODY, now() + 302)}`],
    ["two times", () => `t=${now()},t=${now()},v1=${sign(BODY, now())}`],
    ["no hex", () => `t=${now()},v1=zz`],
    ["a part of it", () => `t=${now()},v1=${sign(BODY, now()).slice(0, 62)}`],
  ])("refuses %s", async (_, header) => {
    await expect(verifyContinuation(SECRET, BODY, header())).rejects.toMatchObject({
      code: "invalid_signature",
      status: 401,
    });
  });

  it("takes no empty secret", async () => {
    const header = `t=${now()},v1=${sign(BODY, now(), "")}`;
    await expect(verifyContinuation("", BODY, header)).rejects.toMatchObject({
      errors: [{ path: "secret" }],
    });
  });
});
