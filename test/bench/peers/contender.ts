/** One thing that keeps runs waiting: it is started in a process of its own and told what to do there. */
export type Contender = {
  /** Starts a run that asks; resolves once it waits and that is stored. */
  park(): Promise<Waiting>;
  /** Another process than the application's that belongs to it and is not told of otherwise. */
  serverPid?: number | undefined;
  close(): Promise<void>;
};

/** A run that waits for an answer from outside. */
export type Waiting = {
  /** Whoever goes on with the run stands ready from now on; resolves when its code after the question runs. */
  continued(): Promise<Continued>;
  answer(): Promise<void>;
};

export type Continued = {
  /** By `performance.now()` of the application's process. */
  atMs: number;
  /** The end of the run is stored. */
  finished: Promise<unknown>;
};
