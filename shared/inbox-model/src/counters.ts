import type { Transaction } from "@interlude/postgres";
import type { NewRow } from "./fold-batch.ts";

/** How many more (or fewer) questions of one kind there are. */
export type Change = { status: string; mode: string; audience: string; asker: string; by: number };

export function changesOf(rows: readonly NewRow[]): Change[] {
  const changes = new Map<string, Change>();
  for (const { mode, audience, asker, ending } of rows) {
    const status = ending?.status ?? "pending";
    const key = JSON.stringify([status, mode, audience, asker]);
    const change = changes.get(key);
    if (change === undefined) changes.set(key, { status, mode, audience, asker, by: 1 });
    else change.by += 1;
  }
  return [...changes.values()];
}

export async function countChanges(tx: Transaction, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    insert into interaction_counters as c (status, mode, audience, asker, count)
    select * from unnest(
      ${changes.map((change) => change.status)}::text[],
      ${changes.map((change) => change.mode)}::text[],
      ${changes.map((change) => change.audience)}::text[],
      ${changes.map((change) => change.asker)}::text[],
      ${changes.map((change) => change.by)}::bigint[])
    on conflict (status, audience, asker, mode) do update set count = c.count + excluded.count`;
}
