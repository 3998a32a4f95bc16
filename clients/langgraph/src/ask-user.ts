import {
  InteractionCancelledError,
  InteractionFailedError,
  InterludeError,
  parsedBy,
  type Resolution,
} from "@interlude/sdk";
import { getConfig, interrupt } from "@langchain/langgraph";
import type {
  Expired,
  GraphAnswer,
  GraphAsk,
  GraphAskExternal,
  GraphPayload,
  StoredAsk,
  WithSchema,
} from "./asks.ts";
import { DRIVER_KEY } from "./driver-key.ts";
import { type AnswerPayload, type AskPayload, payloadOf, storedAsk } from "./payload.ts";

/**
 * Asks a person from a node, a tool, a task or a flow. The whole run is parked until every open question of its
 * step has ended; then this step runs again from its beginning and gets the answer here. So let what stands before
 * it be harmless when repeated, and let nothing catch what this throws to stop the step.
 *
 * Nobody answered in time: the marker, see `isExpired`. Cancelled, or not deliverable: throws
 * `InteractionCancelledError` or `InteractionFailedError`.
 */
export async function askUser<const A extends GraphAsk>(ask: A): Promise<GraphAnswer<A>> {
  const [answer] = await answersOf([{ stored: storedAsk(ask), schema: schemaOf(ask) }]);
  // The service's truth, as in the SDK: an answer of a format has its type.
  return answer as GraphAnswer<A>;
}

/** The same for another system's callback; `link` is a template that holds `{callback_url}`. */
export async function askExternal<const A extends GraphAskExternal>(
  link: string | undefined,
  ask: A,
): Promise<GraphPayload<A>> {
  const [answer] = await answersOf([{ stored: storedAsk(ask, link ?? ""), schema: schemaOf(ask) }]);
  return answer as GraphPayload<A>;
}

/**
 * Asks several at once from one step, where a step's questions would otherwise follow one another. Throws as
 * `askUser` does, for the first that was cancelled or failed.
 */
export async function askEveryone<const A extends readonly GraphAsk[]>(
  asks: A,
): Promise<{ -readonly [Place in keyof A]: GraphAnswer<A[Place]> }> {
  if (asks.length === 0) return [] as never;
  const answers = await answersOf(asks.map((ask) => ({ stored: storedAsk(ask), schema: schemaOf(ask) })));
  return answers as never;
}

/** As `askUser`, but gives how the question ended, whatever that is, with who answered and when. */
export function askForResolution(ask: GraphAsk): Promise<Resolution> {
  return Promise.resolve().then(() => {
    const [resolution] = resolutionsOf([storedAsk(ask)]);
    return resolution;
  });
}

type Prepared = Readonly<{ stored: StoredAsk; schema: unknown }>;

async function answersOf(asks: readonly Prepared[]): Promise<unknown[]> {
  const resolutions = resolutionsOf(asks.map(({ stored }) => stored));
  return Promise.all(asks.map(({ schema }, place) => answerOf(resolutions[place], schema)));
}

/** Stops the step here, or gives what it was resumed with. */
function resolutionsOf(asks: readonly StoredAsk[]): readonly [Resolution, ...Resolution[]] {
  refuseWithoutDriver();
  const given = interrupt<AskPayload, AnswerPayload>(payloadOf(asks));
  const [first, ...rest] = given.resolutions;
  if (first === undefined || rest.length + 1 !== asks.length) {
    throw new InterludeError({
      code: "unexpected_response",
      detail: "This step was resumed with something other than the answers to its questions",
    });
  }
  return [first, ...rest];
}

/** An interrupt that no driver sees would be a question that is never put to anybody. */
function refuseWithoutDriver(): void {
  if (typeof configuration()?.configurable?.[DRIVER_KEY] === "string") return;
  throw new InterludeError({
    code: "validation_failed",
    detail:
      "There is no driver that could resume this run: start it with `start` of a `langgraphDriver`, not with `invoke` of the graph",
  });
}

/** Outside of a graph there is none, whatever the declaration of `getConfig` says. */
function configuration(): ReturnType<typeof getConfig> | undefined {
  return getConfig();
}

async function answerOf(resolution: Resolution | undefined, schema: unknown): Promise<unknown> {
  if (resolution === undefined) return undefined;
  const { interactionId, status, reason, answer } = resolution;
  switch (status) {
    case "cancelled":
      throw new InteractionCancelledError(interactionId, reason);
    case "failed":
      throw new InteractionFailedError(interactionId, reason);
    case "expired":
      return { interaction_expired: true } satisfies Expired;
    case "answered":
      if (answer !== undefined) return parsedBy(schema, answer, interactionId);
      throw new InterludeError({
        code: "answer_gone",
        detail: `Question ${interactionId} was answered, but ${reason ?? "its answer is no longer kept"}`,
        interactionId,
      });
  }
}

function schemaOf(ask: object): unknown {
  const { schema }: WithSchema = ask;
  return schema;
}
