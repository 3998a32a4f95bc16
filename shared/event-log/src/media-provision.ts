import { DiscardPolicy, StorageType } from "@nats-io/jetstream";
import { Objm } from "@nats-io/obj";
import type { Log } from "./connect.ts";
import { CLAIM_SUBJECTS, CLAIMS_STREAM } from "./media-claims.ts";
import { MEDIA_STORE, MEDIA_STREAM } from "./media-objects.ts";

/** Creates the store of media bytes and the stream of who shows them; repeating it changes nothing. */
export async function provisionMedia(log: Log, replicas: number): Promise<void> {
  await new Objm(log.connection).create(MEDIA_STORE, { replicas });
  const wanted = {
    name: CLAIMS_STREAM,
    subjects: [CLAIM_SUBJECTS],
    storage: StorageType.File,
    num_replicas: replicas,
    allow_direct: true,
    discard: DiscardPolicy.Old,
    // A claim that is made again is the same claim.
    max_msgs_per_subject: 1,
  };
  const existing = await log.manager.streams.info(CLAIMS_STREAM).catch(() => undefined);
  if (existing === undefined) await log.manager.streams.add(wanted);
  else await log.manager.streams.update(CLAIMS_STREAM, { ...existing.config, ...wanted });
}

/** The streams of media that are missing. */
export async function missingMediaStreams(log: Log): Promise<string[]> {
  const wanted = [MEDIA_STREAM, CLAIMS_STREAM];
  const found = await Promise.all(
    wanted.map((name) => log.manager.streams.info(name).catch(() => undefined)),
  );
  return wanted.filter((_, index) => found[index] === undefined);
}
