import type { MediaKind } from "@interlude/contract";

/** What a medium can do: shown by `GET /api/channels`, and the reason of every refusal of a channel ask. */
export type Capabilities = Readonly<{
  /** `native`: a form of the medium's own where the schema fits it; `page`: a link to ours; `none`: refused. */
  formDelivery: "native" | "page" | "none";
  /** Whether an option can be tapped. */
  interactive: boolean;
  /** Whether a reply can say which message it is to. Where not, one question at a time is in front. */
  replyContext: boolean;
  /** Kinds that are sent as themselves; every other is a link. */
  media: readonly MediaKind[];
  /** The provider's limits by name. Texts are counted in UTF-16 units, the strictest any of them could mean. */
  caps: Readonly<Record<string, number>>;
  /** Whether the provider takes a key that makes a repeated send safe. */
  idempotentSend: boolean;
}>;
