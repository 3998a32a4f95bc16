import { ServiceFailure } from "@interlude/kernel";

const UNREACHABLE =
  /^(E[A-Z_]+|CONNECT_TIMEOUT|CONNECTION_[A-Z_]+|08...|25006|40001|40P01|53...|55P03|57...|58...)$/;
/** Wrong credentials, no such database, missing tables, columns, functions or rights: waiting does not help. */
const UNFIT = /^(28...|3D000|3F000|42P01|42703|42883|42501)$/;

/** What an error of the driver means to its caller; `undefined`: a defect of ours, to be thrown on as it is. */
export function databaseFailure(error: unknown): ServiceFailure | undefined {
  if (error instanceof ServiceFailure) return error;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const context = { sqlstate: code };
  if (UNFIT.test(code)) {
    const message = `the database is not ready for this version (${textOf(error)}): run \`interlude provision\``;
    return new ServiceFailure("database_unfit", { retry: "never", context, cause: error, message });
  }
  if (UNREACHABLE.test(code)) {
    const message = `Postgres is away (${code})`;
    return new ServiceFailure("database_unavailable", { retry: "later", context, cause: error, message });
  }
  return undefined;
}

/** Awaits `work` and throws what its error means. */
export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw databaseFailure(error) ?? error;
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
