/**
 * A response body that fetches as the client reads. The first piece is read before the response begins, so
 * that what cannot be read is an error with a status; a later failure cuts the connection.
 */
export async function bodyOf(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return new Uint8Array();
  if (first.value.length === length) return new Uint8Array(first.value);
  let held: Uint8Array | undefined = first.value;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (held !== undefined) {
          controller.enqueue(held);
          held = undefined;
          return;
        }
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
