import { element } from "./element.mjs";

/** A form's field with its label, hint and fault. */
export function field({ id, label, kind, isRequired, isLong, value = "", hint, options = [], error }) {
  const about = [hint && `${id}-hint`, error && `${id}-fault`].filter(Boolean).join(" ");
  const attributes = {
    ...(about && { "aria-describedby": about }),
    ...(error && { "aria-invalid": "true" }),
  };
  const common = { id, name: id, required: isRequired, attributes };
  let control;
  if (kind === "choice") {
    const empty = element("option", { value: "", textContent: "Choose…" });
    const choices = options.map((each) => element("option", { value: each.value, textContent: each.label }));
    control = element("select", common, empty, ...choices);
  } else {
    control = element(isLong ? "textarea" : "input", common);
    if (kind === "number") control.inputMode = "decimal";
  }
  control.value = value;
  const title = element("label", { htmlFor: id, textContent: isRequired ? label : `${label} (optional)` });
  const notes = [];
  if (hint) notes.push(element("span", { id: `${id}-hint`, className: "meta", textContent: hint }));
  if (error) notes.push(element("span", { id: `${id}-fault`, className: "fault", textContent: error }));
  return [title, control, ...notes];
}
