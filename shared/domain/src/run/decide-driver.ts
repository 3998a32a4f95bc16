import type { DriverRegisteredData } from "@interlude/contract";
import { accept, type Decision, refuse } from "@interlude/kernel";

export type DriverRefusal = { code: "not_found" };

/** What its owner may change of a driver. */
type Told = Pick<DriverRegisteredData, "checkpointer" | "deliver">;

/**
 * A name belongs to the subject that registered it first; to any other it does not exist. Its owner may change
 * the driver, and saying the same again stores nothing.
 */
export function decideRegister(
  wanted: DriverRegisteredData,
  current: DriverRegisteredData | undefined,
): Decision<DriverRegisteredData, DriverRefusal> {
  if (current === undefined) return accept(wanted);
  if (current.owner !== wanted.owner) return refuse({ code: "not_found" });
  return saysTheSame(current, wanted) ? accept() : accept(wanted);
}

function saysTheSame(one: Told, other: Told): boolean {
  return (
    one.checkpointer.kind === other.checkpointer.kind &&
    one.checkpointer.retention_seconds === other.checkpointer.retention_seconds &&
    one.deliver?.url === other.deliver?.url &&
    one.deliver?.secret_ref === other.deliver?.secret_ref
  );
}
