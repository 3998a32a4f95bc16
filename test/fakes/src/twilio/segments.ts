import { SEGMENTS } from "./limits.ts";

const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
const TWO_UNITS = /[\^{}\\[~\]|€]/g;

export function countSegments(text: string): number {
  const isGsm = GSM.test(text);
  const { alone, joined } = isGsm ? SEGMENTS.gsm : SEGMENTS.unicode;
  const units = text.length + (isGsm ? (text.match(TWO_UNITS)?.length ?? 0) : 0);
  return units <= alone ? 1 : Math.ceil(units / joined);
}
