import type { ServiceFailure } from "./failure.ts";

/** What `work` comes to, or the failure of its being late; the work itself goes on, and its end is nobody's. */
export async function within<T>(ms: number, work: Promise<T>, late: () => ServiceFailure): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
