import { announceSignedOut, onSignedOut } from "../api/http.ts";
import { EventStream, type Frame, type StreamStatus } from "./event-stream.ts";

const NAME = "interlude-live";

type Message =
  | { kind: "frame"; frame: Frame }
  | { kind: "status"; status: StreamStatus; lastId: string | undefined }
  | { kind: "signed-out" }
  | { kind: "hello" };

export type TailHandlers = {
  onFrame: (frame: Frame) => void;
  onStatus: (status: StreamStatus, lastId: string | undefined) => void;
  /** Where in the log to begin when nothing was heard yet; undefined begins at its end. */
  begin: () => Promise<string | undefined>;
};

/**
 * One connection a browser: the tab that holds the Web Lock reads the stream and repeats it to the others,
 * which spares the six connections a browser allows an origin. When that tab goes, the next one takes over
 * from the last id it heard. Without locks (no secure context) every tab reads for itself.
 */
export function followSharedTail(handlers: TailHandlers): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel(NAME);
  let lastId: string | undefined;
  let leading: StreamStatus | undefined;
  /** True while a sign-out heard from another tab is passed on, so that it is not sent back. */
  let repeated = false;

  const post = (message: Message): void => {
    if (!stop.signal.aborted) channel.postMessage(message);
  };
  const receive = (frame: Frame): void => {
    if (frame.id !== "") lastId = frame.id;
    handlers.onFrame(frame);
  };

  const lead = async (): Promise<void> => {
    lastId ??= await handlers.begin();
    if (stop.signal.aborted) return;
    const stream = new EventStream(
      {
        onFrame: (frame) => {
          receive(frame);
          post({ kind: "frame", frame });
        },
        onStatus: (status) => {
          leading = status;
          handlers.onStatus(status, lastId);
          post({ kind: "status", status, lastId });
        },
        onSignedOut: announceSignedOut,
      },
      lastId,
    );
    await stream.run(stop.signal);
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    switch (data.kind) {
      case "frame":
        receive(data.frame);
        return;
      case "status":
        lastId = data.lastId ?? lastId;
        handlers.onStatus(data.status, lastId);
        return;
      case "hello":
        if (leading !== undefined) post({ kind: "status", status: leading, lastId });
        return;
      case "signed-out":
        repeated = true;
        announceSignedOut();
        repeated = false;
    }
  };
  post({ kind: "hello" });
  const forget = onSignedOut(() => {
    if (!repeated) post({ kind: "signed-out" });
  });

  if ("locks" in navigator) {
    // Rejects when aborted while still queued, which is how a follower leaves.
    navigator.locks.request(NAME, { signal: stop.signal }, lead).catch(() => undefined);
  } else {
    void lead();
  }
  return () => {
    forget();
    stop.abort();
    channel.close();
  };
}
