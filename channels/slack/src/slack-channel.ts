import type { Channel } from "@interlude/channel-kit";
import { checkSlack, checkSlackNotification } from "./check.ts";
import type { SlackConfig } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { refuseSubmission, renderBack, renderStep } from "./modal-replies.ts";
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
    renderStep: (asked, step, { address }) => renderStep({ asked, step, address, language }),
    renderBack: (asked, step, { address, step: from }) =>
      renderBack({ asked, step, address, language }, from?.back),
    send: (request, signal) => sendSlack(request, signal, { config, timeoutMs }),
    verify: (delivery, nowMs) => verifySlack(delivery, config.signingSecret, nowMs),
    parse: parseSlack,
  };
}
