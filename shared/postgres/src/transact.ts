import { ServiceFailure } from "@interlude/kernel";
import type { Sql, Transaction } from "./sql.ts";

/** One transaction; the driver's own result type maps arrays, which would lose the type of what `work` returns. */
export async function transact<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const results: { value: T }[] = [];
  await sql.begin(async (tx) => {
    results.push({ value: await work(tx) });
  });
  const [result] = results;
  if (result === undefined) throw new ServiceFailure("invariant_broken", { retry: "never" });
  return result.value;
}
