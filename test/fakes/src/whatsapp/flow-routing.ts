import type { FlowComponent, FlowScreen } from "./flow-json.ts";

type Footer = Extract<FlowComponent, { type: "Footer" }>;

export function footerOf({ layout }: FlowScreen): Footer | undefined {
  return layout.children[0].children.find((each) => each.type === "Footer");
}

/**
 * What Meta says of the way through the screens, and of what they refer to; from
 * https://developers.facebook.com/docs/whatsapp/flows/reference/flowjson (routing model, screens, dynamic properties).
 */
export function routingFaults(screens: readonly FlowScreen[]): string[] {
  const ids = screens.map(({ id }) => id);
  return [
    ...(new Set(ids).size < ids.length ? ["Screen ids must be unique"] : []),
    ...(screens.some(({ terminal }) => terminal === true) ? [] : ["There must be a terminal screen"]),
    ...screens.flatMap((screen) => [...actionFaults(screens, screen), ...referenceFaults(screen)]),
    ...unreached(screens).map((id) => `Screen "${id}" is not reached`),
  ];
}

function actionFaults(screens: readonly FlowScreen[], screen: FlowScreen): string[] {
  const { id, terminal = false } = screen;
  const action = footerOf(screen)?.["on-click-action"];
  if (action === undefined) return [];
  if (action.name === "complete") {
    return terminal ? [] : [`"complete" on screen "${id}", which is not terminal`];
  }
  const at = screens.findIndex((each) => each.id === action.next.name);
  const next = screens[at];
  if (next === undefined) return [`Screen "${action.next.name}" is unknown`];
  // A route back would be a loop, which the routing model does not take.
  if (at <= screens.indexOf(screen)) return [`Screen "${id}" leads back to "${next.id}"`];
  const wanted = Object.keys(next.data ?? {});
  const given = Object.keys(action.payload);
  return [
    ...wanted
      .filter((key) => !given.includes(key))
      .map((key) => `Screen "${next.id}" is not handed "${key}"`),
    ...given.filter((key) => !wanted.includes(key)).map((key) => `Screen "${next.id}" has no data "${key}"`),
  ];
}

function referenceFaults(screen: FlowScreen): string[] {
  const [form] = screen.layout.children;
  const fields = form.children.flatMap((each) => ("name" in each ? [each.name] : []));
  const data = Object.keys(screen.data ?? {});
  const text = JSON.stringify(screen.layout);
  return [...text.matchAll(/\$\{(\w+)\.(\w+)\}/g)].flatMap(([reference, of = "", name = ""]) =>
    (of === "form" ? fields : data).includes(name) ? [] : [`Screen "${screen.id}": ${reference} is unknown`],
  );
}

function unreached(screens: readonly FlowScreen[]): string[] {
  const reached = new Set(
    screens.flatMap((screen) => {
      const action = footerOf(screen)?.["on-click-action"];
      return action?.name === "navigate" ? [action.next.name] : [];
    }),
  );
  return screens.slice(1).flatMap(({ id }) => (reached.has(id) ? [] : [id]));
}
