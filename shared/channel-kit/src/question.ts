import type { AskOption, FormData, FormPage, MediaItem } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";

export type QuestionFormat =
  | Readonly<{ format: "text"; options?: readonly AskOption[] }>
  | Readonly<{ format: "confirm" }>
  | Readonly<{ format: "select"; options: readonly AskOption[] }>
  | Readonly<{ format: "form"; schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>
  /** Without a link of its own it opens the callback page. */
  | Readonly<{ format: "external"; linkUrl?: string }>;

/** What is asked, as far as a channel can refuse it: known before anything is stored. */
export type QuestionContent = QuestionFormat &
  Readonly<{ question: string; recipient?: string; media?: readonly MediaItem[] }>;

/** A question on its way out: links are absolute and filled, and it carries no other secret. */
export type OutgoingQuestion = QuestionFormat &
  Readonly<{
    /** What comes back with a tap; see `referenceOf`. */
    reference: string;
    recipient: string;
    question: string;
    media?: readonly MediaItem[];
    /** The callback page of this question. */
    pageUrl: string;
    deadlineMs: number;
  }>;

/** What is told, as far as a channel can refuse it. */
export type NotificationContent = Readonly<{
  message: string;
  recipient?: string;
  media?: readonly MediaItem[];
  schema?: JsonObject;
}>;

export type OutgoingNotification = Readonly<{
  reference: string;
  recipient: string;
  message: string;
  media?: readonly MediaItem[];
  options?: readonly AskOption[];
  /** A form without a question: the page that shows it where the medium has no form of its own. */
  form?: Readonly<{
    schema: JsonObject;
    data?: FormData;
    pages?: readonly FormPage[];
    pageUrl: string;
  }>;
}>;

/** How a question came to its end, in what the person may be shown. */
export type QuestionEnd = Readonly<{
  status: "answered" | "expired" | "cancelled" | "failed";
  /** What was answered, to be read; left out where the answer is sensitive. */
  answer?: string;
}>;

/** The message that carries a question's controls, as the provider took it. */
export type SentQuestion = Readonly<{ question: OutgoingQuestion; address: string; messageId: string }>;
