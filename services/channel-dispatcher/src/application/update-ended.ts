import type { Channel, OutgoingQuestion, ProviderRequest } from "@interlude/channel-kit";
import type { AskedData } from "@interlude/contract";
import type { Progress } from "./delivery-record.ts";
import { questionEnd } from "./outgoing-question.ts";

/** What shows the person that a question is over, where it has reached them. */
export function endRequests(
  channel: Channel,
  { state, delivery: { receipt } }: Progress,
  outgoing: (asked: AskedData) => OutgoingQuestion,
  language: string,
): { address: string; requests: readonly ProviderRequest[] } | undefined {
  const end = questionEnd(state, language);
  if (end === undefined || receipt === undefined) return undefined;
  const { address, controls } = receipt;
  const question = outgoing(state.asked);
  const requests = controls.flatMap((messageId) => channel.renderEnd({ question, address, messageId }, end));
  return { address, requests };
}
