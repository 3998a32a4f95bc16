import { ServiceFailure } from "@interlude/kernel";

const MAX_BYTES = 262_144;
export const PROVIDER_WITHIN_MS = 5_000;

export type FetchInit = NonNullable<Parameters<typeof fetch>[1]>;

/** Reads a whole reply of the provider's, of a bounded size and within a bounded time, and follows nowhere. */
export async function boundedFetch(url: string, init: FetchInit = {}): Promise<Response> {
  const signal = init.signal ?? AbortSignal.timeout(PROVIDER_WITHIN_MS);
  const response = await fetch(url, { ...init, signal, redirect: "manual" });
  const bytes = await readBounded(response);
  const { status, headers } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    size += part.value.byteLength;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw providerAway(`a reply of the identity provider has more than ${MAX_BYTES} bytes`);
    }
    parts.push(part.value);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

export function providerAway(message: string, cause?: unknown): ServiceFailure {
  return new ServiceFailure("identity_provider_unavailable", { retry: "later", message, cause });
}
