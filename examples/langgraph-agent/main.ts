import { langgraphDriver } from "@interlude/langgraph";
import { connect } from "@interlude/sdk";
import { HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { readConfig } from "../config.ts";
import { dinnerAgent } from "./agent.ts";

const [, , command, thread = `dinner-${Date.now()}`] = process.argv;
const { url, apiKey, databaseUrl } = readConfig();
const client = connect({ url, apiKey });
const saver = PostgresSaver.fromConnString(databaseUrl, { schema: "example_dinner" });
await saver.setup();
const driver = await langgraphDriver(client, {
  name: "dinner",
  graph: dinnerAgent(saver),
  resumes: command === "work",
  result: (values) => lastOf(values),
  onSettled: ({ threadId, status, values }) => {
    if (status === "finished") console.log(`${threadId}: ${lastOf(values)}`);
  },
  onError: (error) => {
    console.error(error);
  },
});

if (command === "start") {
  const outcome = await driver.start(thread, { messages: [new HumanMessage("Plan the dinner.")] });
  console.log(`${thread} is ${outcome.status}; now this process is killed`);
  process.kill(process.pid, "SIGKILL");
} else {
  console.log("working; Ctrl-C ends");
  process.once("SIGINT", () => {
    driver
      .stop()
      .then(() => client.close())
      .then(() => saver.end())
      .catch(console.error);
  });
}

function lastOf(values: unknown): string {
  const { messages } = values as { messages: BaseMessage[] };
  return messages.at(-1)?.text ?? "";
}
