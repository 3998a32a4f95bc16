export { openChannel } from "./webhook-channel.ts";
