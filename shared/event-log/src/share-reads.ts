/**
 * Those who ask for the same within one turn of the event loop share a read, which begins after the last of them
 * has asked: each is told what held then or later, and many callers cost one request.
 */
export function shareReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const gathering = new Map<string, Promise<T>>();

  async function begin(key: string): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve));
    gathering.delete(key);
    return read(key);
  }

  return (key) => {
    const known = gathering.get(key);
    if (known !== undefined) return known;
    const begun = begin(key);
    gathering.set(key, begun);
    return begun;
  };
}
