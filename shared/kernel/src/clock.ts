/** Milliseconds since the epoch by the log's clock, the only clock that decides. */
export interface Clock {
  nowMs(): number;
}
