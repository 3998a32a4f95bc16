export { channelContract, type ChannelContract } from "./channel-contract.ts";
