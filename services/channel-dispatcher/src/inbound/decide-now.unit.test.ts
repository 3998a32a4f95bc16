import type { Channel, InboundSubmission } from "@interlude/channel-kit";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import { expect, it } from "vitest";
import { scriptedChannel } from "../application/delivery.fixture.ts";
import { decideNow, type NowDeps } from "./decide-now.ts";

/** A log that does not answer. */
const never = (): Promise<never> => new Promise(() => undefined);
const deps = {
  language: "en",
  keyring: parseKeyring(generateKeyring(), "KEYS"),
  notifications: { find: never, fateOf: never },
  conversations: { read: never },
  record: { read: never },
} as unknown as NowDeps;

const channel: Channel = {
  ...scriptedChannel("script"),
  refuseSubmission: (_, faults, step) => ({
    status: 200,
    body: `${step?.first ?? 0}: ${faults.map(({ message }) => message).join()}`,
  }),
};
const sent: InboundSubmission = {
  ...{ kind: "submission", updateId: "u", address: "ada", from: "ada" },
  ...{ reference: "n-0198c1d2-0000-7000-8000-000000000000", fields: [] },
};
const step = (page: number) => ({ page, of: 2, first: page * 3, kept: ["", ""] });

it.each<[string, Partial<InboundSubmission>, RegExp]>([
  ["a form has arrived and counts if it fits", {}, /^0: .*has arrived and counts if it fits.*harmless/],
  ["the last step of one has", { step: step(1) }, /^3: .*has arrived and counts if it fits.*harmless/],
  ["an earlier step is to be sent again", { step: step(0) }, /^0: .*send this step again/],
])("who waits too long is told that %s", async (_, more, told) => {
  const received = { address: "ada", update: { ...sent, ...more }, isNew: true };
  const reply = await decideNow(deps, channel, received as never, 20);
  expect(reply?.body).toMatch(told);
});
