import type { Channel, InboundTap } from "@interlude/channel-kit";
import type { FromPerson } from "@interlude/domain";
import type { HeldPartition } from "../ports.ts";

/** Shows the person that a tap has arrived; `text` is for them alone, where the medium can say it so. */
export async function acknowledge(
  { channel, outbox }: HeldPartition,
  said: FromPerson,
  text: string | undefined,
): Promise<void> {
  if (said.kind !== "tap") return;
  const tap: InboundTap = said;
  await outbox.send(said.address, channel.renderAcknowledge?.(tap, text) ?? asMessage(channel, tap, text));
}

/** Where a tap is shown nothing of its own, what there is to say is said in reply to what was tapped. */
function asMessage(channel: Channel, { address, messageId }: InboundTap, text: string | undefined) {
  if (text === undefined) return [];
  return channel.renderNotice(address, text, messageId === "" ? undefined : messageId);
}
