import { messages } from "../messages.ts";

/** The identity provider that the server named when it sent the page; undefined where there is none. */
export function providerName(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="identity-provider"]');
  return meta === null || meta.content === "" ? undefined : meta.content;
}

/** Where signing in at the provider begins, and leads back to the page that is shown now. */
export function providerHref({ pathname, search }: { pathname: string; search: string }): string {
  const returnTo = pathname.startsWith("/signin") ? "/" : `${pathname}${search}`;
  return `/api/session/oidc?${new URLSearchParams({ return_to: returnTo })}`;
}

/** What went wrong on the way back from the provider, in words of ours; anything unknown says nothing. */
export function providerFault(search: string): string | undefined {
  const fault = new URLSearchParams(search).get("fault") ?? "";
  return Object.entries(messages.signIn.faults).find(([code]) => code === fault)?.[1];
}
