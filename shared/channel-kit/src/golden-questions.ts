import type { MediaItem } from "@interlude/contract";
import type { OutgoingNotification, OutgoingQuestion, QuestionFormat } from "./question.ts";

const PAGE = "https://ask.example/api/interactions/callback/k1.abc.def.ghi";
const FORM = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name", description: "As on the contract", maxLength: 40 },
    remarks: { type: "string", maxLength: 2000 },
    region: { type: "string", enum: ["eu", "us"] },
    count: { type: "integer", minimum: 1 },
    price: { type: "number" },
    agree: { type: "boolean", title: "I agree" },
    day: { type: "string", format: "date" },
  },
  required: ["name", "agree"],
};
const MEDIA: readonly MediaItem[] = [
  { kind: "image", url: "https://files.example/plan.png", caption: "The plan & <more>" },
  { kind: "document", url: "https://files.example/offer.pdf", filename: "offer.pdf", caption: "The offer" },
  { kind: "document", url: "https://files.example/terms.pdf", filename: "terms.pdf" },
  { kind: "video", url: "https://files.example/tour.mp4" },
  { kind: "audio", url: "https://files.example/note.mp3", caption: "A note" },
  { kind: "link", url: "http://wiki.example/page?a=1&b=2", caption: "Background" },
];

type Case = QuestionFormat & { question?: string; media?: readonly MediaItem[] };

const CASES: Readonly<Record<string, Case>> = {
  text: { format: "text" },
  "text-with-replies": { format: "text", options: ["Soon", { value: "later", label: "Not today" }] },
  "text-with-four-replies": { format: "text", options: ["A", "B", "C", "D"] },
  "text-markup": {
    format: "text",
    question: "Send to first_name.last_name@example.com? (cost: *5-10* [est.] `x) & <@U1> <!channel>",
  },
  confirm: { format: "confirm" },
  "confirm-emoji-and-right-to-left": { format: "confirm", question: "👨‍👩‍👧‍👦 האם לאשר את 12 ההזמנות?" },
  "select-of-three": { format: "select", options: ["North", { value: "s", label: "South" }, "East"] },
  "select-of-four": { format: "select", options: ["North", "South", "East", "West"] },
  "select-of-six": { format: "select", options: ["1st", "2nd", "3rd", "4th", "5th", "6th"] },
  "select-of-numbers": {
    format: "select",
    options: ["10", "20", "30", "40", "50", "60", "70", "80", "90", "100", "110"],
  },
  "select-of-long-labels": {
    format: "select",
    options: [
      "Approve with the standard conditions of the contract and all of its annexes, as agreed",
      "Approve with the special conditions of the contract and all of its annexes, as agreed",
    ],
  },
  "select-in-cyrillic": { format: "select", options: ["Дизайн и медиа, договор номер 1234567890", "A", "B"] },
  form: {
    format: "form",
    schema: FORM,
    data: {
      values: { name: "Ada", count: 3, agree: true },
      options: {
        region: [{ value: "eu", label: "Europe" }, { value: "us" }, { value: "ap", label: "Asia" }],
      },
    },
    pages: [
      { title: "You", properties: ["name", "region", "agree"] },
      { title: "The order", properties: ["count", "price", "day", "remarks"] },
    ],
  },
  external: { format: "external", linkUrl: "https://sign.example/doc?callback=https%3A%2F%2Fask.example" },
  "external-on-our-page": { format: "external" },
  media: { format: "confirm", media: MEDIA },
  "media-over-text": { format: "text", media: MEDIA },
};

/** The questions whose renderings are kept as golden files, by the file's name. */
export function goldenQuestions(recipient: string): [string, OutgoingQuestion][] {
  return Object.entries(CASES).map(([name, each]) => [
    name,
    {
      question: "Ship release 1.4?",
      reference: "0198c1d2-0000-7000-8000-000000000000",
      recipient,
      pageUrl: PAGE,
      deadlineMs: 1_800_000_000_000,
      ...each,
    },
  ]);
}

export function goldenNotifications(recipient: string): [string, OutgoingNotification][] {
  const common = { reference: "n-0198c1d2", recipient, message: "The build is done." };
  return [
    ["notification", common],
    [
      "notification-with-replies",
      { ...common, options: ["Thanks", { value: "why", label: "Tell me more" }] },
    ],
    ["notification-with-media", { ...common, media: MEDIA.slice(0, 2) }],
    [
      "notification-with-form",
      { ...common, form: { schema: FORM, pageUrl: "https://ask.example/api/notifications/form/t" } },
    ],
  ];
}
