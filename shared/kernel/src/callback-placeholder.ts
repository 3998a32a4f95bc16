/** Where an asker's link takes the callback URL. */
export const CALLBACK_PLACEHOLDER = "{callback_url}";

/** The link with the callback URL in it: percent-encoded inside a query or fragment, as it is before them. */
export function fillPlaceholder(link: string, callbackUrl: string): string {
  const queryAt = link.search(/[?#]/);
  return link.replaceAll(CALLBACK_PLACEHOLDER, (_, at: number) =>
    queryAt >= 0 && at > queryAt ? encodeURIComponent(callbackUrl) : callbackUrl,
  );
}
