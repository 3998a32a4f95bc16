import { z } from "zod";
import type { Answer, Received } from "./exchange.ts";
import type { FakeControl } from "./fake-control.ts";
import { PersonCannot, type PersonSide } from "./person.ts";
import { parseJson } from "./json.ts";
import { NoSuchWebhook } from "./outbox.ts";

const times = { times: z.int().min(1).optional(), operation: z.string().optional() };
const Rate = z.strictObject({ count: z.int().min(1), perMs: z.int().min(1) });
const place = { conversation: z.string(), message: z.string() };
const as = z.string().optional();

const Fault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("fail"),
    status: z.int(),
    code: z.union([z.string(), z.int()]).optional(),
    message: z.string().optional(),
    retryAfterSeconds: z.number().optional(),
    ...times,
  }),
  z.strictObject({
    kind: z.literal("answer"),
    status: z.int(),
    body: z.string(),
    contentType: z.string().optional(),
    ...times,
  }),
  z.strictObject({ kind: z.literal("delay"), ms: z.number().min(0), ...times }),
  z.strictObject({ kind: z.literal("drop"), when: z.enum(["before", "after"]), ...times }),
]);

const Act = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("tap"), ...place, control: z.string(), as }),
  z.strictObject({
    act: z.literal("type"),
    conversation: z.string(),
    text: z.string().min(1),
    replyTo: z.string().optional(),
    as,
  }),
  z.strictObject({ act: z.literal("submit"), form: z.string(), values: z.record(z.string(), z.string()) }),
  z.strictObject({
    act: z.literal("press"),
    form: z.string(),
    button: z.string(),
    values: z.record(z.string(), z.string()),
  }),
  z.strictObject({ act: z.literal("dismiss"), form: z.string() }),
  z.strictObject({ act: z.literal("react"), ...place, emoji: z.string().min(1), as }),
  z.strictObject({
    act: z.literal("media"),
    conversation: z.string(),
    kind: z.enum(["image", "document", "video", "audio"]),
    url: z.string(),
    caption: z.string().optional(),
    replyTo: z.string().optional(),
    as,
  }),
]);

const Order = z.strictObject({ order: z.enum(["in_order", "reversed"]).default("in_order") });
const Redeliver = z.strictObject({ id: z.string().optional() });
const Limits = z.strictObject({ perConversation: Rate.optional(), overall: Rate.optional() });
const Advance = z.strictObject({ ms: z.number().min(0) });
const Reach = z.strictObject({ origin: z.url(), base: z.url() });

type Doors = Readonly<Record<string, (body: unknown) => unknown>>;

function doors(fake: FakeControl): Doors {
  return {
    "GET /requests": () => fake.requests,
    "DELETE /requests": () => {
      fake.forgetRequests();
    },
    "POST /faults": (body) => {
      fake.fault(drop(Fault.parse(body)));
    },
    "DELETE /faults": () => {
      fake.clearFaults();
    },
    "POST /rates": (body) => {
      fake.limitRates(drop(Limits.parse(body)));
    },
    "POST /clock": (body) => {
      fake.advanceClock(Advance.parse(body).ms);
    },
    "GET /webhooks": () => fake.webhooks.deliveries,
    "POST /webhooks/hold": () => {
      fake.webhooks.hold();
    },
    "POST /webhooks/release": (body) => fake.webhooks.release(Order.parse(body).order),
    "POST /webhooks/redeliver": (body) => fake.webhooks.redeliver(Redeliver.parse(body).id),
    "POST /webhooks/reach": (body) => {
      const { origin, base } = Reach.parse(body);
      fake.webhooks.reach(origin, base);
    },
    "GET /chat": () => fake.person.see(),
    "POST /person": (body) => actAs(fake.person, body),
  };
}

function actAs(person: PersonSide, body: unknown): Promise<unknown> {
  const act = drop(Act.parse(body));
  switch (act.act) {
    case "tap":
      return person.tap(act);
    case "type":
      return person.type(act);
    case "submit":
      return person.submit(act);
    case "press":
      return person.press(act);
    case "dismiss":
      return person.dismiss(act.form);
    case "react":
      return person.react(act);
    case "media":
      return person.sendMedia(act);
  }
}

type Given<T> = T extends unknown
  ? { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
    }
  : never;

/** Without the keys that were not given, so that they are absent and not undefined. */
function drop<T extends object>(value: T): Given<T> {
  // The entries that are left are exactly those of the type.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Given<T>;
}

/** Whatever can be told the fake in code can be told over HTTP, under `/_fake`. */
export function createControlDoors(fake: FakeControl): (received: Received) => Promise<Answer> {
  const known = doors(fake);
  return async (received) => {
    const path = received.path.replace(/^\/_fake/, "");
    const door = known[`${received.method} ${path}`];
    if (door === undefined)
      return { status: 404, body: { error: "no such door", doors: Object.keys(known) } };
    // A page of another site must not be able to act: a JSON body cannot be sent across sites unasked.
    const isJson = (received.header("content-type") ?? "").startsWith("application/json");
    if (received.method === "POST" && !isJson) return { status: 415, body: { error: "send JSON" } };
    try {
      const result = await door(
        received.rawBody.byteLength === 0 ? {} : parseJson(received.rawBody.toString()),
      );
      return result === undefined ? { status: 204 } : { status: 200, body: { result } };
    } catch (error) {
      if (error instanceof z.ZodError) return { status: 400, body: { error: z.prettifyError(error) } };
      if (error instanceof PersonCannot || error instanceof NoSuchWebhook)
        return { status: 409, body: { error: error.message } };
      throw error;
    }
  };
}
