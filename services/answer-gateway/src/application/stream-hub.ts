import type { LastEventId } from "@interlude/contract";
import type { Actor } from "@interlude/domain";
import type { StoredEntry, Tail } from "@interlude/event-log";
import { ServiceFailure, within } from "@interlude/kernel";
import type { CallbackLinks, Logger, Metrics } from "@interlude/service-kit";
import { type Frame, frameFor, frameOf } from "./stream-frame.ts";

/** Where a client's bytes go; the HTTP adapter implements it. */
export interface StreamSink {
  write(bytes: Uint8Array): void;
  /** Bytes handed over and not yet taken by the network. */
  readonly backlogBytes: number;
  /** Resolves when there is room again, or the client is gone. */
  drained(): Promise<void>;
  end(): void;
}

type StreamClient = {
  reader: Actor;
  sink: StreamSink;
  /** Asked every few seconds: a stream ends when its credential does. */
  isValid: () => boolean;
  /** Where to resume; a fresh connect starts at the end. */
  after: LastEventId;
  /** Aborts when the client is gone, which it may be before it has joined. */
  gone: AbortSignal;
};

export type StreamHubDeps = {
  tail: Tail;
  links: CallbackLinks;
  logger: Logger;
  metrics: Metrics;
  keepaliveMs: number;
  resumeWindow: number;
  logBounds: () => Promise<{ firstSequence: number; lastSequence: number }>;
  readLog: (fromSequence: number, batch: number) => Promise<StoredEntry[]>;
};

export interface StreamHub {
  /**
   * Resolves when the client is part of the live stream, or gone. A replay that fails ends its stream: the client
   * resumes where it was. @throws only before anything is written
   */
  join(client: StreamClient): Promise<void>;
  /** Those that still replay included. */
  readonly clients: number;
  close(): void;
}

const MAX_BACKLOG_BYTES = 1_048_576;
const REPLAY_BATCH = 500;
const SWEEP_MS = 1_000;
/**
 * How long events are gathered while they come without pause. A write is what a client costs: the more there are,
 * the fewer writes each gets, but nobody sees an event a quarter of a second late.
 */
const GATHER_MS_A_CLIENT = 0.18;
const GATHER_AT_LEAST_MS = 25;
const GATHER_AT_MOST_MS = 180;
const KEEPALIVE = Buffer.from(": keepalive\n\n");
const HELLO = Buffer.from(": connected\n\n");
/** A client that wants to know what it missed has to read the list. */
const NOT_RESUMED = Buffer.from(": connected\n: not resumed\n\n");

/** So that a log that dies within an answer ends the stream, and does not silence it. */
const READ_WITHIN_MS = 10_000;

/** After which sequence a stream begins, and what it begins with. */
type Start = { position: number; hello: Uint8Array };

type Member = StreamClient & {
  /** Readers of one sight see the same. */
  sight: string;
  position: number;
  /** Where it has been read to, while the tail still stands in a log that is no more; see `startAfter`. */
  aheadAt: number | undefined;
  writtenAtMs: number;
  isGone: boolean;
  /** Has caught up: what the tail tells is offered to it. */
  isLive: boolean;
};

