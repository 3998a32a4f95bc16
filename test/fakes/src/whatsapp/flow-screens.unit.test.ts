import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fields } from "../core/json.ts";
import { readFlowJson } from "./flow-json.ts";
import { startWhatsAppFake, type WhatsAppFake } from "./start-whatsapp-fake.ts";

const ADA = "15550001001";
const text = { type: "string", __example__: "Example" } as const;
const city = { type: "TextInput", name: "city", label: "City", required: true, "input-type": "text" };
const size = { type: "Dropdown", name: "size", label: "Size", "data-source": "${data.sizes}" };
const sizes = {
  type: "array",
  items: { type: "object", properties: { id: { type: "string" }, title: { type: "string" } } },
  __example__: [{ id: "0", title: "Example" }],
};
const initial = {
  type: "object",
  properties: { city: { type: "string" } },
  __example__: { city: "Example" },
};

const onward = {
  name: "navigate",
  next: { type: "screen", name: "PAGE_B" },
  payload: { city: "${form.city}", sizes: "${data.sizes}" },
};
const whole = { name: "complete", payload: { city: "${data.city}", size: "${form.size}" } };

function screen(id: string, children: Fields[], action: Fields, rest: Fields): Fields {
  const { "init-values": initials, ...others } = rest;
  const footer = { type: "Footer", label: "Go on", "on-click-action": action };
  const form = {
    ...{ type: "Form", name: "form", children: [...children, footer] },
    ...(initials === undefined ? {} : { "init-values": initials }),
  };
  return { id, title: id, ...others, layout: { type: "SingleColumnLayout", children: [form] } };
}

type Parts = { first?: Fields; second?: Fields; go?: Fields; end?: Fields; more?: Fields[] };
const flowJson = ({ first = {}, second = {}, go = onward, end = whole, more = [] }: Parts = {}): string =>
  JSON.stringify({
    version: "7.0",
    screens: [
      screen("PAGE_A", [city], go, { data: { sizes, initial }, "init-values": "${data.initial}", ...first }),
      screen("PAGE_B", [size], end, { terminal: true, data: { city: text, sizes }, ...second }),
      ...more,
    ],
  });

describe("a Flow of several screens", () => {
  it("is taken where each hands the next what it says that it has", () => {
    expect(readFlowJson(flowJson()).error).toBeUndefined();
  });

  it.each<[string, Parts, string]>([
    ["no terminal screen", { second: { terminal: false } }, "There must be a terminal screen"],
    ["a way to nowhere", { go: { ...onward, next: { type: "screen", name: "X" } } }, 'Screen "X" is unknown'],
    [
      "a way back",
      { end: { ...onward, next: { type: "screen", name: "PAGE_A" }, payload: {} } },
      'Screen "PAGE_B" leads back to "PAGE_A"',
    ],
    ["an end before the end", { go: whole }, '"complete" on screen "PAGE_A"'],
    [
      "a screen that nothing leads to",
      { more: [screen("PAGE_C", [city], { name: "complete", payload: {} }, { terminal: true })] },
      'Screen "PAGE_C" is not reached',
    ],
    [
      "data that nothing hands over",
      { go: { ...onward, payload: { city: "${form.city}" } } },
      'Screen "PAGE_B" is not handed "sizes"',
    ],
    [
      "data that the next screen has not",
      { second: { data: { sizes } }, end: { ...whole, payload: {} } },
      'Screen "PAGE_B" has no data "city"',
    ],
    ["a field of another screen", { end: { ...whole, payload: { city: "${form.city}" } } }, "${form.city}"],
    ["data that is not there", { first: { data: { sizes } } }, "${data.initial} is unknown"],
    ["a digit in a screen's id", { second: { id: "PAGE_2" } }, "must be of letters"],
    ["data without an example", { first: { data: { sizes: { type: "string" }, initial } } }, "__example__"],
  ])("is refused with %s", (_, parts, said) => {
    const { error } = readFlowJson(flowJson(parts));
    expect(JSON.stringify(error?.issues.map(({ path, message }) => [path, message]))).toContain(
      JSON.stringify(said).slice(1, -1),
    );
  });
});

describe("the phone of a person", () => {
  let fake: WhatsAppFake;
  beforeAll(async () => {
    fake = await startWhatsAppFake({ hasWritten: true });
  });
  afterAll(() => fake.stop());

  const post = (path: string, body: Fields) =>
    fetch(`${fake.apiUrl}/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${fake.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const send = async (data: Fields | undefined, screenName = "PAGE_A") => {
    const payload = { screen: screenName, ...(data === undefined ? {} : { data }) };
    const parameters = {
      ...{ flow_message_version: "3", flow_token: "t", flow_name: "trip", flow_cta: "Fill in" },
      ...{ flow_action: "navigate", flow_action_payload: payload },
    };
    const interactive = { type: "flow", body: { text: "Where to?" }, action: { name: "flow", parameters } };
    const message = { messaging_product: "whatsapp", to: ADA, type: "interactive", interactive };
    return (await post(`${fake.phoneNumberId}/messages`, message)).status;
  };
  const given = { sizes: [{ id: "0", title: "Small" }], initial: { city: "Graz" } };

  it("goes from screen to screen and back, and sends what was put into all of them", async () => {
    const made = { name: "trip", categories: ["OTHER"], flow_json: flowJson(), publish: true };
    expect(await (await post(`${fake.wabaId}/flows`, made)).json()).toMatchObject({ success: true });
    expect(await send(given)).toBe(200);
    const message = fake.person.see().conversations[0]?.messages.at(-1)?.id ?? "";
    await fake.person.tap({ conversation: ADA, message, control: "Fill in" });
    const shown = () => fake.person.see().form;
    expect(shown()).toMatchObject({ title: "PAGE_A", fields: [{ id: "city", value: "Graz" }] });
    expect(shown()?.buttons).toBeUndefined();
    const empty = await fake.person.submit({ form: message, values: { city: "" } });
    expect(empty.errors).toEqual({ city: "is needed" });
    await fake.person.submit({ form: message, values: { city: "Wien" } });
    expect(shown()).toMatchObject({
      ...{ title: "PAGE_B", buttons: [{ label: "Back" }] },
      fields: [{ id: "size", options: [{ value: "0", label: "Small" }] }],
    });
    await fake.person.press({ form: message, button: "Back", values: {} });
    expect(shown()).toMatchObject({ title: "PAGE_A", fields: [{ value: "Wien" }] });
    await fake.person.submit({ form: message, values: { city: "Linz" } });
    const { deliveries } = await fake.person.submit({ form: message, values: { size: "0" } });
    expect(deliveries[0]?.attempts).toBeDefined();
    expect(shown()).toBeUndefined();
  });

  it.each<[string, Fields | undefined, string]>([
    ["without the data of its first screen", undefined, "PAGE_A"],
    ["with data that the screen has not", { ...given, more: "x" }, "PAGE_A"],
    ["with data of another type", { ...given, sizes: "x" }, "PAGE_A"],
    ["with no data in it", {}, "PAGE_A"],
    ["at another screen than the first", given, "PAGE_B"],
  ])("is not sent a Flow %s", async (_, data, at) => {
    expect(await send(data, at)).toBe(400);
  });
});
