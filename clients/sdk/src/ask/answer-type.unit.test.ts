import { type Item as ContractItem, openApiDocument } from "@interlude/contract";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { AnswerOf, Client, Item, Json } from "../index.ts";
import type { PayloadOf } from "./ask.ts";
import { ASK_FIELDS, NOTIFICATION_FIELDS } from "./ask-body.ts";

declare const client: Client;

/** Never called: what is tested is what the compiler makes of it. */
export function typesOfAnswers(schema: Record<string, Json>, named: string[]): void {
  expectTypeOf(client.askUser({ question: "?" })).resolves.toEqualTypeOf<string>();
  expectTypeOf(
    client.askUser({ question: "?", answerFormat: "text", options: ["a"] }),
  ).resolves.toEqualTypeOf<string>();
  expectTypeOf(client.askUser({ question: "?", answerFormat: "confirm" })).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(
    client.askUser({
      question: "?",
      answerFormat: "select",
      options: ["red", { value: "blue", label: "Blau" }],
    }),
  ).resolves.toEqualTypeOf<"red" | "blue">();
  expectTypeOf(
    client.askUser({ question: "?", answerFormat: "select", options: named }),
  ).resolves.toEqualTypeOf<string>();
  const typed = z.object({
    name: z.string(),
    size: z.number().default(1),
    when: z.string().transform((t) => t.length),
  });
  expectTypeOf(
    client.askUser({ question: "?", answerFormat: "form", schema: typed }),
  ).resolves.toEqualTypeOf<{
    name: string;
    size: number;
    when: number;
  }>();
  expectTypeOf(client.askUser({ question: "?", answerFormat: "form", schema })).resolves.toEqualTypeOf<{
    readonly [property: string]: Json;
  }>();
  expectTypeOf(client.askExternal((url) => url, { question: "?", schema: typed })).resolves.toHaveProperty(
    "when",
  );
  expectTypeOf<PayloadOf<{ question: string }>>().toEqualTypeOf<{ readonly [name: string]: Json }>();
  // @ts-expect-error a select has options
  void client.askUser({ question: "?", answerFormat: "select" });
  // @ts-expect-error a form has a schema
  void client.askUser({ question: "?", answerFormat: "form" });
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

const Bodies = z.record(
  z.string(),
  z.object({
    post: z
      .object({
        requestBody: z
          .object({
            content: z.record(
              z.string(),
              z.object({ schema: z.looseObject({ properties: z.looseObject({}).optional() }) }),
            ),
          })
          .optional(),
      })
      .optional(),
  }),
);

/** The fields of a request body, as the published description of the service has them. */
function contractFields(path: string): string[] {
  const paths = Bodies.parse(openApiDocument({ version: "0" })["paths"]);
  return Object.keys(
    paths[path]?.post?.requestBody?.content["application/json"]?.schema.properties ?? {},
  ).sort();
}

describe("the client's names", () => {
  it("types options written beforehand by their values", () => {
    const options = ["s", "m"] as const;
    const ask = { question: "?", answerFormat: "select", options } as const;
    expectTypeOf<AnswerOf<typeof ask>>().toEqualTypeOf<"s" | "m">();
    expect(ask.options).toBe(options);
  });

  it("are the contract's in camel case, every one of them", () => {
    expectTypeOf<keyof Item>().toEqualTypeOf<Camel<keyof ContractItem>>();
    const byHand = ["id", "link", "run"];
    expect(Object.values(ASK_FIELDS).sort()).toEqual(
      contractFields("/api/interactions").filter((name) => !byHand.includes(name)),
    );
    expect(Object.values(NOTIFICATION_FIELDS).sort()).toEqual(contractFields("/api/notifications"));
    for (const [camel, snake] of Object.entries({ ...ASK_FIELDS, ...NOTIFICATION_FIELDS })) {
      expect(snake.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())).toBe(camel);
    }
  });
});
