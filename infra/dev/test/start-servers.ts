/** A program that starts both servers in a home and leaves them running until it is killed. */
import { describeMachine, startNats, startPostgres } from "../src/index.ts";

const [home = "", tie = ""] = process.argv.slice(2);
const diesWithParent = tie === "tied";
const machine = describeMachine(process.env);
const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const [nats, postgres] = await Promise.all([
  startNats({ home, machine, report, diesWithParent }),
  startPostgres({ home, machine, report, fsync: false, diesWithParent }),
]);
// Before anything is printed: whoever reads it may end this process at once.
process.on("SIGTERM", () => {
  void Promise.all([nats.stop(), postgres.stop()]).then(() => process.exit(0));
});
process.stdout.write(
  `${JSON.stringify({ nats: { url: nats.url, pid: nats.pid }, postgres: { url: postgres.url, pid: postgres.pid }, uid: process.getuid?.() })}\n`,
);
setInterval(() => undefined, 60_000);
