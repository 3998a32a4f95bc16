import type { Limit } from "../core/limit.ts";

const fault = (code: number): string => `https://www.twilio.com/docs/api/errors/${code}`;

/** Twilio's limits, each once; the page of a limit is that of the error which breaking it brings. */
export const TWILIO_LIMITS = {
  body: { max: 1600, page: fault(21617) },
  mediaUrls: { max: 10, page: fault(21623) },
  statusCallbackUrl: { max: 4000, page: fault(21609) },
  validitySeconds: {
    min: 1,
    max: 36_000,
    page: "https://www.twilio.com/docs/messaging/api/message-resource",
  },
  webhookWaitMs: { max: 15_000, page: fault(11200) },
} as const satisfies Record<string, Limit>;

/** Units a segment holds: alone, and as one of several. */
export const SEGMENTS = {
  gsm: { alone: 160, joined: 153 },
  unicode: { alone: 70, joined: 67 },
} as const;
