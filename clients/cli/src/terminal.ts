import type { InterludeError } from "@interlude/sdk";
import { contractNames } from "./contract-names.ts";
import { safeJson, safeText } from "./safe-text.ts";

/** What a command needs from the process around it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Columns of the terminal; undefined where the output is no terminal. */
  readonly columns: number | undefined;
  writeOut(text: string): void;
  writeError(text: string): void;
  /** The whole of standard input. */
  readInput(): Promise<string>;
  /** Aborted with `Interrupted` from the first signal on that asks this program to end. */
  interruption(): AbortSignal;
}

/** Everything that is printed passes here: for people made harmless, for programs as JSON. */
export class Terminal {
  readonly isJson: boolean;
  readonly #around: Surroundings;

  constructor(around: Surroundings, isJson: boolean) {
    this.#around = around;
    this.isJson = isJson;
  }

  /** A text for people; in JSON mode nothing, since standard output then holds one document. */
  say(text: string): void {
    if (!this.isJson) this.#around.writeOut(`${safeText(text)}\n`);
  }

  /** The one document of a command in JSON mode, or one line of a stream. */
  document(value: unknown): void {
    if (this.isJson) this.#around.writeOut(`${safeJson(contractNames(value))}\n`);
  }

  /** What is going on, where it is not the result. */
  note(text: string): void {
    if (!this.isJson) this.#around.writeError(`interlude: ${safeText(text)}\n`);
  }

  fail(error: InterludeError): void {
    const { code, status, detail, errors, requestId, interactionId } = error;
    if (this.isJson) {
      this.document({ error: { code, status, detail, errors, requestId, interactionId } });
      return;
    }
    const faults = errors.map((fault) => `  ${fault.path === "" ? "body" : fault.path}: ${fault.message}`);
    const about = requestId === undefined ? "" : ` [request ${requestId}]`;
    this.#around.writeError(`${safeText([`interlude: ${detail}${about}`, ...faults].join("\n"))}\n`);
  }
}
