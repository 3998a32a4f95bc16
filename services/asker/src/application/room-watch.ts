import type { LogRoom } from "@interlude/event-log";

/** Asks stop here, so that the room left is for the answers. */
const NEARLY_FULL = 0.95;
/** From here on the log is looked at often: others ask too. */
const FILLING = 0.75;
const LOOK_EVERY_MS = 5_000;
const LOOK_OFTEN_MS = 200;
/** Headers, subject and what the log keeps for each event beside its payload. */
const BESIDE_BYTES = 1_024;

/** Keeps questions from taking the room that the log has for answers, between two looks at it too. */
export type RoomWatch = {
  /** Counts on the bytes of a question; `false`: there is no room for it. */
  hasRoomFor(bytes: number): boolean;
  /** Returns after the first look. @throws what `look` does */
  start(): Promise<void>;
  stop(): void;
};

export function createRoomWatch(
  look: () => Promise<LogRoom>,
  onNearlyFull: (fullness: number) => void,
): RoomWatch {
  let room: LogRoom = { bytes: 0, maxBytes: Infinity };
  /** Asked since the last look began. */
  let asked = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const fullness = () => (room.bytes + asked) / room.maxBytes;

  async function lookOnce(): Promise<void> {
    const before = asked;
    room = await look();
    asked -= before;
    if (fullness() >= NEARLY_FULL) onNearlyFull(fullness());
  }

  function lookAgain(): void {
    if (isStopped) return;
    const afterMs = fullness() >= FILLING ? LOOK_OFTEN_MS : LOOK_EVERY_MS;
    timer = setTimeout(
      () =>
        void lookOnce()
          .catch(() => undefined)
          .finally(lookAgain),
      afterMs,
    );
  }

  return {
    hasRoomFor(bytes) {
      if (fullness() >= NEARLY_FULL) return false;
      asked += bytes + BESIDE_BYTES;
      return true;
    },
    async start() {
      await lookOnce();
      lookAgain();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
