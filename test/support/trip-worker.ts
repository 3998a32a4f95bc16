import { langgraphDriver } from "@interlude/langgraph";
import { connect } from "@interlude/sdk";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { tripGraph } from "./trip-graph.ts";

/** A worker in a process of its own, which a test may kill: it says that the graph has come to rest, and hangs. */
const { URL: url = "", KEY: apiKey = "", NAME: name = "", DATABASE: database = "" } = process.env;
const client = connect({ url, apiKey });
await langgraphDriver(client, {
  name,
  graph: tripGraph(PostgresSaver.fromConnString(database)),
  onSettled: async () => {
    process.stdout.write("settled\n");
    await new Promise(() => undefined);
  },
});
