import { type SlackFake, startSlackFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { expect } from "vitest";
import { type Interlude, startInterlude } from "./start-interlude.ts";

export const ADA = "D0ADA";
export const OPS = "C0OPS";

export const TRAVEL = {
  type: "object",
  required: ["city", "nights"],
  properties: {
    city: { type: "string", title: "City" },
    nights: { type: "integer", title: "Nights", minimum: 1 },
    class: { type: "string", title: "Class", enum: ["any"] },
    insured: { type: "boolean", title: "Insured" },
  },
};
export const PAGES = [
  { title: "The trip", properties: ["city", "nights"] },
  { title: "The rest", properties: ["class", "insured"] },
];
export const FORM = {
  question: "Where to?",
  answer_format: "form",
  channel: "slack",
  schema: TRAVEL,
  data: {
    values: { city: "Graz", nights: 2 },
    options: {
      class: [
        { value: "eco", label: "Economy" },
        { value: "biz", label: "Business" },
      ],
    },
  },
};

export const slackVariables = (slack: SlackFake): Record<string, string> => ({
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_SIGNING_SECRET: slack.signingSecret,
  SLACK_API_URL: slack.apiUrl,
});

export async function startWithSlack(): Promise<{ slack: SlackFake; interlude: Interlude }> {
  const slack = await startSlackFake();
  const interlude = await startInterlude({ env: slackVariables(slack) });
  slack.deliverTo(`${interlude.url}/api/channels/slack/webhook`);
  return { slack, interlude };
}

/** What people see in Slack. */
export function slackViews(slack: () => SlackFake) {
  function messagesOf(conversation: string) {
    return (
      slack()
        .person.see()
        .conversations.find(({ id }) => id === conversation)?.messages ?? []
    );
  }

  return {
    messagesOf,
    /** The last message that a conversation shows. */
    lastIn: (conversation: string) => {
      const message = messagesOf(conversation).at(-1);
      if (message === undefined) throw new Error("the conversation is empty");
      return message;
    },
    untilShown: async (conversation: string, message: string, text: string): Promise<void> => {
      await eventually(() => {
        const shown = messagesOf(conversation).find(({ id }) => id === message);
        expect(shown?.text).toContain(text);
        expect(shown?.controls).toEqual([]);
      });
    },
    openForm: () => slack().person.see().form,
  };
}
