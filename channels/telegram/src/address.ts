/** A chat's id, or the public name of a group or channel. */
export const CHAT_SHAPE = /^(?:-?[1-9]\d{0,15}|@[A-Za-z][A-Za-z0-9_]{3,31})$/;

/** Names differ in nothing but case. */
export function telegramAddress(recipient: string): string {
  return recipient.startsWith("@") ? recipient.toLowerCase() : recipient;
}

/** As the API takes it: ids are numbers. */
export function chatId(recipient: string): string | number {
  return recipient.startsWith("@") ? recipient : Number(recipient);
}

/** Ids of people are positive; those of groups and channels are negative. */
export function isPrivateChat(recipient: string): boolean {
  return /^\d+$/.test(recipient);
}
