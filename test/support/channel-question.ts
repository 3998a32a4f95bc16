import type { AskedData } from "@interlude/contract";
import { addressOfAsked, createInteractionStore, openLog } from "@interlude/event-log";
import { uuidV7 } from "@interlude/kernel";
import { mintTicket, newNonce, parseKeyring } from "@interlude/secrets";
import type { Interlude } from "./start-interlude.ts";

export type ChannelQuestion = { id: string; ticket: string; callbackUrl: string };

/** A question as a channel would have been sent it, with a ticket, put straight into the log. */
export async function askOverChannel(
  interlude: Interlude,
  asked: Pick<AskedData, "answer_format"> & Partial<AskedData>,
): Promise<ChannelQuestion> {
  const log = await openLog({ url: interlude.nats.url, service: "journey" });
  try {
    const keyring = parseKeyring(interlude.shared["INTERLUDE_TICKET_KEYS"] ?? "", "INTERLUDE_TICKET_KEYS");
    const nowMs = log.clock.nowMs();
    const id = uuidV7(nowMs);
    const seed = { kid: keyring.current.kid, nonce: newNonce() };
    const data: AskedData = {
      interaction_id: id,
      asker: "ann",
      group_id: uuidV7(nowMs),
      question: "Over a channel?",
      format_payload: {},
      mode: "sync",
      created_at: new Date(nowMs).toISOString(),
      timeout_at: new Date(nowMs + 3_600_000).toISOString(),
      ticket: seed,
      channel: "sms",
      recipient: "+15550100",
      on_mismatch: "retry",
      sensitive: false,
      fingerprint: id,
      ...asked,
    };
    const write = { eventId: uuidV7(nowMs), nowMs };
    await createInteractionStore(log).append({ type: "asked", data }, addressOfAsked(data), 0, write);
    const ticket = mintTicket(keyring, { id, ...seed, purpose: "callback" });
    return { id, ticket, callbackUrl: `${interlude.url}/api/interactions/callback/${ticket}` };
  } finally {
    await log.close();
  }
}
