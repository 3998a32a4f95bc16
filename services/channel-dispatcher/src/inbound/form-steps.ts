import {
  type Channel,
  type InboundSubmission,
  type ShownStep,
  submittedEntries,
  type SubmittedField,
  type SubmittedStep,
} from "@interlude/channel-kit";
import type { FieldFault } from "@interlude/contract";
import { checkStep, type Form, toFields } from "@interlude/forms";
import { isWithin, type JsonObject } from "@interlude/kernel";
import type { InboundDeps } from "./inbound-work.ts";

type StepForm = Form & Readonly<{ schema: JsonObject }>;

/** A submission of one step, with the conversation that it was kept in. */
export type SentStep = Readonly<{ address: string; submitted: InboundSubmission; step: SubmittedStep }>;

type Kept = Pick<InboundDeps, "kept">;

export const isLastStep = ({ page, of, back }: SubmittedStep): boolean =>
  back === undefined && page === of - 1;

/** What was put into a page before; `undefined`: nothing was, or it has gone. */
async function fieldsOf(
  { kept }: Kept,
  channel: Channel,
  { address, submitted, step }: SentStep,
  page: number,
): Promise<readonly SubmittedField[] | undefined> {
  const id = step.kept[page] ?? "";
  if (id === "") return undefined;
  const update = await kept(channel.name, address, id);
  if (update?.kind !== "submission") return undefined;
  const isIts = update.reference === submitted.reference && update.from === submitted.from;
  return isIts && update.step?.page === page ? update.fields : undefined;
}

/** What was put into all of the pages; `undefined`: a part of it has gone. */
export async function gatherSteps(
  deps: Kept,
  channel: Channel,
  sent: SentStep,
): Promise<readonly SubmittedField[] | undefined> {
  const { submitted, step } = sent;
  const before = Array.from({ length: step.page }, (_, page) => fieldsOf(deps, channel, sent, page));
  const pages = await Promise.all(before);
  const known = pages.filter((fields) => fields !== undefined);
  return known.length < pages.length ? undefined : [...known.flat(), ...submitted.fields];
}

/** Where what was put into the pages is kept, with this step among it. */
function keptWith({ submitted, step }: SentStep): readonly string[] {
  return step.kept.map((id, page) => (page === step.page ? submitted.updateId : id));
}

/** The step after this one, or before it, as the person left it. */
export async function neighbour(deps: Kept, channel: Channel, sent: SentStep): Promise<ShownStep> {
  const page = Math.max(sent.step.page + (sent.step.back === undefined ? 1 : -1), 0);
  const fields = await fieldsOf(deps, channel, sent, page);
  return { page, kept: keptWith(sent), ...(fields === undefined ? {} : { fields }) };
}

export function stepFaults(form: StepForm, { submitted, step }: SentStep): FieldFault[] {
  return checkStep(form, step.page, submittedEntries(form, submitted.fields));
}

/**
 * What the whole form is refused for, as the person can mend it: here, or on the first page that something is wrong
 * with, to which it then goes back.
 */
export async function faultsByStep(
  deps: Kept,
  channel: Channel,
  sent: SentStep,
  { form, faults }: { form: StepForm; faults: readonly FieldFault[] },
): Promise<{ here: readonly FieldFault[] } | { elsewhere: ShownStep }> {
  const { page: current } = sent.step;
  const pageOf = pagesOf(form);
  const here = faults.filter(({ path }) => pageOf(path) === current);
  const pages = faults.flatMap(({ path }) => pageOf(path) ?? []);
  if (here.length > 0 || pages.length === 0) {
    return { here: faults.filter(({ path }) => (pageOf(path) ?? current) === current) };
  }
  const page = Math.min(...pages);
  const told = faults.filter(({ path }) => (pageOf(path) ?? page) === page);
  const fields = await fieldsOf(deps, channel, sent, page);
  const notice = told.map(({ message }) => message).join("\n");
  return { elsewhere: { page, kept: keptWith(sent), notice, ...(fields === undefined ? {} : { fields }) } };
}

/** The page that a fault is on; of the whole form, none. */
function pagesOf({ schema, ...overlay }: StepForm): (path: string) => number | undefined {
  const { pages } = toFields(schema, overlay);
  return (path) => {
    const page = pages.findIndex(({ fields }) => fields.some(({ pointer: at }) => isWithin(path, at)));
    return page < 0 ? undefined : page;
  };
}
