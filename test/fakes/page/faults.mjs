import { element } from "./element.mjs";

const once = (fault, said) => ({ method: "POST", path: "faults", body: fault, said });

/** What the stand-in can be told from the page; each is a door of `/_fake` that anybody may call. */
const GROUPS = {
  "The next call of Interlude": {
    "Fails (500)": once({ kind: "fail", status: 500 }, "The next call fails with 500"),
    "Takes 5 s": once({ kind: "delay", ms: 5000 }, "The next call takes 5 s"),
    "Is lost": once({ kind: "drop", when: "before" }, "The next call is dropped and does nothing"),
    "Loses its answer": once({ kind: "drop", when: "after" }, "The next call works, and its answer is lost"),
  },
  "From now on": {
    "429 above one in 10 s": {
      method: "POST",
      path: "rates",
      body: { overall: { count: 1, perMs: 10_000 } },
      said: "A second message within 10 s is refused with 429",
    },
    "A day passes": {
      method: "POST",
      path: "clock",
      body: { ms: 86_400_000 },
      said: "24 hours have passed here",
    },
  },
  "What you do": {
    Hold: { method: "POST", path: "webhooks/hold", body: {}, said: "What you do waits until it is released" },
    "Release in order": {
      method: "POST",
      path: "webhooks/release",
      body: { order: "in_order" },
      said: "Released in order",
    },
    "Release reversed": {
      method: "POST",
      path: "webhooks/release",
      body: { order: "reversed" },
      said: "Released, the last first",
    },
    "Deliver the last again": {
      method: "POST",
      path: "webhooks/redeliver",
      body: {},
      said: "Delivered again",
    },
  },
};
const NORMAL = [
  { method: "DELETE", path: "faults" },
  { method: "POST", path: "rates", body: {} },
  { method: "POST", path: "webhooks/release", body: {} },
];

/** The answer's `result`; a door that refuses says why. */
export async function callDoor({ method, path, body }) {
  const json =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`/_fake/${path}`, { method, ...json });
  const text = await response.text();
  if (response.status === 204) return undefined;
  let answer = {};
  try {
    answer = JSON.parse(text);
  } catch {
    // Not from a door: told as it came.
  }
  if (response.ok) return answer.result;
  throw new Error(answer.error ?? text);
}

export function faultButtons(say) {
  const press = async (calls, said) => {
    try {
      for (const call of calls) await callDoor(call);
      say(said);
    } catch (error) {
      say(error.message);
    }
  };
  const button = (textContent, calls, said) =>
    element("button", { type: "button", textContent, onclick: () => void press(calls, said) });
  const groups = Object.entries(GROUPS).map(([name, entries]) => {
    const buttons = Object.entries(entries).map(([label, call]) => button(label, [call], call.said));
    return element("fieldset", {}, element("legend", { textContent: name }), ...buttons);
  });
  return [...groups, button("Behave again", NORMAL, "Everything is as it should be")];
}
