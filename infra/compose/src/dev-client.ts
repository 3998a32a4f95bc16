import { ServiceFailure } from "@interlude/kernel";
import { z } from "zod";

const Link = z.object({ url: z.string() });

/** A fresh one-time sign-in link for the all-roles key's subject. */
export async function makeInboxUrl(url: string, apiKey: string): Promise<string> {
  const response = await post(`${url}/api/session/links`, apiKey, {});
  return Link.parse(await response.json()).url;
}

/** A first question to try the inbox with; asked again at each start, since a demo waits for nobody. */
export async function askDemoQuestion(url: string, apiKey: string): Promise<void> {
  await post(`${url}/api/interactions`, apiKey, {
    question: "Hello! Interlude asks you this from a program. Which part would you like to see first?",
    answer_format: "select",
    options: [
      { value: "inbox", label: "The inbox" },
      { value: "api", label: "The HTTP API" },
      { value: "sdk", label: "The TypeScript SDK" },
    ],
    timeout_seconds: 86_400,
    metadata: { demo: "yes" },
  });
}

const CITIES = ["Amsterdam", "Kraków", "Lisbon", "Zürich"];
/** A different format each, so that one sees them all. */
const FIRST_QUESTIONS: Readonly<Record<string, object>> = {
  slack: { question: "Which city shall we meet in?", answer_format: "select", options: CITIES },
  telegram: { question: "Ship release 1.4?", answer_format: "confirm" },
  sms: { question: "What shall we tell the customer?" },
  whatsapp: { question: "Which city shall we meet in?", answer_format: "select", options: CITIES },
};

/** A first question over each of these channels, to whoever is asked where nobody is named. */
export function askOverChannels(
  url: string,
  apiKey: string,
  channels: Readonly<Record<string, string>>,
): Promise<unknown>[] {
  return Object.entries(FIRST_QUESTIONS)
    .filter(([channel]) => channel in channels)
    .map(([channel, question]) =>
      post(`${url}/api/interactions`, apiKey, { ...question, channel, timeout_seconds: 86_400 }),
    );
}

async function post(url: string, apiKey: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  const message = `${url} answered ${response.status}: ${await response.text()}`;
  throw new ServiceFailure("server_failed", { retry: "never", message });
}
