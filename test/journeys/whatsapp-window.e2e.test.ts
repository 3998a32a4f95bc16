import { startWhatsAppFake, type WhatsAppFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

const ADA = "15550001001";
const BO = "15550001002";

let whatsapp: WhatsAppFake;
let interlude: Interlude;
beforeAll(async () => {
  whatsapp = await startWhatsAppFake({ refusesLater: true });
  interlude = await startInterlude({
    env: {
      WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
      WHATSAPP_APP_SECRET: whatsapp.appSecret,
      WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
      WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
      WHATSAPP_ASK_TEMPLATE: "question/en",
      WHATSAPP_API_URL: whatsapp.apiUrl,
    },
  });
  whatsapp.deliverTo(`${interlude.url}/api/channels/whatsapp/webhook`);
});
afterAll(async () => {
  await interlude.stop();
  await whatsapp.stop();
});

const talking = talk(() => interlude);

function told(person: string, text: string) {
  const messages = whatsapp.person.see().conversations.find(({ id }) => id === person)?.messages ?? [];
  return messages.filter((message) => message.fromApp && message.text.includes(text));
}

/** The template that asks the person to write; there is one for the question, however often its failure is told. */
async function opener(person: string): Promise<string> {
  await eventually(() => {
    expect(told(person, "[template question]")).toHaveLength(1);
  });
  return told(person, "[template question]")[0]?.id ?? "";
}

describe("a question that WhatsApp takes, and finds later that the person has to write first,", () => {
  const ask = { channel: "whatsapp", question: "Shall we ship?", answer_format: "confirm" };

  it("is opened by the template, waits, and arrives and is answered once they have written", async () => {
    await talking.ask({ ...ask, id: "late-window", recipient: `+${ADA}` });
    await opener(ADA);
    await talking.untilItem("late-window", { status: "pending" });
    const before = whatsapp.requests.length;
    await whatsapp.webhooks.redeliver();
    await whatsapp.person.type({ conversation: ADA, text: "yes?" });
    const question = await eventually(() => {
      const shown = told(ADA, "Shall we ship?").findLast(({ controls }) => (controls ?? []).length > 0);
      if (shown === undefined || whatsapp.requests.length === before) throw new Error("not asked yet");
      return shown;
    });
    await opener(ADA);
    await talking.untilItem("late-window", { status: "pending", delivery: { state: "sent" } });
    await whatsapp.person.tap({ conversation: ADA, message: question.id, control: "Yes" });
    await talking.untilItem("late-window", {
      ...{ status: "answered", answer: true, answered_by: `channel:whatsapp:${ADA}` },
    });
  });

  it("ends as failed, with the code, where the template cannot reach them either", async () => {
    await talking.ask({ ...ask, id: "late-nobody", recipient: `+${BO}` });
    await whatsapp.report(await opener(BO), "failed", 131_026);
    await talking.untilItem("late-nobody", { status: "failed", delivery: { state: "failed" } });
    const { body } = await talking.call("GET", "/api/interactions/late-nobody/result");
    expect(JSON.stringify(body)).toContain("131026");
  });
});
