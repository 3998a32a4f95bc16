import { ServiceFailure } from "@interlude/kernel";
import { describeMachine, obtainRedisServer, type Report } from "@interlude/infra-dev";
import { startOwnRedis } from "./own-server.ts";

const report: Report = (line) => process.stderr.write(`${line}\n`);

/** Whether there is a Redis to test on; when not, tests that need it are skipped by name. */
export async function canHaveRedis(): Promise<boolean> {
  return givenUrl() !== undefined || (await canStartRedis());
}

/** Whether this machine has a server or can get one, which a test may also kill. */
export async function canStartRedis(): Promise<boolean> {
  try {
    await obtainRedisServer(describeMachine(process.env), report);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceFailure) || error.code !== "server_unobtainable") throw error;
    report(error.message);
    return false;
  }
}

/**
 * The server of `REDIS_URL` as it is, to be shared with whoever uses it, or one of the file's own.
 * Tests keep to keys of their own below a prefix.
 */
export async function startRedisForTests(): Promise<{ url: string; stop(): Promise<void> }> {
  const url = givenUrl();
  return url === undefined ? startOwnRedis() : { url, stop: () => Promise.resolve() };
}

function givenUrl(): string | undefined {
  const url = process.env["REDIS_URL"];
  return url === "" ? undefined : url;
}
