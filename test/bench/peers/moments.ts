const WITHIN_MS = 60_000;

/** Tells who waits for it, by name, that something has come to pass. */
export type Moments<Told> = { of(name: string): Promise<Told>; came(name: string, told: Told): void };

export function openMoments<Told>(): Moments<Told> {
  const waiting = new Map<string, (told: Told) => void>();
  return {
    of: (name) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(name);
          reject(new Error(`nothing was heard of ${name} for ${WITHIN_MS / 1_000} s`));
        }, WITHIN_MS);
        waiting.set(name, (told) => {
          clearTimeout(late);
          resolve(told);
        });
      }),
    came(name, told) {
      waiting.get(name)?.(told);
      waiting.delete(name);
    },
  };
}
