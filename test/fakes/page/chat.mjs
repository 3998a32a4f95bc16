/* global document, EventSource */
import { element, field } from "./fields.mjs";

const byId = (id) => document.getElementById(id);
const state = byId("state");
let view;
let chosen;
let replyTo;
let shownForm;

async function act(body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/_fake/person", { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  const { error, result } = answer;
  if (error) state.textContent = error;
  else state.textContent = result.shown ?? outcomeOf(result);
}

function outcomeOf({ deliveries, opened }) {
  if (opened) return `Opens ${opened}`;
  const last = deliveries.at(-1)?.attempts.at(-1)?.outcome;
  if (!last) return "No webhook was due";
  return last.kind === "answered" ? `Webhook answered with ${last.status}` : `Webhook failed: ${last.reason}`;
}

function controlOf(conversation, message, { id, label, kind, url }) {
  const tap = () => act({ act: "tap", conversation, message, control: id, as: byId("author").value });
  if (kind !== "link") return element("button", { type: "button", textContent: label, onclick: tap });
  return element("a", { href: url, target: "_blank", rel: "noreferrer", textContent: label, onclick: tap });
}

function messageOf(conversation, message) {
  const { id, author, fromApp, text, media = [], controls = [], reactions = [], status } = message;
  const notes = [author, new Date(message.atMs).toLocaleTimeString()];
  if (message.replyTo) notes.push(`in reply to ${message.replyTo}`);
  if (message.isEdited) notes.push("edited");
  if (message.isPrivate) notes.push("only visible to one person");
  if (status) notes.push(status);
  const item = element("li", { className: fromApp ? "message" : "message own" });
  item.append(element("div", { className: "meta", textContent: notes.join(" · ") }));
  if (text) item.append(element("p", { className: "text", textContent: text, attributes: { dir: "auto" } }));
  for (const { kind, url, name } of media) {
    item.append(element("a", { href: url, rel: "noreferrer", textContent: `${kind}: ${name ?? url}` }));
  }
  if (reactions.length > 0) item.append(element("div", { textContent: reactions.join(" ") }));
  const buttons = controls.map((each) => controlOf(conversation, id, each));
  const reply = () => {
    replyTo = id;
    byId("replying").hidden = false;
    byId("replying-to").textContent = `In reply to “${text.slice(0, 60)}” `;
    byId("text").focus();
  };
  const label = { "aria-label": `Reply to ${author}: ${text.slice(0, 40)}` };
  buttons.push(
    element("button", { type: "button", textContent: "Reply", onclick: reply, attributes: label }),
  );
  item.append(element("div", { className: "controls" }, ...buttons));
  return item;
}

function forget() {
  replyTo = undefined;
  byId("replying").hidden = true;
}

function choose(id) {
  chosen = id;
  forget();
  show();
}

function show() {
  document.title = `${view.title} (fake)`;
  byId("title").textContent = `${view.title} (fake)`;
  chosen ??= view.conversations[0]?.id;
  const items = view.conversations.map(({ id, name, messages }) => {
    const button = element("button", { type: "button", textContent: `${name} (${messages.length})` });
    button.onclick = () => choose(id);
    if (id === chosen) button.setAttribute("aria-current", "true");
    return element("li", {}, button);
  });
  byId("conversations").replaceChildren(...items);
  const conversation = view.conversations.find(({ id }) => id === chosen);
  if (!conversation) return;
  byId("name").textContent = conversation.name;
  byId("messages").replaceChildren(...conversation.messages.map((each) => messageOf(chosen, each)));
  const author = byId("author").value;
  const people = conversation.people.map(({ id, name }) =>
    element("option", { value: id, textContent: name }),
  );
  byId("author").replaceChildren(...people);
  if (conversation.people.some(({ id }) => id === author)) byId("author").value = author;
  showForm();
}

/** Built anew only when it changed, so that what is being typed stays. */
function showForm() {
  const dialog = byId("form");
  const next = JSON.stringify(view.form);
  if (next === shownForm) return;
  shownForm = next;
  if (!view.form) return dialog.close();
  const { id, title, submit, texts, fields } = view.form;
  const heading = element("h2", { id: "form-title", textContent: title });
  const lines = texts.map((text) => element("p", { className: "text", textContent: text }));
  const send = element("button", { type: "submit", textContent: submit });
  const close = element("button", { type: "button", textContent: "Close" });
  close.onclick = () => act({ act: "dismiss", form: id });
  const form = element("form", {}, heading, ...lines, ...fields.flatMap(field), send, close);
  form.onsubmit = (event) => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map(({ id: name }) => [name, form.elements[name].value]));
    void act({ act: "submit", form: id, values });
  };
  dialog.oncancel = (event) => {
    event.preventDefault();
    void act({ act: "dismiss", form: id });
  };
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
}

byId("no-reply").onclick = forget;
byId("composer").onsubmit = (event) => {
  event.preventDefault();
  const text = byId("text").value;
  const reply = replyTo === undefined ? {} : { replyTo };
  byId("text").value = "";
  forget();
  void act({ act: "type", conversation: chosen, text, as: byId("author").value, ...reply });
};

const events = new EventSource("/_fake/events");
events.onopen = () => (state.textContent = "Connected");
events.onerror = () => (state.textContent = "The fake does not answer");
events.onmessage = ({ data }) => {
  view = JSON.parse(data);
  show();
};
