import type { PlainAnswer } from "../core/exchange.ts";
import type { Fields } from "../core/json.ts";
import type { FlowJson } from "./flow-json.ts";
import type { WhatsAppMessage } from "./message-schema.ts";

export type StoredMessage = {
  readonly id: string;
  /** The person's number, in digits. */
  readonly person: string;
  readonly fromApp: boolean;
  readonly text: string;
  readonly atMs: number;
  readonly replyTo: string | undefined;
  readonly sent: WhatsAppMessage | undefined;
  readonly media: readonly Readonly<{ kind: string; url: string; name?: string }>[];
  readonly reactions: string[];
  status: string | undefined;
};

export type WhatsAppTemplate = Readonly<{ name: string; language: string; parameters: number }>;

export type WhatsAppSettings = Readonly<{
  accessToken: string;
  appSecret: string;
  verifyToken: string;
  templates: readonly WhatsAppTemplate[];
  people: readonly Readonly<{ number: string; name: string }>[];
  /** Whether a message outside the window is taken, and refused by a status after it. */
  refusesLater: boolean;
}>;

export type StoredFlow = Readonly<{ id: string; name: string; json: FlowJson }>;

/** A screen that is open: what it was handed, and what stands in it, by field. */
export type OpenScreen = {
  readonly id: string;
  readonly data: Fields;
  values: Readonly<Record<string, string>>;
};

/** The screens that the person has gone through; the last one is in front. */
export type OpenFlow = Readonly<{ message: string; screens: OpenScreen[] }>;

export type WhatsAppWorld = {
  readonly settings: WhatsAppSettings;
  readonly messages: StoredMessage[];
  readonly flows: StoredFlow[];
  readonly people: ReadonlyMap<string, string>;
  readonly nowMs: () => number;
  readonly firstId: number;
  /** The Flow that the person has open. */
  openForm: OpenFlow | undefined;
};

export const PHONE_NUMBER_ID = "100200300";
export const WABA_ID = "100200400";
export const NUMBER = "15550009100";

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes */
export function metaError(status: number, code: number, title: string, details = title): PlainAnswer {
  const error = {
    message: `(#${code}) ${title}`,
    type: "OAuthException",
    code,
    error_data: { messaging_product: "whatsapp", details },
    fbtrace_id: "Afake",
  };
  return { status, body: { error } };
}

export function addMessage(
  world: WhatsAppWorld,
  message: Omit<StoredMessage, "id" | "atMs" | "reactions">,
): StoredMessage {
  const id = `wamid.${world.firstId + world.messages.length + 1}`;
  const stored = { ...message, id, atMs: world.nowMs(), reactions: [] };
  world.messages.push(stored);
  return stored;
}

/** Unix seconds, in text, as Meta writes every time. */
export function unixSeconds(ms: number): string {
  return String(Math.floor(ms / 1000));
}
