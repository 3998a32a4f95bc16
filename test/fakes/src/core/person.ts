import type { ChatView } from "./chat-view.ts";
import type { Delivery } from "./outbox.ts";

/** The person asked for what their app would not let them do, as tapping what is not there. */
export class PersonCannot extends Error {
  override readonly name = "PersonCannot";
}

export type MessageAt = Readonly<{ conversation: string; message: string }>;
export type TapOn = MessageAt & Readonly<{ control: string; as?: string }>;
export type Typed = Readonly<{
  conversation: string;
  text: string;
  /** The message that this one replies to: a thread, a reply or a quote, as the provider has it. */
  replyTo?: string;
  as?: string;
}>;
export type Reaction = MessageAt & Readonly<{ emoji: string; as?: string }>;
export type SentMedia = Readonly<{
  conversation: string;
  kind: "image" | "document" | "video" | "audio";
  url: string;
  caption?: string;
  contentType?: string;
  replyTo?: string;
  as?: string;
}>;
/** `button` is a button's id or its label. */
export type Pressed = Submitted & Readonly<{ button: string }>;
export type Submitted = Readonly<{ form: string; values: Readonly<Record<string, string>> }>;

export type Happened = Readonly<{
  /** The webhooks that came of it. */
  deliveries: readonly Delivery[];
  /** The message that the person wrote. */
  message?: string;
  /** The address that the person's app opened. */
  opened?: string;
  /** What their app showed them at once. */
  shown?: string;
  /** The faults at the fields of a form that stays open. */
  errors?: Readonly<Record<string, string>>;
}>;

/** The person's side, the same for every provider. `control` is a control's id, its label or its value. */
export interface PersonSide {
  see(): ChatView;
  tap(tap: TapOn): Promise<Happened>;
  type(typed: Typed): Promise<Happened>;
  submit(submitted: Submitted): Promise<Happened>;
  /** Presses another button of an open form, with what stands in it. */
  press(pressed: Pressed): Promise<Happened>;
  /** Closes an open form without sending it. */
  dismiss(form: string): Promise<Happened>;
  react(reaction: Reaction): Promise<Happened>;
  sendMedia(media: SentMedia): Promise<Happened>;
}
