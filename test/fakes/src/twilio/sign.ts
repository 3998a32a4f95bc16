import { createHmac } from "node:crypto";

/**
 * https://www.twilio.com/docs/usage/webhooks/webhooks-security: the public URL as it is configured, then each
 * parameter's name and value in the order of names.
 */
export function twilioSignature(
  authToken: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const signed = Object.keys(parameters)
    .sort()
    .reduce((text, name) => text + name + (parameters[name] ?? ""), url);
  return createHmac("sha1", authToken).update(signed, "utf8").digest("base64");
}
