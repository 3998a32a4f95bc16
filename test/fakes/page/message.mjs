import { element } from "./element.mjs";

const ADDRESS = /https?:\/\/[^\s<>]+[^\s<>.,;:!?)\]]/g;
const PICTURES = ["image", "photo", "media"];

/** The text with its addresses as links, as every chat shows them. */
function textOf(text) {
  const parts = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(ADDRESS)) {
    parts.push(
      text.slice(end, index),
      element("a", { href: url, target: "_blank", rel: "noreferrer", textContent: url }),
    );
    end = index + url.length;
  }
  return element("p", { className: "text", attributes: { dir: "auto" } }, ...parts, text.slice(end));
}

function mediaOf({ kind, url, name }) {
  const link = element("a", { href: url, target: "_blank", rel: "noreferrer", className: "media" });
  const asText = () => link.replaceChildren(`${kind}: ${name ?? url}`);
  if (!PICTURES.includes(kind) || url === "") {
    asText();
    return link;
  }
  // Not every file that a provider takes is a picture that a browser shows.
  link.append(
    element("img", { alt: name ?? "picture", referrerPolicy: "no-referrer", onerror: asText, src: url }),
  );
  return link;
}

/** Buttons side by side; a list's rows behind the button that opens the list. */
function controlsOf(controls, tap) {
  const lists = new Map();
  const shown = [];
  for (const control of controls) {
    const { label, kind, url, detail, list } = control;
    const onclick = () => tap(control);
    if (kind === "link") {
      shown.push(
        element("a", {
          href: url,
          target: "_blank",
          rel: "noreferrer",
          className: "button",
          textContent: label,
          onclick,
        }),
      );
      continue;
    }
    const about =
      detail === undefined ? [] : [element("span", { className: "soft", textContent: ` ${detail}` })];
    const button = element("button", { type: "button", onclick }, label, ...about);
    if (list === undefined) {
      shown.push(button);
      continue;
    }
    let rows = lists.get(list);
    if (rows === undefined) {
      rows = element("div", { className: "rows" });
      lists.set(list, rows);
      shown.push(element("details", { className: "list" }, element("summary", { textContent: list }), rows));
    }
    rows.append(button);
  }
  return element("div", { className: "controls" }, ...shown);
}

function notesOf({ author, fromApp, atMs, isEdited, isPrivate, status }) {
  const time = new Date(atMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const notes = [...(fromApp ? [] : [author]), time];
  if (isEdited) notes.push("edited");
  if (isPrivate) notes.push("only you see this");
  if (status) notes.push(status);
  return notes.join(" · ");
}

/** One message; `quoted` is the one that it replies to, `act` what can be done with it. */
export function messageElement(message, quoted, act) {
  const { author, fromApp, text, media = [], controls = [], reactions = [], isPrivate } = message;
  const item = element("li", { className: fromApp ? "message" : "message own" });
  if (isPrivate) item.classList.add("private");
  if (fromApp) item.append(element("div", { className: "author", textContent: author }));
  if (quoted)
    item.append(element("blockquote", { textContent: `${quoted.author}: ${quoted.text.slice(0, 90)}` }));
  item.append(...media.map(mediaOf));
  if (text) item.append(textOf(text));
  if (controls.length > 0) item.append(controlsOf(controls, act.tap));
  if (reactions.length > 0)
    item.append(element("div", { className: "reactions", textContent: reactions.join(" ") }));
  const foot = element("div", { className: "meta" }, notesOf(message));
  if (act.reply) {
    const attributes = { "aria-label": `Reply to ${author}: ${text.slice(0, 40)}` };
    foot.append(
      element("button", {
        type: "button",
        className: "quiet",
        textContent: "Reply",
        onclick: act.reply,
        attributes,
      }),
    );
  }
  item.append(foot);
  return item;
}
