export type SessionCookie = {
  readonly name: string;
  /** The `Set-Cookie` value that signs in. */
  set(value: string, maxAgeSeconds: number): string;
  /** The `Set-Cookie` value that signs out. */
  clear(): string;
  /** This cookie's value in a request's `Cookie` header. */
  read(header: string | undefined): string | undefined;
};

type Deployment = { secure: boolean; scope?: string };

/**
 * HttpOnly, SameSite=Strict, for the whole origin; over https also Secure and `__Host-`, so that no subdomain
 * can set it. `scope` (the port, say) keeps two deployments on one host apart: cookies ignore ports.
 */
export function sessionCookie(deployment: Deployment): SessionCookie {
  return cookie("interlude_session", "Strict", deployment);
}

/** What a browser keeps while it is away at a provider: Lax, since the way back begins on another site. */
export function signInCookie(deployment: Deployment): SessionCookie {
  return cookie("interlude_signin", "Lax", deployment);
}

function cookie(base: string, sameSite: "Strict" | "Lax", { secure, scope }: Deployment): SessionCookie {
  const suffix = scope === undefined ? "" : `_${scope.replace(/[^A-Za-z0-9_-]/g, "-")}`;
  const name = `${secure ? "__Host-" : ""}${base}${suffix}`;
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${secure ? "; Secure" : ""}`;
  return {
    name,
    set: (value, maxAgeSeconds) =>
      `${name}=${value}; Max-Age=${Math.max(0, Math.trunc(maxAgeSeconds))}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read: (header) => {
      const pair = (header ?? "").split(";").map((part) => part.trim());
      return pair.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
    },
  };
}
