/** A request as it came in, before anybody has judged it. */
export type Received = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  rawBody: Buffer;
}>;

export type PlainAnswer = Readonly<{
  kind?: "answer";
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  body?: string | Buffer | Readonly<Record<string, unknown>> | readonly unknown[];
}>;

export type Answer =
  | PlainAnswer
  /** The connection is closed without a byte. */
  | Readonly<{ kind: "drop" }>
  /** The connection stays open: what is written goes out as it comes. Returns what to do when it closes. */
  | Readonly<{
      kind: "stream";
      headers: Readonly<Record<string, string>>;
      open: (write: (chunk: string) => void) => () => void;
    }>;

export type Handle = (received: Received) => Answer | Promise<Answer>;
