import type { Channel, OutgoingNotification, OutgoingQuestion, WebhookReply } from "@interlude/channel-kit";
import type { FieldFault } from "@interlude/contract";
import { checkSlack, checkSlackNotification } from "./check.ts";
import type { SlackConfig } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { faultyBlock, formOf } from "./modal.ts";
import { parseSlack } from "./parse.ts";
import {
  renderSlack,
  renderSlackAcknowledge,
  renderSlackEnd,
  renderSlackForm,
  renderSlackNotice,
  renderSlackNotification,
} from "./render.ts";
import { sendSlack } from "./send.ts";
import { verifySlack } from "./verify.ts";

export type SlackOptions = Readonly<{ language?: string; timeoutMs?: number }>;

const TIMEOUT_MS = 10_000;

/** Keeps the modal open, with each fault under its field. */
function refuseSubmission(
  asked: OutgoingQuestion | OutgoingNotification,
  faults: readonly FieldFault[],
): WebhookReply {
  const form = formOf(asked) ?? { schema: {} };
  const errors = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const block = faultyBlock(form, path);
    errors.set(block, [...(errors.get(block) ?? []), message]);
  }
  const told = Object.fromEntries([...errors].map(([block, messages]) => [block, messages.join("\n")]));
  const body = JSON.stringify({ response_action: "errors", errors: told });
  return { status: 200, body, contentType: "application/json" };
}

export function createSlackChannel(config: SlackConfig, options: SlackOptions = {}): Channel {
  const { language = "en", timeoutMs = TIMEOUT_MS } = options;
  const { recipients } = config;
  return {
    name: "slack",
    capabilities: {
      formDelivery: "native",
      interactive: true,
      replyContext: true,
      media: ["image"],
      caps: LIMITS,
      idempotentSend: false,
    },
    defaultRecipient: recipients.default,
    check: (content) => checkSlack(content, recipients),
    checkNotification: (content) => checkSlackNotification(content, recipients),
    address: (recipient) => recipient,
    render: (question) => renderSlack(question, language),
    renderEnd: (sent, end) => renderSlackEnd(sent, end, language),
    renderNotice: renderSlackNotice,
    renderNotification: (notification) => renderSlackNotification(notification, language),
    renderAcknowledge: renderSlackAcknowledge,
    renderForm: (asked, tap) => renderSlackForm(asked, tap, language),
    refuseSubmission,
    send: (request, signal) => sendSlack(request, signal, { config, timeoutMs }),
    verify: (delivery, nowMs) => verifySlack(delivery, config.signingSecret, nowMs),
    parse: parseSlack,
  };
}
