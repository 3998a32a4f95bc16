export { type AnswerGatewayDeps, createAnswerGateway } from "./service.ts";
export { openRevocations, type Revocations } from "./application/revocations.ts";
export { makeLink } from "./application/sign-in.ts";
