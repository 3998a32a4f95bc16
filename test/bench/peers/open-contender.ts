import type { Contender } from "./contender.ts";
import type { Contestant } from "./protocol.ts";

/** Loads only what it is: another's packages would be memory of this one. */
export async function openContender(contestant: Contestant): Promise<Contender> {
  switch (contestant.name) {
    case "interlude":
      return (await import("./interlude.ts")).openInterlude(contestant);
    case "dbos":
      return (await import("./dbos.ts")).openDbos(contestant.databaseUrl);
    case "langgraph":
      return (await import("./langgraph.ts")).openLangGraph(contestant.databaseUrl);
    case "graphile-worker":
      return (await import("./graphile-worker.ts")).openGraphileWorker(contestant.databaseUrl);
    case "restate":
      return (await import("./restate.ts")).openRestate(contestant.program, contestant.folder);
  }
}
