import type { Fields } from "../core/json.ts";
import type { SlackBlock, SlackModal } from "./blocks.ts";

export type SlackUser = Readonly<{ id: string; name: string }>;
export type SlackChannel = Readonly<{
  id: string;
  kind: "direct" | "group";
  name: string;
  people: readonly [SlackUser, ...SlackUser[]];
}>;
export type SlackMessage = {
  readonly ts: string;
  readonly channel: string;
  readonly author: SlackUser | undefined;
  readonly atMs: number;
  readonly threadTs: string | undefined;
  /** Only this person sees it. */
  readonly onlyFor: string | undefined;
  text: string;
  blocks: readonly SlackBlock[];
  isEdited: boolean;
  reactions: string[];
};
export type Trigger = { readonly atMs: number; readonly user: SlackUser; isUsed: boolean };
export type OpenView = {
  readonly id: string;
  readonly user: SlackUser;
  modal: SlackModal;
  hash: string;
  errors: Readonly<Record<string, string>>;
};

export type SlackWorld = {
  readonly botToken: string;
  readonly channels: readonly SlackChannel[];
  readonly messages: SlackMessage[];
  readonly triggers: Map<string, Trigger>;
  /** The stack of open modals; the last one is in front. */
  views: OpenView[];
  count: number;
  /** What ids without a time in them go on from. */
  readonly firstId: number;
  readonly nowMs: () => number;
};

export const TEAM = { id: "T0FAKE", domain: "fake" } as const;
export const APP_ID = "A0FAKE";
export const BOT = { userId: "U0BOT", id: "B0BOT", name: "Interlude" } as const;

export function next(world: SlackWorld): number {
  world.count += 1;
  return world.count;
}

/** Unique in its channel, and in the order of time. */
export function newTs(world: SlackWorld): string {
  return `${Math.floor(world.nowMs() / 1000)}.${String(next(world)).padStart(6, "0")}`;
}

/** A channel by its id; a person's id is their direct messages. */
export function channelOf(world: SlackWorld, id: unknown): SlackChannel | undefined {
  return world.channels.find(
    (each) => each.id === id || (each.kind === "direct" && each.people[0].id === id),
  );
}

export function messageJson(message: SlackMessage): Fields {
  const { author, ts, text, blocks, threadTs } = message;
  const by =
    author === undefined ? { user: BOT.userId, bot_id: BOT.id, app_id: APP_ID } : { user: author.id };
  return {
    type: "message",
    ...by,
    ts,
    text,
    team: TEAM.id,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(blocks.length === 0 ? {} : { blocks }),
  };
}

export function newView(world: SlackWorld, user: SlackUser, modal: SlackModal): OpenView {
  const view: OpenView = { id: `V${world.firstId + next(world)}`, hash: "", user, modal, errors: {} };
  showModal(world, view, modal);
  return view;
}

/** What is in a view is another from now on: who knew it as it was may not change it. */
export function showModal(world: SlackWorld, view: OpenView, modal: SlackModal): void {
  const blocks = modal.blocks.map((each) => ({ ...each, block_id: each.block_id ?? `b${next(world)}` }));
  view.modal = { ...modal, blocks };
  view.hash = `h${next(world)}`;
  view.errors = {};
}

export function viewJson({ id, modal, hash }: OpenView, state: Fields = {}): Fields {
  return {
    ...modal,
    id,
    hash,
    team_id: TEAM.id,
    app_id: APP_ID,
    bot_id: BOT.id,
    root_view_id: id,
    previous_view_id: null,
    private_metadata: modal.private_metadata ?? "",
    callback_id: modal.callback_id ?? "",
    state: { values: state },
  };
}
