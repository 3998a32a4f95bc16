import { type Clock, ServiceFailure } from "@interlude/kernel";

/** A reading of the server's clock: its time, and the local times before and after asking. */
export type ClockReading = { serverMs: number; beforeMs: number; afterMs: number };

const SLEW_ABOVE_MS = 2_000;
/** Slewing closes a jump at this many milliseconds per second of local time. */
const SLEW_RATE_MS_PER_S = 50;

/**
 * Local time plus the offset to the log's server. A jump of over two seconds is approached gradually and
 * told, since deadlines that leap would end questions that were open a moment ago.
 */
export class LogClock implements Clock {
  readonly #localNowMs: () => number;
  readonly #wallNowMs: () => number;
  readonly #onJump: (jumpMs: number) => void;
  #offsetMs: number | undefined;
  #targetMs = 0;
  #slewedAtMs = 0;

  /** `localNowMs` must not step; `wallNowMs` may, and is only compared with. */
  constructor(localNowMs: () => number, onJump: (jumpMs: number) => void, wallNowMs = localNowMs) {
    this.#localNowMs = localNowMs;
    this.#wallNowMs = wallNowMs;
    this.#onJump = onJump;
  }

  /** Takes a reading; half its round trip is its error, and one that agrees within that tells nothing new. */
  read(reading: ClockReading): void {
    const measured = reading.serverMs - (reading.beforeMs + reading.afterMs) / 2;
    const errorMs = (reading.afterMs - reading.beforeMs) / 2;
    if (this.#offsetMs === undefined) {
      this.#offsetMs = measured;
      this.#targetMs = measured;
      return;
    }
    this.#slew();
    // A slow answer of a busy server would otherwise move a clock that a quick one had set right.
    if (Math.abs(measured - this.#targetMs) <= errorMs) return;
    const jump = measured - this.#offsetMs;
    this.#targetMs = measured;
    if (Math.abs(jump) <= SLEW_ABOVE_MS) this.#offsetMs = measured;
    else this.#onJump(jump);
    this.#slewedAtMs = this.#localNowMs();
  }

  #slew(): void {
    if (this.#offsetMs === undefined || this.#offsetMs === this.#targetMs) return;
    const localMs = this.#localNowMs();
    const step = Math.max(0, ((localMs - this.#slewedAtMs) / 1_000) * SLEW_RATE_MS_PER_S);
    const gap = this.#targetMs - this.#offsetMs;
    this.#offsetMs = Math.abs(gap) <= step ? this.#targetMs : this.#offsetMs + Math.sign(gap) * step;
    this.#slewedAtMs = localMs;
  }

  get isKnown(): boolean {
    return this.#offsetMs !== undefined;
  }

  /** Log time minus the machine's clock as it is set now, for the skew metric. */
  get skewMs(): number {
    return this.#offsetMs === undefined ? 0 : this.#offsetMs + this.#localNowMs() - this.#wallNowMs();
  }

  /** @throws ServiceFailure `clock_unknown` before the first reading. */
  nowMs(): number {
    this.#slew();
    if (this.#offsetMs === undefined) throw new ServiceFailure("clock_unknown", { retry: "later" });
    return this.#localNowMs() + this.#offsetMs;
  }
}
