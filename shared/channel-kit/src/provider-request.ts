import type { JsonObject } from "@interlude/kernel";

/** One call of the provider, not sent yet. */
export type ProviderRequest = Readonly<{
  /** The provider's own name of the operation, as `chat.postMessage`. */
  method: string;
  body: JsonObject;
  /** The one message of a question that a person taps or replies to. */
  carriesControls?: boolean;
}>;

export type Shape = "buttons" | "select" | "list" | "numbered" | "text" | "modal" | "page" | "link";

/** What a question becomes on a medium, in the order of sending. Exactly one request carries the controls. */
export type Rendering = Readonly<{
  requests: readonly ProviderRequest[];
  shape: Shape;
  /** The options' values in the order of the numbers that the person sees; absent where there are none. */
  numbered?: readonly string[];
}>;
