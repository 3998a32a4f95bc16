type Page = { items: readonly unknown[]; nextCursor: string | null };

/**
 * Reads pages from the first on until `wanted` rows are there or none is left, so that a list that is read anew
 * does not shrink under its reader. All rows, and else what the last page says.
 */
export async function readPages<Of extends Page>(
  wanted: number,
  read: (cursor: string | undefined) => Promise<Of>,
): Promise<Of & { items: Of["items"][number][] }> {
  let page = await read(undefined);
  const items = [...page.items];
  while (items.length < wanted && page.nextCursor !== null) {
    page = await read(page.nextCursor);
    items.push(...page.items);
  }
  return { ...page, items };
}
