export { channelContract, type ChannelContract } from "./channel-contract.ts";
export { goldenNotifications, goldenQuestions } from "./golden-questions.ts";
export { sendingContract, type SendingContract } from "./sending-contract.ts";
export { withProvider, type FakeProvider } from "./loopback-provider.ts";
