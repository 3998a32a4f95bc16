/** Lengths are counted in code points, as the server counts them: an emoji is one, not two. */
export function countCodePoints(text: string): number {
  return Array.from(text).length;
}

export function cutToCodePoints(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("");
}
