import { formatInstant } from "@interlude/contract";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { findQueuedAsks } from "../src/index.ts";
import { askedEvent, endEvent, NOW_MS, sequenced } from "./events.ts";
import { openReadModel, project, type ReadModel } from "./read-model.ts";

let model: ReadModel;
beforeAll(async () => {
  model = await openReadModel(inject("postgresUrl"));
});
afterAll(() => model.close());

const ADA = { channel: "sms", recipient: "+1 555 000 1001", address: "+15550001001" };

it("finds the open questions of one chat, however its recipient was written, as of a position", async () => {
  await project(
    model.database,
    sequenced([
      askedEvent("waits-1", ADA),
      askedEvent("waits-2", { ...ADA, recipient: ADA.address }),
      askedEvent("answered-one", ADA),
      endEvent("answered", "answered-one"),
      askedEvent("past-its-time", { ...ADA, timeout_at: formatInstant(NOW_MS - 1) }),
      askedEvent("of-another-person", { ...ADA, address: "+15550001002" }),
      askedEvent("on-another-channel", { ...ADA, channel: "whatsapp" }),
      askedEvent("in-the-inbox"),
    ]),
  );
  const found = await findQueuedAsks(model.database, ADA, NOW_MS);
  expect(found.ids.toSorted()).toEqual(["waits-1", "waits-2"]);
  expect(found.sequence).toBe(8);
});

it("finds nothing of whom nobody has asked", async () => {
  const nobody = { channel: "sms", address: "+15550009999" };
  expect(await findQueuedAsks(model.database, nobody, NOW_MS)).toEqual({ ids: [], sequence: 8 });
});
