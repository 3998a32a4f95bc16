/** The middle of several measurements of one thing, and how far they lay apart. */
export type Spread = { median: number; min: number; max: number };

/** The value below which the share `q` of the values lies, interpolated between neighbours; NaN of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * Math.min(Math.max(q, 0), 1);
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: quantile(values, 0), max: quantile(values, 1) };
}

/** Ratios of what was measured in the same moments: the noise of a shared machine meets both sides of a pair. */
export function ratiosOf(ours: readonly number[], reference: readonly number[]): number[] {
  return ours.flatMap((value, index) => {
    const other = reference[index];
    return other === undefined || other === 0 ? [] : [value / other];
  });
}
