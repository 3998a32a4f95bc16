export { channelContract, type ChannelContract } from "./channel-contract.ts";
export { goldenNotifications, goldenQuestions } from "./golden-questions.ts";
export { withProvider, type FakeProvider } from "./loopback-provider.ts";
