import type { PlainAnswer } from "../core/exchange.ts";
import type { Fields } from "../core/json.ts";
import { FlowRequest, readFlowJson } from "./flow-json.ts";
import { metaError, type StoredFlow, type StoredMessage, type WhatsAppWorld } from "./world.ts";

/** POST …/{waba}/flows: a Flow with a fault in it is kept as a draft, and not published. */
export function createFlow(world: WhatsAppWorld, fields: Fields): PlainAnswer {
  const request = FlowRequest.safeParse(fields);
  if (!request.success) return metaError(400, 100, "Invalid parameter", request.error.issues[0]?.message);
  const { name, flow_json } = request.data;
  if (world.flows.some((flow) => flow.name === name)) {
    return metaError(400, 100, "Invalid parameter", "Flow with the same name already exists");
  }
  const id = String(800_000 + world.flows.length);
  const json = readFlowJson(flow_json);
  if (!json.success) {
    const errors = json.error.issues.map(({ path, message }) => ({
      error: "INVALID_PROPERTY_VALUE",
      error_type: "FLOW_JSON_ERROR",
      message: `${path.join(".")}: ${message}`,
    }));
    return { status: 200, body: { id, success: false, validation_errors: errors } };
  }
  world.flows.push({ id, name, json: json.data });
  return { status: 200, body: { id, success: true, validation_errors: [] } };
}

export function flowParametersOf({ sent }: StoredMessage) {
  if (sent?.type !== "interactive" || sent.interactive.type !== "flow") return undefined;
  return sent.interactive.action.parameters;
}

export function flowOf(world: WhatsAppWorld, message: StoredMessage): StoredFlow | undefined {
  const wanted = flowParametersOf(message);
  return world.flows.find(({ id, name }) => id === wanted?.flow_id || name === wanted?.flow_name);
}
