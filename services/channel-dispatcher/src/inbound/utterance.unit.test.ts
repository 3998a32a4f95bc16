import type { FromPerson } from "@interlude/domain";
import { expect, it } from "vitest";
import { scriptedChannel } from "../application/delivery.fixture.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { isRouted } from "./utterance.ts";

const talk: Conversations = { isRouted: () => true, enter: () => Promise.resolve("entered") };
type Message = Extract<FromPerson, { kind: "message" }>;
const said: Message = {
  ...{ kind: "message", updateId: "u", address: "ada", from: "ada", messageId: "1" },
  isDirect: true,
};

it.each<[string, Partial<Message>, boolean]>([
  ["words", { text: "hello" }, true],
  ["a picture without words", { media: [{ kind: "image", id: "p" }] }, true],
  ["a form that was sent empty", { text: "", ofForm: true }, true],
  ["blanks", { text: "  " }, false],
  ["nothing", {}, false],
])("a route takes %s, or nothing does", (_what, content, expected) => {
  expect(isRouted(talk, scriptedChannel("script"), { ...said, ...content })).toBe(expected);
});
