/** Stands for an answer that will come later, in another process perhaps: an async ask gives it at once. */
export class Suspended {
  readonly interactionId: string;
  readonly expiryAt: string;

  constructor(interactionId: string, expiryAt: string) {
    this.interactionId = interactionId;
    this.expiryAt = expiryAt;
  }
}
