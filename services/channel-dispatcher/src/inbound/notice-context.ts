import type { Channel, SendOutcome } from "@interlude/channel-kit";
import type { FromPerson } from "@interlude/domain";
import type { InboundDeps } from "./inbound-work.ts";
import type { Known, Place } from "./known-questions.ts";

/**
 * What a notice of what did not fit is in reply to: what the person was replying to, and among several people what they
 * said. To one alone it is said plainly: in Slack a reply of ours would open a thread that answers nothing.
 */
export function contextOf(said: FromPerson): string | undefined {
  if (said.kind !== "message") return undefined;
  return said.replyTo ?? (said.isDirect ? undefined : said.messageId);
}

/** Ids of messages are a chat's own, and a notice's are told apart from those that show a question. */
const keyOf = ({ saidAt }: Place, messageId: string): string => `notice\n${saidAt}\n${messageId}`;

/** Keeps for a while which question a notice was about. */
export async function rememberNotice(
  { onReceipt }: InboundDeps,
  { name }: Channel,
  place: Place,
  { id, told }: { id: string; told: readonly SendOutcome[] },
): Promise<void> {
  const ids = told.flatMap((each) => (each.kind === "sent" ? [keyOf(place, each.messageId)] : []));
  if (ids.length > 0) await onReceipt(name, ids, id);
}

/** A reply to a notice is one to its question, which knows nothing of the notice. */
export async function withNotice(
  { questionOf }: InboundDeps,
  { name }: Channel,
  place: Place,
  { person, known }: { person: FromPerson; known: readonly Known[] },
): Promise<readonly Known[]> {
  const replyTo = person.kind === "message" ? person.replyTo : undefined;
  const isKnown = known.some(({ facts }) => replyTo !== undefined && facts.messageIds.includes(replyTo));
  if (replyTo === undefined || isKnown || known.length === 0) return known;
  const id = await questionOf(name, keyOf(place, replyTo));
  return known.map((each) => {
    const { facts } = each;
    return facts.id === id
      ? { ...each, facts: { ...facts, messageIds: [...facts.messageIds, replyTo] } }
      : each;
  });
}
