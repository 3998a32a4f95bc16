import type { Fields } from "../core/json.ts";
import type { Attempt, Delivery, Sender, WebhookRequest } from "../core/outbox.ts";
import { SLACK_LIMITS as LIMITS } from "./limits.ts";
import { slackSignature } from "./sign.ts";
import { APP_ID, BOT, next, type SlackUser, type SlackWorld, TEAM } from "./world.ts";

export type SlackWebhooks = {
  eventsUrl: string | undefined;
  interactionsUrl: string | undefined;
  readonly event: (event: Fields) => Promise<Delivery>;
  readonly interact: (type: string, user: SlackUser, body: Fields) => Promise<Delivery>;
  /** What Slack sends when a URL is entered: it wants the challenge back. */
  readonly challenge: () => Promise<Delivery>;
};

export function createSlackWebhooks(world: SlackWorld, outbox: Sender, signingSecret: string): SlackWebhooks {
  const send = (
    topic: string,
    url: string | undefined,
    contentType: string,
    body: string,
  ): Promise<Delivery> =>
    outbox.send({
      topic,
      timeoutMs: LIMITS.acknowledgeMs.max,
      build: (attempt) =>
        url === undefined ? undefined : signed(url, contentType, body, signingSecret, world.nowMs(), attempt),
    });
  const json = (topic: string, body: Fields): Promise<Delivery> =>
    send(topic, webhooks.eventsUrl, "application/json", JSON.stringify(body));
  const webhooks: SlackWebhooks = {
    eventsUrl: undefined,
    interactionsUrl: undefined,
    event: (event) =>
      json(String(event["type"]), {
        token: "legacy",
        team_id: TEAM.id,
        api_app_id: APP_ID,
        event,
        type: "event_callback",
        event_id: `Ev${world.firstId + next(world)}`,
        event_time: Math.floor(world.nowMs() / 1000),
        authorizations: [{ team_id: TEAM.id, user_id: BOT.userId, is_bot: true }],
      }),
    interact(type, user, body) {
      const trigger = `${next(world)}.${TEAM.id}`;
      world.triggers.set(trigger, { atMs: world.nowMs(), user, isUsed: false });
      const payload = {
        type,
        user: {
          id: user.id,
          username: user.name.toLowerCase(),
          name: user.name.toLowerCase(),
          team_id: TEAM.id,
        },
        api_app_id: APP_ID,
        token: "legacy",
        team: TEAM,
        enterprise: null,
        is_enterprise_install: false,
        trigger_id: trigger,
        ...body,
      };
      const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      return send(type, webhooks.interactionsUrl, "application/x-www-form-urlencoded", form);
    },
    challenge: () =>
      json("url_verification", { token: "legacy", challenge: "c-123", type: "url_verification" }),
  };
  return webhooks;
}

function signed(
  url: string,
  contentType: string,
  body: string,
  secret: string,
  nowMs: number,
  attempt: Attempt,
): WebhookRequest {
  const seconds = Math.floor(nowMs / 1000);
  const retried =
    attempt.number === 0
      ? undefined
      : {
          "X-Slack-Retry-Num": String(attempt.number),
          "X-Slack-Retry-Reason": attempt.reason ?? "unknown_error",
        };
  return {
    url,
    method: "POST",
    headers: {
      "content-type": contentType,
      "X-Slack-Request-Timestamp": String(seconds),
      "X-Slack-Signature": slackSignature(secret, seconds, body),
      ...retried,
    },
    body,
  };
}
