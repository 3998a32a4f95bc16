import type {
  DeliveredData,
  DeliveryFailedData,
  InteractionEvent,
  ReportedStatus,
} from "@interlude/contract";
import { formatInstant } from "@interlude/contract";
import { accept, type Decision, refuse, unreachable } from "@interlude/kernel";
import { belonging } from "./belonging.ts";
import { attemptsMade, type Delivery, isSending, REPORT_RANK } from "./delivery.ts";
import { refusalOfEnded } from "./ended.ts";
import type { InteractionRefusal, KnownInteraction } from "./interaction.ts";

/** A delivery of an attempt: what was taken, where it went and how it is shown. */
export type Receipt = Readonly<{
  attempt: number;
  address: string;
  messageIds: readonly string[];
  controls: readonly string[];
  shape: string;
  numbered?: readonly string[];
  opener?: true;
}>;

export type DeliveryCommand =
  /** `attempt`: which it is to be; without, the next one. */
  | { type: "StartDelivery"; worker: string; attempt?: number; nowMs: number }
  /** Of an attempt that is under way: what of it is out. */
  | {
      type: "ContinueDelivery";
      worker: string;
      attempt: number;
      messageIds: readonly string[];
      nowMs: number;
    }
  | { type: "RecordDelivered"; receipt: Receipt; nowMs: number }
  | {
      type: "RecordDeliveryFailed";
      attempt: number;
      outcome: DeliveryFailedData["outcome"];
      reason: string;
      retryAtMs?: number;
      final: boolean;
      messageIds?: readonly string[];
      nowMs: number;
    }
  | { type: "ReportDelivery"; messageId: string; status: ReportedStatus; code?: string; nowMs: number }
  | { type: "RecordMismatch"; updateId: string; reason: string; nowMs: number };

export type DeliveryDecision = Decision<InteractionEvent, InteractionRefusal>;

type Of<Type extends DeliveryCommand["type"]> = Extract<DeliveryCommand, { type: Type }>;
type Base = ReturnType<typeof belonging> & { channel: string };

export function isDeliveryCommand(command: { type: string }): command is DeliveryCommand {
  return command.type in DELIVERY_COMMANDS;
}

const DELIVERY_COMMANDS: Readonly<Record<DeliveryCommand["type"], true>> = {
  StartDelivery: true,
  ContinueDelivery: true,
  RecordDelivered: true,
  RecordDeliveryFailed: true,
  ReportDelivery: true,
  RecordMismatch: true,
};

/** What is true is recorded whenever it is learned, after the end too; what would send something is refused then. */
export function decideDelivery(command: DeliveryCommand, state: KnownInteraction): DeliveryDecision {
  const { channel } = state.asked;
  if (channel === undefined) return refuse({ code: "undeliverable", reason: "no_channel" });
  const base = { ...belonging(state.asked, command.nowMs), channel };
  const delivery = state.delivery ?? {};
  switch (command.type) {
    case "StartDelivery":
      return decideStart(command, state, base);
    case "ContinueDelivery":
      return decideContinue(command, state, base);
    case "RecordDelivered":
      return decideDelivered(command.receipt, delivery, base);
    case "RecordDeliveryFailed":
      return decideFailed(command, delivery, base);
    case "ReportDelivery":
      return decideReport(command, delivery, base);
    case "RecordMismatch":
      return decideMismatch(command, state, base);
    default:
      return unreachable(command);
  }
}

function decideStart(
  { worker, attempt, nowMs }: Of<"StartDelivery">,
  state: KnownInteraction,
  base: Base,
): DeliveryDecision {
  const ended = refusalOfEnded(state, nowMs);
  if (ended !== undefined) return refuse(ended);
  const delivery = state.delivery ?? {};
  const { delivered, failed, reported } = delivery;
  if (reported?.status === "failed" || failed?.final === true) {
    return refuse({ code: "undeliverable", reason: "given_up" });
  }
  // What asked a person to write first was not the question.
  if (delivered !== undefined && delivered.opener !== true) {
    return refuse({ code: "undeliverable", reason: "delivered" });
  }
  const next = attemptsMade(delivery) + 1;
  if (attempt !== undefined && attempt !== next) {
    return refuse({ code: "undeliverable", reason: "another_attempt" });
  }
  return accept<InteractionEvent>({ type: "delivery_started", data: { ...base, attempt: next, worker } });
}

