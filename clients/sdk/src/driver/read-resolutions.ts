import { call, type Session } from "../session.ts";
import { fieldsOf, list, optionalText, unexpected } from "../wire/fields.ts";
import { type Continuation, resolutionOf } from "./claim.ts";
import type { Resolution } from "./driver.ts";

/** All of a park's resolutions: those of a large one are read page by page. */
export async function readResolutions(
  session: Session,
  continuation: Continuation,
  signal: AbortSignal,
): Promise<readonly Resolution[]> {
  const { resolutions, resolutionsUrl } = continuation;
  if (resolutions !== undefined) return resolutions;
  if (resolutionsUrl === undefined) throw unexpected("neither resolutions nor resolutions_url");
  const path = pathOf(resolutionsUrl);
  const read: Resolution[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await call(session, { method: "GET", path, query: { cursor } }, { signal });
    const page = fieldsOf(body, "resolutions");
    read.push(...list(page, "items").map(resolutionOf));
    cursor = optionalText(page, "next_cursor");
  } while (cursor !== undefined);
  return read;
}

/** Below our own base: the credential goes nowhere else. */
function pathOf(url: string): string {
  if (!url.startsWith("/api/")) throw unexpected("resolutions_url is not a path of the API");
  return url.slice(1);
}
