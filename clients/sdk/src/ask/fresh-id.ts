/** 128 random bits in an id's alphabet. `getRandomValues` is there on pages without TLS too; `randomUUID` is not. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
