import { compilePattern, type LinearPattern } from "@interlude/json-schema";
import { canonicalJson, sha256Base64Url } from "@interlude/kernel";
import { z } from "zod";
import { type ReplyMapping, replyMapping } from "./reply-mapping.ts";

/** What a route looks at. */
export type Said = Readonly<{ from: string; text: string }>;

/** Which driver answers what is said over a channel. */
export type Route = Readonly<{
  /** The same as long as channel, driver and match are: what came by it finds its mapping again. */
  id: string;
  channel: string;
  driver: string;
  takes: (said: Said) => boolean;
  replyOf: ReplyMapping;
}>;

/** Routes in their order: the first that takes it has it. */
export interface Routes {
  find(channel: string, said: Said): Route | undefined;
  /** The one that something came by, or what has taken its place; `undefined`: none is left for that driver. */
  after(channel: string, driver: string, id: string): Route | undefined;
  readonly channels: ReadonlySet<string>;
  readonly drivers: ReadonlySet<string>;
}

export type RoutesResult = { ok: true; routes: Routes } | { ok: false; faults: readonly string[] };

const Name = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -");
const People = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
const Match = z
  .strictObject({
    text_prefix: z.string().min(1).exactOptional(),
    regex: z.string().min(1).exactOptional(),
    from: People.exactOptional(),
  })
  .refine((match) => Object.keys(match).length > 0, "must say at least one of text_prefix, regex and from");
const RouteEntry = z.strictObject({
  channel: Name,
  match: Match.exactOptional(),
  target: z.strictObject({ driver: Name }),
  reply: z.string().min(1).exactOptional(),
});
type RouteEntry = z.infer<typeof RouteEntry>;

export const NO_ROUTES: Routes = routesOf([]);

/** Reads what was configured; every fault is told, with where it stands. */
export function parseRoutes(value: unknown): RoutesResult {
  const parsed = z.array(RouteEntry).safeParse(value);
  if (!parsed.success) return { ok: false, faults: parsed.error.issues.map(told) };
  const read = parsed.data.map(readRoute);
  const faults = read.flatMap((each, index) =>
    "faults" in each ? each.faults.map((fault) => `${index}${fault}`) : [],
  );
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, routes: routesOf(read.flatMap((each) => ("route" in each ? [each.route] : []))) };
}

function told({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  const place = path.map(String).join("/");
  return place === "" ? message : `${place}: ${message}`;
}

function readRoute(entry: RouteEntry): { route: Route } | { faults: readonly string[] } {
  const { channel, match = {}, target, reply } = entry;
  const { driver } = target;
  const pattern = match.regex === undefined ? undefined : compilePattern(match.regex);
  const mapping = replyMapping(reply);
  const faults = [
    ...(pattern?.ok === false ? [`/match/regex: the pattern cannot be used: ${pattern.reason}`] : []),
    ...(mapping.ok ? [] : [`/reply: is no JMESPath expression: ${mapping.reason}`]),
  ];
  if (!mapping.ok || pattern?.ok === false) return { faults };
  const id = sha256Base64Url(canonicalJson({ channel, driver, match: { ...match } })).slice(0, 22);
  const route = { id, channel, driver, takes: matcher(match, pattern?.pattern), replyOf: mapping.map };
  return { route };
}

/** Everything that is said must hold; spaces before a text say nothing. */
function matcher(
  { text_prefix: prefix, from }: NonNullable<RouteEntry["match"]>,
  pattern: LinearPattern | undefined,
): Route["takes"] {
  const people = from === undefined ? undefined : new Set(typeof from === "string" ? [from] : from);
  return (said) =>
    (prefix === undefined || said.text.trimStart().startsWith(prefix)) &&
    (pattern === undefined || pattern.test(said.text)) &&
    (people === undefined || people.has(said.from));
}

function routesOf(routes: readonly Route[]): Routes {
  return {
    find: (channel, said) => routes.find((route) => route.channel === channel && route.takes(said)),
    after(channel, driver, id) {
      const all = routes.filter((route) => route.channel === channel && route.driver === driver);
      return all.find((route) => route.id === id) ?? all[0];
    },
    channels: new Set(routes.map(({ channel }) => channel)),
    drivers: new Set(routes.map(({ driver }) => driver)),
  };
}