/** One a process: each event is rendered once and written together with its neighbours, client by client. */
export function createStreamHub(deps: StreamHubDeps): StreamHub {
  const members = new Set<Member>();
  let isClosed = false;
  let flushing: NodeJS.Timeout | undefined;
  let flushedAtMs = -Infinity;
  /** Told by the tail, and not yet written to those that are live. */
  let gathered: Frame[] = [];

  let toldLast = 0;
  const unsubscribe = deps.tail.subscribe((stored) => {
    // A log made anew, or restored, counts on from an earlier place: positions of before say nothing of it.
    if (stored.sequence <= toldLast) {
      flush();
      for (const member of members) {
        member.position = Math.max(stored.sequence - 1, member.aheadAt ?? 0);
        member.aheadAt = undefined;
      }
    }
    toldLast = stored.sequence;
    if (members.size === 0) return;
    const frame = frameOf(stored, deps.links);
    if (frame === undefined) return;
    gathered.push(frame);
    flushing ??= setTimeout(flush, flushDelayMs());
  });

  /** A write a client and event would be the whole cost: neighbours in time share one. The first goes at once. */
  function flushDelayMs(): number {
    const wantedMs = members.size * GATHER_MS_A_CLIENT;
    const betweenMs = Math.min(Math.max(wantedMs, GATHER_AT_LEAST_MS), GATHER_AT_MOST_MS);
    return Math.max(0, flushedAtMs + betweenMs - performance.now());
  }

  function flush(): void {
    clearTimeout(flushing);
    flushing = undefined;
    flushedAtMs = performance.now();
    const frames = gathered;
    gathered = [];
    const [first] = frames;
    const last = frames.at(-1);
    if (first === undefined || last === undefined) return;
    const shared = new Map<string, Buffer>();
    for (const member of members) {
      if (!member.isLive) continue;
      const isWhole = member.position < first.sequence;
      const bytes = isWhole ? sharedBytes(shared, member, frames) : bytesFor(member, frames);
      member.position = Math.max(member.position, last.sequence);
      if (bytes.length > 0) send(member, bytes);
    }
  }

  function send(member: Member, bytes: Uint8Array): void {
    if (member.isGone) return;
    if (member.sink.backlogBytes > MAX_BACKLOG_BYTES) {
      deps.metrics.droppedStreams.inc();
      drop(member);
      return;
    }
    member.writtenAtMs = performance.now();
    member.sink.write(bytes);
  }

  function drop(member: Member): void {
    if (member.isGone) return;
    member.isGone = true;
    members.delete(member);
    deps.metrics.openStreams.dec();
    member.sink.end();
  }

  /** Keeps quiet connections alive and ends those whose credential is gone; each client by its own deadline. */
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const member of members) {
      if (!member.isValid()) drop(member);
      else if (now - member.writtenAtMs >= deps.keepaliveMs - SWEEP_MS && !isReading(member))
        send(member, KEEPALIVE);
    }
  }, SWEEP_MS);
  sweep.unref();

  /** Bytes of a replay that wait for their reader keep the connection alive, and may be more than live ones. */
  function isReading({ isLive, sink }: Member): boolean {
    return !isLive && sink.backlogBytes > 0;
  }

  async function startAfter(after: LastEventId): Promise<Start & { isAhead: boolean }> {
    const { position: told } = deps.tail;
    const { firstSequence, lastSequence } = await deps.logBounds();
    // The leader's log ends before what the tail had told: it was made anew, and the tail has yet to find out.
    const isAhead = lastSequence < told;
    return { ...resumeAt(after, firstSequence, lastSequence), isAhead };
  }

  function resumeAt(after: LastEventId, firstSequence: number, lastSequence: number): Start {
    if (after.kind === "absent") return { position: lastSequence, hello: HELLO };
    if (after.kind === "after") {
      const { sequence } = after;
      const isCovered = sequence >= lastSequence - deps.resumeWindow && sequence <= lastSequence;
      // What retention has purged is over for everybody: the stream goes on at the first event that is kept.
      if (isCovered) return { position: Math.max(sequence, firstSequence - 1), hello: HELLO };
    }
    const wanted = after.kind === "after" ? after.sequence : "malformed";
    deps.logger.warn("stream cannot resume where it was asked to; it goes on from the end", {
      wanted,
      firstSequence,
      lastSequence,
    });
    return { position: lastSequence, hello: NOT_RESUMED };
  }

  /** Sends what was missed at the reader's own pace, until it has caught up with the live stream. */
  async function replay(member: Member): Promise<void> {
    for (;;) {
      const { position } = deps.tail;
      if (member.isGone) return;
      if (member.position >= position) break;
      const batch = await within(
        READ_WITHIN_MS,
        deps.readLog(member.position + 1, REPLAY_BATCH),
        readTooLate,
      );
      const frames = batch
        .map((stored) => frameOf(stored, deps.links))
        .filter((frame) => frame !== undefined);
      const bytes = bytesFor(member, frames);
      const readTo = batch.at(-1)?.sequence;
      if (member.aheadAt !== undefined && readTo !== undefined) member.aheadAt = readTo;
      // Nothing left to read: what lay before the tail's position then has been purged.
      member.position = Math.max(member.position, readTo ?? position);
      if (bytes.length > 0) send(member, bytes);
      await member.sink.drained();
    }
    // Nothing is awaited between the last look at the tail and going live: no event falls between.
    member.isLive = true;
  }

  return {
    async join(client) {
      // Asked of the leader, and before anything is written: a stream that cannot start is refused as a whole.
      const { position, hello, isAhead } = await startAfter(client.after);
      if (client.gone.aborted) return;
      const member: Member = {
        ...client,
        sight: JSON.stringify(client.reader),
        position,
        aheadAt: isAhead ? position : undefined,
        writtenAtMs: performance.now(),
        isGone: false,
        isLive: false,
      };
      members.add(member);
      deps.metrics.openStreams.inc();
      const leave = () => {
        drop(member);
      };
      client.gone.addEventListener("abort", leave, { once: true });
      send(member, hello);
      if (isClosed) drop(member);
      try {
        await replay(member);
      } catch (error) {
        deps.logger.warn("a replay failed; its stream ends", { reason: String(error) });
        drop(member);
      }
    },
    get clients() {
      return members.size;
    },
    close() {
      isClosed = true;
      unsubscribe();
      clearInterval(sweep);
      clearTimeout(flushing);
      flush();
      for (const member of members) drop(member);
    },
  };
}

/** Readers that see the same share what was made of the frames for the first of them. */
function sharedBytes(shared: Map<string, Buffer>, member: Member, frames: readonly Frame[]): Buffer {
  const known = shared.get(member.sight);
  if (known !== undefined) return known;
  const bytes = bytesFor(member, frames);
  shared.set(member.sight, bytes);
  return bytes;
}

/** What the member may see of the frames and has not had. */
function bytesFor({ reader, position }: Member, frames: readonly Frame[]): Buffer {
  const parts: Buffer[] = [];
  for (const frame of frames) {
    const bytes = frame.sequence > position ? frameFor(frame, reader) : undefined;
    if (bytes !== undefined) parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function readTooLate(): ServiceFailure {
  const message = `the log did not answer in ${READ_WITHIN_MS} ms`;
  return new ServiceFailure("log_unavailable", { retry: "later", message });
}
