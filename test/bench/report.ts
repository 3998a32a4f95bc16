import type { Goal, Row } from "./measurement.ts";
import type { Spread } from "./statistics.ts";

const HEADINGS = ["measured", "ours", "reference", "ratio", "min–max of the ratio", "goal", "load"];

/** The rows as a table for people; notes stand below it. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  const notes = rows.flatMap(({ name, note }) => (note === undefined ? [] : [`  ${name}: ${note}`]));
  return [table[0], rule, ...table.slice(1), ...(notes.length === 0 ? [] : ["", ...notes])].join("\n");
}

function cellsOf(row: Row): string[] {
  const { name, unit, ours, reference, ratio, load } = row;
  // Where nothing is compared, the figure's own spread is what there is to tell.
  const spread = ratio ?? (ours.min === ours.max ? undefined : ours);
  return [
    name,
    `${figure(ours.median)} ${unit}`.trim(),
    reference === undefined ? "" : `${figure(reference.median)} ${unit}`.trim(),
    ratio === undefined ? "" : `${figure(ratio.median)}×`,
    spread === undefined ? "" : range(spread, ratio === undefined ? ` ${unit}` : "×"),
    goalCell(row),
    range(load, ""),
  ];
}

function goalCell({ goals = [], ours, ratio }: Row): string {
  return goals
    .map((goal) => {
      const value = goal.of === "ours" ? ours.median : (ratio?.median ?? NaN);
      return `${goalText(goal)}${goal.of === "ratio" ? "×" : ""} ${isMet(goal, value) ? "✓" : "✗"}`;
    })
    .join(", ");
}

function goalText(goal: Goal): string {
  return "atMost" in goal ? `≤ ${figure(goal.atMost)}` : `≥ ${figure(goal.atLeast)}`;
}

export function isMet(goal: Goal, value: number): boolean {
  return "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
}

function range({ min, max }: Spread, unit: string): string {
  return figure(min) === figure(max) ? `${figure(min)}${unit}` : `${figure(min)}–${figure(max)}${unit}`;
}

/** Three digits that mean something; more would pretend. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1_000) return Math.round(value).toLocaleString("en");
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