function decideContinue(
  { worker, attempt, messageIds, nowMs }: Of<"ContinueDelivery">,
  state: KnownInteraction,
  base: Base,
): DeliveryDecision {
  const ended = refusalOfEnded(state, nowMs);
  if (ended !== undefined) return refuse(ended);
  const { started } = state.delivery ?? {};
  if (!isSending(state.delivery ?? {}) || started?.attempt !== attempt || started.worker !== worker) {
    return refuse({ code: "undeliverable", reason: "another_attempt" });
  }
  const message_ids = [...messageIds];
  return accept<InteractionEvent>({
    type: "delivery_started",
    data: { ...base, attempt, worker, message_ids },
  });
}

/** Messages of earlier attempts that turned out to have arrived show the question too. */
function decideDelivered(receipt: Receipt, { delivered }: Delivery, base: Base): DeliveryDecision {
  if (delivered?.attempt === receipt.attempt) return accept();
  const isOlder = delivered !== undefined && delivered.attempt > receipt.attempt;
  const together = (known: readonly string[] | undefined, own: readonly string[]) => [
    ...new Set([...(known ?? []), ...own]),
  ];
  const messageIds = together(delivered?.message_ids, receipt.messageIds);
  const controls = together(delivered?.controls, receipt.controls);
  if (isOlder) {
    const data: DeliveredData = { ...delivered, message_ids: messageIds, controls, at: base.at };
    const isKnown = messageIds.length === delivered.message_ids.length;
    return isKnown ? accept() : accept<InteractionEvent>({ type: "delivered", data });
  }
  const { attempt, address, shape, numbered, opener } = receipt;
  const data: DeliveredData = {
    ...base,
    ...{ attempt, address, shape, controls },
    message_ids: messageIds,
    ...(numbered === undefined ? {} : { numbered: [...numbered] }),
    ...(opener === undefined ? {} : { opener }),
  };
  return accept<InteractionEvent>({ type: "delivered", data });
}

function decideFailed(
  { attempt, outcome, reason, retryAtMs, final, messageIds }: Of<"RecordDeliveryFailed">,
  { delivered, failed }: Delivery,
  base: Base,
): DeliveryDecision {
  if (failed?.final === true) return accept();
  const known = Math.max(delivered?.attempt ?? 0, failed?.attempt ?? 0);
  // Of one attempt, that there will be no other can still be learned.
  const isGivenUp = final && failed?.attempt === attempt && known === attempt;
  if (attempt <= known && !isGivenUp) return accept();
  const data: DeliveryFailedData = {
    ...base,
    ...{ attempt, outcome, reason, final },
    ...(retryAtMs === undefined ? {} : { retry_at: formatInstant(retryAtMs) }),
    ...(messageIds === undefined ? {} : { message_ids: [...messageIds] }),
  };
  return accept<InteractionEvent>({ type: "delivery_failed", data });
}

function decideReport(
  { messageId, status, code }: Of<"ReportDelivery">,
  { delivered, failed, reported }: Delivery,
  base: Base,
): DeliveryDecision {
  const ids = [...(delivered?.message_ids ?? []), ...(failed?.message_ids ?? [])];
  // A report may outrun the receipt: whoever has it tries again.
  if (!ids.includes(messageId)) return refuse({ code: "undeliverable", reason: "unknown_message" });
  if (reported !== undefined && REPORT_RANK[reported.status] >= REPORT_RANK[status]) return accept();
  const data = { ...base, message_id: messageId, status, ...(code === undefined ? {} : { code }) };
  return accept<InteractionEvent>({ type: "delivery_reported", data });
}

function decideMismatch(
  { updateId, reason, nowMs }: Of<"RecordMismatch">,
  state: KnownInteraction,
  base: Base,
): DeliveryDecision {
  if (state.delivery?.mismatched?.update_id === updateId) return accept();
  const ended = refusalOfEnded(state, nowMs);
  if (ended !== undefined) return refuse(ended);
  return accept<InteractionEvent>({ type: "mismatched", data: { ...base, update_id: updateId, reason } });
}
