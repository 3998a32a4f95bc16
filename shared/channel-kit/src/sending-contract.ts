import { describe, expect, it } from "vitest";
import type { Channel } from "./channel.ts";
import { goldenNotifications, goldenQuestions } from "./golden-questions.ts";
import type { ProviderRequest } from "./provider-request.ts";
import type { OutgoingQuestion, QuestionContent } from "./question.ts";
import type { SendOutcome } from "./send-outcome.ts";

export type SendingContract = Readonly<{
  /** Writes to a provider that takes what the real one does, and nothing else. */
  channel: () => Channel;
  /** Of each kind that the medium has, as a person and a group. */
  recipients: readonly string[];
}>;

type Sent = Extract<SendOutcome, { kind: "sent" }>;

/** Sends in order, as the queue does; the first that is not taken is told with what the provider said. */
async function sendAll(channel: Channel, requests: readonly ProviderRequest[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const request of requests) {
    const outcome = await channel.send(request, new AbortController().signal);
    if (outcome.kind !== "sent") return expect.fail(`${request.method}: ${JSON.stringify(outcome)}`);
    sent.push(outcome);
  }
  return sent;
}

function contentOf(question: OutgoingQuestion): QuestionContent {
  const { recipient, question: text, media } = question;
  return { ...question, recipient, question: text, ...(media === undefined ? {} : { media }) };
}

/** Where it does not, they are refused when asked, and nothing is rendered. */
function deliversForms({ capabilities }: Channel): boolean {
  return capabilities.formDelivery !== "none";
}

async function askAndEnd(channel: Channel, question: OutgoingQuestion): Promise<void> {
  const { requests } = channel.render(question);
  const controls = requests.findIndex(({ carriesControls }) => carriesControls === true);
  const sent = await sendAll(channel, requests);
  const address = channel.address(sent[controls]?.address ?? question.recipient);
  const ids = sent.map(({ messageId, address: at }) => `${at ?? ""} ${messageId}`);
  expect(new Set(ids).size).toBe(ids.length);
  const shown = { question, address, messageId: sent[controls]?.messageId ?? "" };
  await sendAll(channel, channel.renderEnd(shown, { status: "answered", answer: "Yes" }));
}

/** What a channel writes is taken: every golden question and its end, notifications, and notices of any length. */
export function sendingContract(name: string, { channel, recipients }: SendingContract): void {
  describe(`what ${name} sends is taken by its provider:`, () => {
    for (const recipient of recipients) {
      it.each(goldenQuestions(recipient))(
        `to ${recipient}, the question %s and its end`,
        async (_, question) => {
          const medium = channel();
          if (question.format === "form" && !deliversForms(medium)) return;
          expect(medium.check(contentOf(question))).toEqual([]);
          await askAndEnd(medium, question);
        },
      );

      it(`to ${recipient}, a question of the greatest length`, async () => {
        const [, asked] = goldenQuestions(recipient).find(([each]) => each === "confirm") ?? [];
        if (asked === undefined) return expect.fail("there is no such question");
        await askAndEnd(channel(), { ...asked, question: "😀 question ".repeat(745) });
      });

      it.each(goldenNotifications(recipient))(`to ${recipient}, the %s`, async (_, notification) => {
        const medium = channel();
        const { message, media, form } = notification;
        const content = {
          ...{ message, recipient },
          ...(media === undefined ? {} : { media }),
          ...(form === undefined ? {} : { schema: form.schema }),
        };
        if (form !== undefined && !deliversForms(medium)) return;
        expect(medium.checkNotification(content)).toEqual([]);
        await sendAll(medium, medium.renderNotification(notification));
      });

      it(`to ${recipient}, a notice that is longer than a message may be`, async () => {
        const medium = channel();
        await sendAll(medium, medium.renderNotice(medium.address(recipient), "notice ".repeat(3_000)));
      });
    }
  });
}
