import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  addressOfAsked,
  conversationsBefore,
  createConversationStore,
  createInboundStore,
  createInteractionStore,
  createMediaCustody,
  createMediaStore,
  createMessageIndex,
  inboundPlace,
  inboundSubject,
  type Log,
  mediaPath,
  openBucket,
  openLog,
  readAudit,
} from "@interlude/event-log";
import type { NatsUser } from "@interlude/infra-nats";
import { eventually, freePort, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChild } from "../support/child-process.ts";
import { converse } from "../support/converse.ts";
import { type NatsWithUsers, startNatsWithUsers } from "../support/nats-with-users.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const SERVICES = [
  "asker",
  "answer-gateway",
  "inbox-projector",
  "expiry-scheduler",
  "media",
  "resume-coordinator",
  "channel-dispatcher",
  "retention",
] as const satisfies readonly NatsUser[];

let nats: NatsWithUsers;
let servers: Interlude;
const logs = new Map<NatsUser, Log>();

beforeAll(async () => {
  nats = await startNatsWithUsers();
  servers = await startInterlude({ nats: nats.asAdmin });
  await servers.detach();
  for (const service of SERVICES) logs.set(service, await openLog({ url: nats.urlOf(service), service }));
}, 60_000);
afterAll(async () => {
  for (const log of logs.values()) await log.close();
  await servers.stop();
});

function logOf(service: NatsUser): Log {
  const log = logs.get(service);
  if (log === undefined) throw new Error(service);
  return log;
}

/** What the server says to a request on the subject: an answer of whatever kind, or that it may not be made. */
async function tried(service: NatsUser, subject: string, payload = "{}"): Promise<"allowed" | "refused"> {
  try {
    await logOf(service).connection.request(subject, payload, { timeout: 1_000 });
    return "allowed";
  } catch (error) {
    if (String(error).includes("Permissions Violation")) return "refused";
    // A message that a consumer hands out comes under its own subject, which no request waits for.
    if (String(error).includes("timeout")) return "allowed";
    throw error;
  }
}

async function allowed(subject: string, payload?: string): Promise<string[]> {
  const outcomes = await Promise.all(SERVICES.map((service) => tried(service, subject, payload)));
  return SERVICES.filter((_, index) => outcomes[index] === "allowed");
}

describe("of all services, an event is stored by", () => {
  it.each([
    ["interactions.asked.inbox.0.q", ["asker"]],
    ["interactions.answered.inbox.0.q", ["answer-gateway", "channel-dispatcher"]],
    ["interactions.cancelled.inbox.0.q", ["answer-gateway"]],
    ["interactions.expired.inbox.0.q", ["expiry-scheduler"]],
    ["interactions.delivered.sms.0.q", ["channel-dispatcher"]],
    ["interactions.failed.sms.0.q", ["channel-dispatcher"]],
    ["interactions.other.inbox.0.q", []],
    ["notifications.sent.inbox.0.n", ["asker"]],
    ["runs.parked.bot.r.p", ["resume-coordinator"]],
    ["drivers.registered.bot", ["resume-coordinator"]],
    ["audit.interaction_purged.q", ["retention"]],
    ["timers.cancel.q", ["expiry-scheduler"]],
    // The server alone.
    ["timers.fired.q", []],
  ])("%s: %j", async (subject, who) => {
    expect(await allowed(subject)).toEqual(who);
  });
});

