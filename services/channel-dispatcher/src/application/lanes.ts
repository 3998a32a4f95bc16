/** Work of one conversation is done in the order it was given; that of others beside it. */
export interface Lanes {
  run<T>(conversation: string, work: () => Promise<T>): Promise<T>;
  /** Work that was given and has not ended. */
  readonly size: number;
  /** Once everything given has ended. */
  idle(): Promise<void>;
}

export function createLanes(): Lanes {
  const last = new Map<string, Promise<unknown>>();
  let size = 0;
  const lanes: Lanes = {
    run(conversation, work) {
      size++;
      const before = last.get(conversation) ?? Promise.resolve();
      const done = before.then(work);
      const over = done.then(
        () => undefined,
        () => undefined,
      );
      const settled = over.then(() => {
        size--;
        if (last.get(conversation) === settled) last.delete(conversation);
      });
      last.set(conversation, settled);
      return done;
    },
    get size() {
      return size;
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
  return lanes;
}
