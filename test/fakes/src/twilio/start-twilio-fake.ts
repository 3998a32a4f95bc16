import { bodyFields } from "../core/body-fields.ts";
import type { ChatView } from "../core/chat-view.ts";
import type { Received } from "../core/exchange.ts";
import type { FakeControl } from "../core/fake-control.ts";
import type { Delivery } from "../core/outbox.ts";
import { type Happened, PersonCannot, type PersonSide } from "../core/person.ts";
import type { NamedRequest, Provider } from "../core/provider.ts";
import { type FakeOptions, type Runtime, startFake } from "../core/start-fake.ts";
import { TWILIO_LIMITS as LIMITS } from "./limits.ts";
import { createSms, type Phones, sidOf, smsJson, type StoredSms, twilioError } from "./messages.ts";
import { countSegments } from "./segments.ts";
import { twilioSignature } from "./sign.ts";

export type TwilioFakeOptions = FakeOptions &
  Readonly<{
    accountSid?: string;
    authToken?: string;
    /** The account's only number. */
    number?: string;
    people?: readonly Readonly<{ number: string; name: string }>[];
    /** Whether a message is reported sent and delivered by itself; otherwise by `report`. */
    reportsByItself?: boolean;
  }>;

export interface TwilioFake extends FakeControl {
  /** `TWILIO_API_URL`. */
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** `TWILIO_FROM`. */
  readonly number: string;
  /** The webhook of the number: the public URL, over which is signed. */
  deliverTo(url: string): void;
  /** A later status of a message: `sent`, `delivered`, `undelivered` or `failed`, with Twilio's code. */
  report(sid: string, status: string, errorCode?: number): Promise<Delivery | undefined>;
}

const PEOPLE = [
  { number: "+15550001001", name: "Ada" },
  { number: "+15550001002", name: "Bo" },
] as const;
const STOPS = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"]);
const STARTS = new Set(["START", "YES", "UNSTOP"]);
const IMAGE_TYPE = "image/jpeg";

/** https://www.twilio.com/docs/messaging/api: one number that sends and receives. */
export async function startTwilioFake(options: TwilioFakeOptions = {}): Promise<TwilioFake> {
  const { control, provider } = await startFake((runtime) => createTwilio(runtime, options), options);
  const { phones, webhooks } = provider;
  return Object.assign(control, {
    apiUrl: control.url,
    accountSid: phones.accountSid,
    authToken: phones.authToken,
    number: phones.number,
    deliverTo(url: string) {
      webhooks.url = url;
    },
    report: webhooks.report,
  });
}

function createTwilio(runtime: Runtime, options: TwilioFakeOptions) {
  const phones: Phones = {
    accountSid: options.accountSid ?? `AC${"0".repeat(31)}1`,
    authToken: options.authToken ?? "fake-auth-token",
    number: options.number ?? "+15550009000",
    messages: [],
    people: new Map(
      (options.people ?? PEOPLE).map(({ number, name }) => [number, { name, hasStopped: false }] as const),
    ),
    nowMs: runtime.clock.nowMs,
    firstId: runtime.firstId,
  };
  const webhooks = createWebhooks(phones, runtime);
  const created = (sms: StoredSms | undefined): void => {
    if (sms === undefined || options.reportsByItself !== true) return;
    void webhooks.report(sms.sid, "sent").then(() => webhooks.report(sms.sid, "delivered"));
  };
  return {
    name: "sms",
    phones,
    webhooks,
    receive: (received) => receive(phones, received, created),
    failure: ({ status, code, message }) =>
      twilioError(status, Number(code ?? (status >= 500 ? 20500 : 20001)), message ?? "An error occurred"),
    tooMany: () => twilioError(429, 20429, "Too Many Requests"),
    person: createPerson(phones, runtime, webhooks),
  } satisfies Provider & { phones: Phones; webhooks: Webhooks };
}

function receive(
  phones: Phones,
  received: Received,
  created: (sms: StoredSms | undefined) => void,
): NamedRequest {
  const base = `/2010-04-01/Accounts/${phones.accountSid}/`;
  const body = bodyFields(received);
  const login = Buffer.from(`${phones.accountSid}:${phones.authToken}`).toString("base64");
  const path = received.path.startsWith(base) ? received.path.slice(base.length) : "";
  const operation = `${received.method} ${path}`;
  const named = (answer: NamedRequest["answer"]): NamedRequest => ({
    operation,
    fields: { ...body.repeated },
    answer,
  });
  if (received.header("authorization") !== `Basic ${login}`) {
    return named(() => twilioError(401, 20003, "Authenticate"));
  }
  if (operation === "POST Messages.json") {
    return {
      ...named(() => {
        const { answer, sms } = createSms(phones, body.repeated);
        created(sms);
        return answer;
      }),
      conversation: body.repeated["To"]?.[0] ?? "",
    };
  }
  const sid = /^GET Messages\/(\w+)\.json$/.exec(operation)?.[1];
  const sms = phones.messages.find((each) => each.sid === sid);
  if (sms !== undefined) return named(() => ({ status: 200, body: smsJson(phones, sms) }));
  return named(() => twilioError(404, 20404, `The requested resource ${received.path} was not found`));
}

type Webhooks = {
  url: string | undefined;
  readonly send: (
    topic: string,
    url: string | undefined,
    form: Readonly<Record<string, string>>,
  ) => Promise<Delivery>;
  readonly report: (sid: string, status: string, errorCode?: number) => Promise<Delivery | undefined>;
};

