import { z } from "zod";
import { ANSWER_FORMATS, type AnswerFormat } from "./ask.ts";
import { CAPS } from "./caps.ts";
import { check } from "./check.ts";
import type { Parsed } from "./parsed.ts";
import { collectParams, faultsByName } from "./query-params.ts";
import { parseSequence } from "./sequence.ts";
import { codePoints } from "./text.ts";

export const LIST_STATUSES = ["pending", "answered", "expired", "cancelled", "failed", "all"] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];
export const LIST_SORTS = ["created_at", "-created_at", "deadline"] as const;
export type ListSort = (typeof LIST_SORTS)[number];

/** `page` is there exactly when `cursor` is not. */
export type ListQuery = Readonly<{
  page?: number;
  cursor?: string;
  page_size: number;
  status: ListStatus;
  sort: ListSort;
  answer_format?: AnswerFormat;
  channel?: string;
  group_id?: string;
  audience?: string;
  asker?: string;
  q?: string;
  at_least?: number;
}>;

function shortText(max: number): z.ZodString {
  return z.string().refine((text) => codePoints(text) <= max, `must be at most ${max} characters long`);
}

function wholeFrom1(what: string): z.ZodString {
  return z.string().regex(/^0*[1-9]\d*$/, what);
}

const PAGE = `must be a whole number from 1 to ${CAPS.PAGE_MAX}`;

const PARAMETERS = {
  page: wholeFrom1(PAGE)
    .transform(Number)
    .refine((page) => page <= CAPS.PAGE_MAX, PAGE),
  cursor: shortText(CAPS.CURSOR_MAX_CHARS),
  // A larger page is cut to the largest there is; only what is no size at all is refused.
  page_size: wholeFrom1("must be a whole number from 1 on").transform((size) =>
    Math.min(Number(size), CAPS.PAGE_SIZE_MAX),
  ),
  status: z.enum(LIST_STATUSES),
  sort: z.enum(LIST_SORTS),
  answer_format: z.enum(ANSWER_FORMATS),
  channel: shortText(CAPS.NAME_MAX_CHARS),
  group_id: shortText(CAPS.GROUP_ID_MAX_CODE_POINTS),
  audience: shortText(CAPS.AUDIENCE_MAX_CODE_POINTS),
  asker: shortText(CAPS.AUDIENCE_MAX_CODE_POINTS),
  q: shortText(CAPS.QUERY_MAX_CODE_POINTS),
  at_least: z.string().transform((text, context) => {
    const sequence = parseSequence(text);
    if (sequence !== undefined) return sequence;
    context.addIssue("must be a sequence that a write returned");
    return z.NEVER;
  }),
};

export const ListQuerySchema = z.strictObject({
  page: PARAMETERS.page.exactOptional(),
  cursor: PARAMETERS.cursor.exactOptional(),
  page_size: PARAMETERS.page_size.exactOptional(),
  status: PARAMETERS.status.exactOptional(),
  sort: PARAMETERS.sort.exactOptional(),
  answer_format: PARAMETERS.answer_format.exactOptional(),
  channel: PARAMETERS.channel.exactOptional(),
  group_id: PARAMETERS.group_id.exactOptional(),
  audience: PARAMETERS.audience.exactOptional(),
  asker: PARAMETERS.asker.exactOptional(),
  q: PARAMETERS.q.exactOptional(),
  at_least: PARAMETERS.at_least.exactOptional(),
});

/** `pageSize` is another spelling of `page_size`; an empty search box searches for nothing. */
function collect(params: URLSearchParams): ReturnType<typeof collectParams> {
  const { given, faults } = collectParams(params, { pageSize: "page_size" });
  const { q, ...others } = given;
  return { given: q === undefined || q === "" ? others : given, faults };
}

/** The list's query. Unknown and repeated parameters are faults, so that a typo never widens a list. */
export function parseListQuery(params: URLSearchParams): Parsed<ListQuery> {
  const { given, faults } = collect(params);
  const parsed = check(ListQuerySchema, given);
  if (!parsed.ok) faults.push(...faultsByName(parsed.faults));
  if (Object.hasOwn(given, "page") && Object.hasOwn(given, "cursor")) {
    faults.push({ path: "cursor", message: "cursor and page are mutually exclusive" });
  }
  if (!parsed.ok || faults.length > 0) return { ok: false, faults };
  const { cursor, page, page_size = CAPS.PAGE_SIZE_DEFAULT, status = "pending", ...rest } = parsed.value;
  const window = cursor === undefined ? { page: page ?? 1 } : { cursor };
  return { ok: true, value: { sort: "created_at", ...rest, ...window, page_size, status } };
}
