export type Sent = {
  method?: string;
  /** API key. */
  key?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
};

export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  /** The body as a JSON object; `{}` where it is none. */
  json: Record<string, unknown>;
};

/** One request, read to its end; a body makes it a POST. */
export async function send(url: string, sent: Sent = {}): Promise<Reply> {
  const { key, json, body } = sent;
  const hasBody = json !== undefined || body !== undefined;
  const response = await fetch(url, {
    method: sent.method ?? (hasBody ? "POST" : "GET"),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...sent.headers,
    },
    ...(hasBody ? { body: body ?? JSON.stringify(json) } : {}),
    redirect: "manual",
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: objectOf(text) };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return {};
    const entries: [string, unknown][] = Object.entries(parsed);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
