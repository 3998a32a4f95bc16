/** A provider's own limit, with the page that states it. `max` is allowed, one more is refused. */
export type Limit = Readonly<{ min?: number; max: number; page: string }>;

export function exceeds(limit: Limit, count: number): boolean {
  return count > limit.max || count < (limit.min ?? 0);
}
