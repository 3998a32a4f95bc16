import { ServiceFailure } from "@interlude/kernel";

const MAX_ATTEMPTS = 20;

/**
 * Repeats a direct read, which any replica may answer, until it reaches the sequence that the leader has told.
 * @throws ServiceFailure `log_unavailable` when the replicas do not catch up
 */
export async function reachLeader<T>(
  needed: number,
  reader: () => Promise<T>,
  reach: (read: T) => number,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await reader();
    if (reach(found) >= needed) return found;
    await new Promise((resolve) => setTimeout(resolve, 5 * attempt));
  }
  throw new ServiceFailure("log_unavailable", { retry: "later", message: "replicas lag behind the leader" });
}
