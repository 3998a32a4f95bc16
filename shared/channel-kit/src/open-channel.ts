import type { Channel } from "./channel.ts";
import type { ChannelSetup, Variables } from "./read-setup.ts";

export type ChannelOptions = Readonly<{
  /** The deployment's `page_language`: what people are told in. */
  language: string;
  /** Where the provider delivers: `<publicBaseUrl>/api/channels/<name>/webhook`; absent: nowhere. */
  publicBaseUrl?: string | undefined;
}>;

/**
 * What a channel's own module exports, by the name `openChannel`. It is given the variables that begin with the
 * channel's name (`PAGER_` for `pager`) and no others.
 */
export type OpenChannel = (
  variables: Variables,
  options: ChannelOptions,
) => ChannelSetup<Channel> | Promise<ChannelSetup<Channel>>;