function createWebhooks(phones: Phones, { outbox, feed }: Runtime): Webhooks {
  const send: Webhooks["send"] = (topic, url, form) =>
    outbox.send({
      topic,
      timeoutMs: LIMITS.webhookWaitMs.max,
      build: () =>
        url === undefined
          ? undefined
          : {
              url,
              method: "POST",
              headers: {
                "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
                "X-Twilio-Signature": twilioSignature(phones.authToken, url, form),
              },
              body: new URLSearchParams(form).toString(),
            },
    });
  return {
    url: undefined,
    send,
    async report(sid, status, errorCode) {
      const sms = phones.messages.find((each) => each.sid === sid);
      if (sms === undefined) throw new Error(`there is no message ${sid}`);
      sms.status = status;
      sms.errorCode = errorCode;
      feed.changed();
      if (sms.statusCallback === undefined) return undefined;
      return send(`status ${status}`, sms.statusCallback, {
        ...common(phones, sms),
        MessageStatus: status,
        SmsStatus: status,
        ...(errorCode === undefined ? {} : { ErrorCode: String(errorCode) }),
      });
    },
  };
}

function common({ accountSid, number }: Phones, sms: StoredSms): Record<string, string> {
  return {
    AccountSid: accountSid,
    ApiVersion: "2010-04-01",
    MessageSid: sms.sid,
    SmsSid: sms.sid,
    From: sms.fromApp ? number : sms.person,
    To: sms.fromApp ? sms.person : number,
  };
}

function createPerson(phones: Phones, { feed }: Runtime, webhooks: Webhooks): PersonSide {
  const write = async (
    conversation: string,
    text: string,
    media: readonly string[] = [],
    contentType = IMAGE_TYPE,
  ): Promise<Happened> => {
    const person = phones.people.get(conversation);
    if (person === undefined) throw new PersonCannot(`there is no number ${conversation}`);
    const word = text.trim().toUpperCase();
    if (STOPS.has(word)) person.hasStopped = true;
    if (STARTS.has(word)) person.hasStopped = false;
    const sms: StoredSms = {
      sid: sidOf(phones, media.length > 0 ? "MM" : "SM"),
      person: conversation,
      fromApp: false,
      text,
      media,
      atMs: phones.nowMs(),
      statusCallback: undefined,
      status: "received",
      errorCode: undefined,
    };
    phones.messages.push(sms);
    feed.changed();
    const delivery = await webhooks.send("message", webhooks.url, inbound(phones, sms, contentType));
    takeReply(phones, conversation, delivery);
    return { deliveries: [delivery], message: sms.sid };
  };
  const refuse = (what: string) => (): Promise<never> =>
    Promise.reject(new PersonCannot(`a text message has no ${what}`));
  return {
    see: () => see(phones),
    type: ({ conversation, text, replyTo }) =>
      replyTo === undefined ? write(conversation, text) : refuse("reply")(),
    sendMedia: ({ conversation, caption, url, contentType }) =>
      write(conversation, caption ?? "", [url], contentType),
    tap: ({ message, control }) => {
      const sms = phones.messages.find(({ sid }) => sid === message);
      const isLink = sms?.text.includes(control) === true && URL.canParse(control);
      return isLink ? Promise.resolve({ deliveries: [], opened: control }) : refuse("buttons")();
    },
    react: refuse("reactions"),
    submit: refuse("forms"),
    press: refuse("forms"),
    dismiss: refuse("forms"),
  };
}

function inbound(phones: Phones, sms: StoredSms, contentType: string): Record<string, string> {
  const media = sms.media.flatMap((url, index): [string, string][] => [
    [`MediaUrl${index}`, url],
    [`MediaContentType${index}`, contentType],
  ]);
  return {
    ...common(phones, sms),
    SmsMessageSid: sms.sid,
    SmsStatus: "received",
    Body: sms.text,
    NumMedia: String(sms.media.length),
    NumSegments: String(countSegments(sms.text)),
    FromCountry: "US",
    ToCountry: "US",
    ...Object.fromEntries<string>(media),
  };
}

/** TwiML in the answer is a message to the person; an empty answer says nothing. */
function takeReply(phones: Phones, person: string, { attempts }: Delivery): void {
  const outcome = attempts.at(-1)?.outcome;
  if (outcome?.kind !== "answered" || !/xml/.test(outcome.contentType)) return;
  for (const [, text = ""] of outcome.body.matchAll(/<Message>(?:<Body>)?([^<]*)/g)) {
    const sms = { sid: sidOf(phones, "SM"), person, fromApp: true, text, media: [], atMs: phones.nowMs() };
    phones.messages.push({ ...sms, statusCallback: undefined, status: "sent", errorCode: undefined });
  }
}

function see(phones: Phones): ChatView {
  return {
    provider: "sms",
    title: "Text messages",
    conversations: [...phones.people].map(([number, { name, hasStopped }]) => ({
      id: number,
      name: hasStopped ? `${name} (stopped)` : name,
      kind: "direct",
      people: [{ id: number, name }],
      messages: phones.messages
        .filter(({ person }) => person === number)
        .map((sms) => ({
          id: sms.sid,
          author: sms.fromApp ? phones.number : name,
          fromApp: sms.fromApp,
          text: sms.text,
          atMs: sms.atMs,
          media: sms.media.map((url) => ({ kind: "media", url })),
          ...(sms.fromApp ? { status: sms.status } : {}),
        })),
    })),
  };
}
