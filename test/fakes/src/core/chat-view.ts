/** What the person in front of a chat sees, the same for every provider: the chat page shows just this. */
export type ChatView = Readonly<{
  provider: string;
  title: string;
  conversations: readonly ConversationView[];
  /** A form that is open in front of the conversation. */
  form?: FormView;
}>;

export type ConversationView = Readonly<{
  id: string;
  name: string;
  kind: "direct" | "group";
  people: readonly Readonly<{ id: string; name: string }>[];
  messages: readonly MessageView[];
}>;

export type MessageView = Readonly<{
  id: string;
  author: string;
  fromApp: boolean;
  text: string;
  atMs: number;
  isEdited?: boolean;
  replyTo?: string;
  /** Only one person sees it. */
  isPrivate?: boolean;
  media?: readonly Readonly<{ kind: string; url: string; name?: string }>[];
  controls?: readonly ControlView[];
  reactions?: readonly string[];
  status?: string;
}>;

export type ControlView = Readonly<{
  id: string;
  label: string;
  kind: "tap" | "link";
  url?: string;
  detail?: string;
  /** One row of a list, which opens by a button of this label. */
  list?: string;
}>;

export type FormFieldView = Readonly<{
  id: string;
  label: string;
  kind: "text" | "number" | "choice";
  isRequired: boolean;
  isLong?: boolean;
  value?: string;
  hint?: string;
  options?: readonly Readonly<{ value: string; label: string }>[];
  error?: string;
}>;

export type FormView = Readonly<{
  id: string;
  title: string;
  submit: string;
  texts: readonly string[];
  fields: readonly FormFieldView[];
  /** Beside the one that sends it, as a way back. */
  buttons?: readonly Readonly<{ id: string; label: string }>[];
}>;
