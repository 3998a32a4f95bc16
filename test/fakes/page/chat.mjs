/* global document, EventSource, location */
import { element, showChildren } from "./element.mjs";
import { callDoor, faultButtons } from "./faults.mjs";
import { field } from "./fields.mjs";
import { messageElement } from "./message.mjs";

const byId = (id) => document.getElementById(id);
/** Each message as it was last shown: one that has not changed is left alone, with its focus. */
const shown = new Map();
const seen = new Map();
let view;
let chosen;
let replyTo;
let shownForm;

const say = (text) => (byId("state").textContent = text);

async function act(body) {
  try {
    const { shown: notice, opened, deliveries } = await callDoor({ method: "POST", path: "person", body });
    say(notice ?? (opened ? `Opens ${opened}` : outcomeOf(deliveries)));
  } catch (error) {
    say(error.message);
  }
}

function outcomeOf(deliveries) {
  const delivery = deliveries.at(-1);
  if (!delivery) return "Nothing was due to Interlude";
  const last = delivery.attempts.at(-1)?.outcome;
  if (!last) return "Held until it is released";
  return last.kind === "answered"
    ? `Interlude took it (${last.status})`
    : `Interlude did not take it: ${last.reason}`;
}

function itemOf(conversation, message) {
  const { messages, people } = conversation;
  const quoted = messages.find(({ id }) => id === message.replyTo);
  const key = JSON.stringify([message, quoted?.text, people.length]);
  const before = shown.get(message.id);
  if (before?.key === key) return before.item;
  const tap = ({ id }) =>
    act({
      act: "tap",
      conversation: conversation.id,
      message: message.id,
      control: id,
      as: byId("author").value,
    });
  const reply = view.provider === "sms" ? undefined : () => beginReply(message);
  const item = messageElement(message, quoted, { tap, reply });
  shown.set(message.id, { key, item });
  return item;
}

function beginReply({ id, author, text }) {
  replyTo = id;
  byId("replying").hidden = false;
  byId("replying-to").textContent = `Reply to ${author}: “${text.slice(0, 60)}”`;
  byId("text").focus();
}

function endReply() {
  replyTo = undefined;
  byId("replying").hidden = true;
}

function choose(id) {
  if (id === chosen) return;
  chosen = id;
  shown.clear();
  endReply();
  show();
}

function conversationItem({ id, name, kind, messages }) {
  const last = messages.at(-1);
  const unread = id === chosen ? 0 : messages.length - (seen.get(id) ?? 0);
  const label = element("span", { className: "who" }, element("strong", { textContent: name }));
  label.append(
    element("span", { className: "soft preview", textContent: last?.text.split("\n")[0] ?? "No messages" }),
  );
  const avatar = element("span", {
    className: "avatar",
    textContent: kind === "group" ? "#" : name.slice(0, 1),
  });
  avatar.setAttribute("aria-hidden", "true");
  const attributes = { "aria-label": unread > 0 ? `${name}, ${unread} new` : name };
  const button = element("button", { type: "button", onclick: () => choose(id), attributes }, avatar, label);
  if (unread > 0) button.append(element("span", { className: "unread", textContent: String(unread) }));
  if (id === chosen) button.setAttribute("aria-current", "true");
  return element("li", {}, button);
}

function showConversations() {
  const focused = [...byId("conversations").children].findIndex((item) =>
    item.contains(document.activeElement),
  );
  byId("conversations").replaceChildren(...view.conversations.map(conversationItem));
  byId("conversations").children[focused]?.querySelector("button")?.focus();
}

function showPeople({ people }) {
  const author = byId("author").value;
  byId("author").replaceChildren(
    ...people.map(({ id, name }) => element("option", { value: id, textContent: name })),
  );
  if (people.some(({ id }) => id === author)) byId("author").value = author;
  byId("speaker").hidden = people.length < 2;
}

function show() {
  document.documentElement.dataset.provider = view.provider;
  document.title = `${view.title} (stand-in)`;
  byId("title").textContent = view.title;
  const others = view.others.map(({ title, url }) => {
    const isHere = new URL(url).origin === location.origin;
    const attributes = isHere ? { "aria-current": "page" } : {};
    return element("li", {}, element("a", { href: url, textContent: title, attributes }));
  });
  byId("others").replaceChildren(...others);
  chosen ??= view.conversations[0]?.id;
  const conversation = view.conversations.find(({ id }) => id === chosen) ?? view.conversations[0];
  if (!conversation) return;
  chosen = conversation.id;
  seen.set(chosen, conversation.messages.length);
  showConversations();
  byId("name").textContent = conversation.name;
  const log = byId("log");
  const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  const before = byId("messages").children.length;
  showChildren(
    byId("messages"),
    conversation.messages.map((message) => itemOf(conversation, message)),
  );
  if (wasAtEnd || before === 0) log.scrollTop = log.scrollHeight;
  showPeople(conversation);
  showForm();
}

function valuesOf(form) {
  return Object.fromEntries(
    [...form.elements].filter(({ name }) => name).map(({ name, value }) => [name, value]),
  );
}

/** Built anew only when it changed, so that what is being typed stays. */
function showForm() {
  const dialog = byId("form");
  const next = JSON.stringify(view.form);
  if (next === shownForm) return;
  shownForm = next;
  if (!view.form) return dialog.close();
  const { id, title, submit, texts, fields, buttons: others = [] } = view.form;
  // The same step with faults: what was entered stays.
  const step = JSON.stringify([id, title, fields.map(({ id: name }) => name)]);
  const isOther = dialog.dataset.step !== step;
  const entered = dialog.open && !isOther ? valuesOf(dialog.querySelector("form")) : {};
  dialog.dataset.step = step;
  const heading = element("h2", { id: "form-title", textContent: title });
  const lines = texts.map((text) => element("p", { className: "text", textContent: text }));
  const send = element("button", { type: "submit", textContent: submit });
  const close = element("button", { type: "button", textContent: "Close" });
  close.onclick = () => act({ act: "dismiss", form: id });
  const more = others.map(({ id: button, label }) => {
    const other = element("button", { type: "button", textContent: label });
    other.onclick = () => act({ act: "press", form: id, button, values: valuesOf(form) });
    return other;
  });
  const buttons = element("div", { className: "controls" }, send, ...more, close);
  const form = element("form", {}, heading, ...lines, ...fields.flatMap(field), buttons);
  form.onsubmit = (event) => {
    event.preventDefault();
    void act({ act: "submit", form: id, values: valuesOf(form) });
  };
  dialog.oncancel = (event) => {
    event.preventDefault();
    void act({ act: "dismiss", form: id });
  };
  for (const [name, value] of Object.entries(entered))
    if (form.elements[name]) form.elements[name].value = value;
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
  else if (isOther) (form.querySelector("input, select, textarea") ?? send).focus();
}

byId("no-reply").onclick = endReply;
byId("text").onkeydown = (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId("composer").requestSubmit();
};
byId("composer").onsubmit = (event) => {
  event.preventDefault();
  const text = byId("text").value;
  const reply = replyTo === undefined ? {} : { replyTo };
  byId("text").value = "";
  endReply();
  void act({ act: "type", conversation: chosen, text, as: byId("author").value, ...reply });
};
byId("fault-buttons").append(...faultButtons(say));

const events = new EventSource("/_fake/events");
events.onopen = () => say("Connected");
events.onerror = () => say("The stand-in does not answer");
events.onmessage = ({ data }) => {
  view = JSON.parse(data);
  show();
};
