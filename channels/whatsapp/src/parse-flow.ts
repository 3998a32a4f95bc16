import { parseOptionToken, type SubmittedField } from "@interlude/channel-kit";
import { z } from "zod";

const Response = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

function fieldOf(name: string, value: string | number | boolean | null): SubmittedField[] {
  const [, kind, digits] = /^(field|choice)_(\d{1,3})$/.exec(name) ?? [];
  const place = Number(digits);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // What was not touched comes as an empty text, or not at all.
  if (kind === undefined || value === null || text === "") return [];
  if (kind === "field") return [{ place, text }];
  return /^\d{1,3}$/.test(text) ? [{ place, choice: Number(text) }] : [];
}

/** What a person put into a Flow of ours; undefined for somebody else's. */
export function parseFlowResponse(json: string): { reference: string; fields: SubmittedField[] } | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return undefined;
  }
  const response = Response.safeParse(raw).data;
  const token = response?.["flow_token"];
  const about = typeof token === "string" ? parseOptionToken(token) : undefined;
  if (response === undefined || about?.choice !== "form") return undefined;
  const fields = Object.entries(response).flatMap(([name, value]) => fieldOf(name, value));
  return { reference: about.reference, fields };
}
