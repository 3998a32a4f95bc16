/** What a browser does about redirects and cookies, one step at a time. */
export type Visitor = {
  /** One request with the cookies of its origin; those that come are kept. */
  visit: (url: string, form?: Readonly<Record<string, string>>, method?: string) => Promise<Visit>;
  cookies: (url: string) => ReadonlyMap<string, string>;
  keep: (url: string, name: string, value: string) => void;
};

export type Visit = { status: number; location: string; setCookies: readonly string[]; text: string };

export function newVisitor(): Visitor {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  return {
    cookies: jarOf,
    keep: (url, name, value) => void jarOf(url).set(name, value),
    async visit(url, form, method) {
      const jar = jarOf(url);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(url, {
        method: method ?? (form === undefined ? "GET" : "POST"),
        headers: cookie === "" ? {} : { cookie },
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
        redirect: "manual",
      });
      const setCookies = response.headers.getSetCookie();
      for (const each of setCookies) store(jar, each);
      const location = response.headers.get("location");
      return {
        status: response.status,
        location: location === null ? "" : new URL(location, url).href,
        setCookies,
        text: await response.text(),
      };
    },
  };
}

function store(jar: Map<string, string>, setCookie: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
  if (value === "" || /max-age=0/i.test(setCookie)) jar.delete(name);
  else jar.set(name, value);
}