describe("with its own user alone", { timeout: 60_000 }, () => {
  it("retention purges a question with its key, its messages and its media", async () => {
    const asker = logOf("asker");
    const gateway = logOf("answer-gateway");
    const id = randomUUID();
    const media = createMediaStore(logOf("media"));
    const stored = await media.put([Buffer.from("shown")], "text/plain");
    await createMediaStore(asker).claim([{ id: stored.id }], { kind: "interaction", id });
    await (await openBucket(asker, "answerKeys")).create(id, "wrapped");
    const write = () => ({ eventId: randomUUID(), nowMs: Date.now() });
    const belonging = { interaction_id: id, group_id: id, asker: "ann", mode: "sync" } as const;
    const to = { channel: "sms", recipient: "+15550001001" };
    const address = addressOfAsked({ interaction_id: id, ...to });
    const dispatcher = logOf("channel-dispatcher");
    await createMessageIndex(dispatcher).add("sms", ["SM1"], id);
    const asked = await createInteractionStore(asker).append(
      {
        type: "asked",
        data: {
          ...{ ...belonging, question: "?", answer_format: "text", format_payload: {}, fingerprint: id },
          ...{ created_at: "", timeout_at: "", sensitive: true, ...to },
          media: [{ kind: "document", url: mediaPath(stored.id) }],
        },
      },
      address,
      0,
      write(),
    );
    if (asked.status !== "appended") throw new Error(asked.status);
    const sent = { channel: "sms", attempt: 1, address: to.recipient, message_ids: ["SM1"], controls: [] };
    const delivered = await createInteractionStore(dispatcher).append(
      { type: "delivered", data: { ...belonging, ...sent, at: "", shape: "text" } },
      address,
      asked.sequence,
      write(),
    );
    if (delivered.status !== "appended") throw new Error(delivered.status);
    const cancelled = { ...belonging, at: "", cancelled_by: "ann" };
    const position = delivered.sequence;
    await createInteractionStore(gateway).append(
      { type: "cancelled", data: cancelled },
      address,
      position,
      write(),
    );

    const script = fileURLToPath(new URL("../../services/retention/test/sweep-once.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script], {
      env: {
        ...process.env,
        NATS_URL: nats.urlOf("retention"),
        DATABASE_URL: servers.databaseUrl,
        KEYS: servers.shared["INTERLUDE_DATA_KEYS"] ?? "",
        MOVED_DAYS: "91",
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    expect((await once(child, "exit"))[0]).toBe(0);
    expect(await createInteractionStore(asker).readAll(id)).toEqual([]);
    expect(await (await openBucket(gateway, "answerKeys")).get(id)).toBeUndefined();
    expect(await media.head(stored.id)).toBeUndefined();
    expect(await createMessageIndex(dispatcher).find("sms", "SM1")).toBeUndefined();
    for (const reader of ["inbox-projector", "resume-coordinator"] as const) {
      const read = await readAudit(logOf(reader), 1, 100, () => undefined);
      expect(read.map(({ entry }) => "type" in entry && entry.type)).toContain("interaction_purged");
    }
  });

  it("each keeps and forgets what is its own to keep", async () => {
    for (const [service, bucket] of [
      ["asker", "answerKeys"],
      ["answer-gateway", "deliveries"],
      ["resume-coordinator", "claimKeys"],
    ] as const) {
      const own = await openBucket(logOf(service), bucket);
      expect(await own.create("key", "value")).toBe(true);
      expect(await own.create("key", "value")).toBe(false);
      expect(await own.get("key")).toBe("value");
      await own.purge("key");
      expect(await own.get("key")).toBeUndefined();
    }
    const kept = await openBucket(logOf("channel-dispatcher"), "deployment");
    expect(await kept.create("key", "one")).toBe(true);
    expect(await kept.replace("key", "two", (await kept.read("key"))?.revision ?? 0)).toBe(true);
    expect(await kept.replace("key", "three", 1)).toBe(false);
    expect(await (await openBucket(logOf("resume-coordinator"), "deployment")).read("key")).toMatchObject({
      value: "two",
    });
    const keys = await openBucket(logOf("asker"), "answerKeys");
    await keys.create("one", "wrapped");
    expect(await keys.keys()).toEqual(["one"]);
    for (const service of ["answer-gateway", "resume-coordinator"] as const)
      await (await openBucket(logOf(service), "answerKeys")).purge("one");
  });

  it("who delivers forgets what was said over channels, and retention a conversation that is idle", async () => {
    const inbound = createInboundStore(logOf("channel-dispatcher"));
    const place = inboundPlace("sms", 3, "update-1");
    const received = { channel: "sms", update_id: "update-1", received_at: "", sealed: "what was said" };
    expect(await inbound.add({ ...received, kind: "message" }, place)).toBe("stored");
    await inbound.forget(place);
    expect((await inbound.find(inboundSubject(place)))?.entry).not.toHaveProperty("sealed");

    const thread = { channel: "sms", partition: 3, thread: "thread-1" };
    const conversations = createConversationStore(logOf("channel-dispatcher"));
    for (const type of ["queued", "posted"] as const) {
      const { position } = await conversations.read(thread);
      const data = { channel: "sms", thread: "thread-1", at: "2031-03-01T12:00:00.000Z" };
      const event =
        type === "posted"
          ? { type, data: { ...data, cause: "c1", message_ids: [] } }
          : { type, data: { ...data, interaction_id: "q-12345678", deadline_at: data.at } };
      await conversations.append(event, thread, position, { eventId: randomUUID(), nowMs: Date.now() });
    }
    const said = await conversations.read(thread);
    expect(said.entries).toHaveLength(2);
    await conversations.forget(thread, "queued", said.position);
    const idle: unknown[] = [];
    for await (const { address } of conversationsBefore(logOf("retention"), Date.now() + 60_000))
      idle.push(address);
    expect(idle).toContainEqual(thread);
    await createConversationStore(logOf("retention")).forget(thread, "posted", said.position);
    expect((await conversations.read(thread)).entries).toEqual([]);
  });

  it("media is swept", async () => {
    const media = createMediaStore(logOf("media"));
    const { id } = await media.put([Buffer.from("unclaimed")], "text/plain");
    const custody = createMediaCustody(logOf("media"));
    const found: string[] = [];
    for await (const each of custody.storedBefore(Date.now() + 60_000)) found.push(each);
    expect(found).toContain(id);
    expect(await custody.isClaimed(id, Date.now() + 60_000)).toBe(false);
    expect(await custody.discard(id)).toBe(true);
    await createMediaStore(logOf("asker")).remove([
      (await createMediaStore(logOf("asker")).put([Buffer.from("x")], "text/plain")).id,
    ]);
  });

  it("one process with every service starts, and its question is answered", async () => {
    const port = await freePort();
    const child = startChild(["serve"], {
      ...servers.shared,
      PORT: String(port),
      INTERLUDE_HOME: temporaryHome("serve"),
      NATS_URL: nats.urlOf("interlude"),
      DATABASE_URL: servers.databaseUrl,
      INTERLUDE_API_KEYS_FILE: servers.apiKeysFile,
      INTERLUDE_LOG_LEVEL: "warn",
    });
    const at = { url: `http://127.0.0.1:${port}`, natsUrl: nats.urlOf("provision"), keys: servers.keys };
    await eventually(
      async () => {
        if (child.exitCode() !== null) throw new Error(child.output());
        return (await fetch(`${at.url}/readyz`)).ok;
      },
      { withinMs: 30_000, everyMs: 100 },
    );
    const { asked, answer, result } = converse(() => at);
    const id = await asked();
    expect((await answer(id, "yes")).status).toBe(200);
    expect((await result(id)).json["answer"]).toBe("yes");
    await child.kill();
  });
});

describe("of all services,", () => {
  it("retention alone purges what happened", async () => {
    const nothing = JSON.stringify({ filter: "interactions.asked.none.0.none" });
    for (const stream of ["INTERACTIONS", "RUNS"]) {
      expect(await allowed(`$JS.API.STREAM.PURGE.${stream}`, nothing)).toEqual(["retention"]);
    }
    for (const stream of ["AUDIT", "NOTIFICATIONS", "TIMERS"]) {
      expect(await allowed(`$JS.API.STREAM.PURGE.${stream}`, nothing)).toEqual([]);
    }
  });

  it("none changes or deletes a stream, deletes a message, or makes a durable", async () => {
    for (const subject of [
      "$JS.API.STREAM.CREATE.OTHER",
      "$JS.API.STREAM.UPDATE.INTERACTIONS",
      "$JS.API.STREAM.DELETE.INTERACTIONS",
      "$JS.API.STREAM.MSG.DELETE.INTERACTIONS",
      "$JS.API.CONSUMER.DURABLE.CREATE.INTERACTIONS.other",
      "$JS.API.CONSUMER.CREATE.INTERACTIONS.expiry-scheduler-lifecycle",
      "$JS.API.CONSUMER.DELETE.INTERACTIONS.expiry-scheduler-lifecycle",
    ]) {
      expect([subject, await allowed(subject)]).toEqual([subject, []]);
    }
  });

  it("each takes from its own durables only", async () => {
    const once = JSON.stringify({ batch: 1, no_wait: true });
    const next = "$JS.API.CONSUMER.MSG.NEXT";
    expect(await allowed(`${next}.TIMERS.expiry-scheduler-fired`, once)).toEqual(["expiry-scheduler"]);
    expect(await allowed(`${next}.INTERACTIONS.expiry-scheduler-lifecycle`, once)).toEqual([
      "expiry-scheduler",
    ]);
    expect(await allowed(`${next}.RUNS.resume-coordinator-completed`, once)).toEqual(["resume-coordinator"]);
  });

  it("none listens to another's replies, or to the events themselves", async () => {
    for (const subject of ["_INBOX_answer-gateway.>", "interactions.>", ">"]) {
      const heard = new Promise<string>((resolve) => {
        logOf("asker").connection.subscribe(subject, {
          callback: (error) => {
            resolve(String(error));
          },
        });
      });
      expect(await heard).toContain("Permissions Violation");
    }
  });

  it("each reads the log", async () => {
    for (const service of SERVICES) {
      expect(await createInteractionStore(logOf(service)).readFresh("none")).toEqual({
        entries: [],
        position: 0,
      });
    }
  });
});
