import type { SubmittedStep } from "@interlude/channel-kit";

/** What a modal belongs to: it comes back with it, since Slack does not say where it was opened. */
export type FormMetadata = Readonly<{
  reference: string;
  address: string;
  step?: Pick<SubmittedStep, "page" | "of" | "first" | "kept">;
}>;

/** An update's id is a digest; the fifty pages that a form may have leave room for all of them. */
const STEP = /^(\d{1,2})\/(\d{1,2})\/(\d{1,3})$/;
const KEPT = /^(?:[\w-]{43})?$/;

export function writeMetadata({ reference, address, step }: FormMetadata): string {
  if (step === undefined) return `${reference} ${address}`;
  const { page, of, first, kept } = step;
  return `${reference} ${address} ${page}/${of}/${first} ${kept.join(",")}`;
}

export function readMetadata(text: string): FormMetadata | undefined {
  const [reference = "", address = "", at, ids = ""] = text.split(" ");
  if (reference === "" || address === "") return undefined;
  if (at === undefined) return { reference, address };
  const [, page, of, first] = STEP.exec(at) ?? [];
  const kept = ids.split(",");
  if (page === undefined || !kept.every((id) => KEPT.test(id))) return undefined;
  const step = { page: Number(page), of: Number(of), first: Number(first), kept };
  const isWhole = step.page < step.of && kept.length === step.of;
  return isWhole ? { reference, address, step } : undefined;
}
