import { createHmac } from "node:crypto";

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function slackSignature(signingSecret: string, timestampSeconds: number, rawBody: string): string {
  const signed = `v0:${timestampSeconds}:${rawBody}`;
  return `v0=${createHmac("sha256", signingSecret).update(signed, "utf8").digest("hex")}`;
}
