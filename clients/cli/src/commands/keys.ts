import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { usage } from "../exit-code.ts";
import { createKey, readKeys, revokeKey, ROLES } from "../key-file.ts";
import { safeLine } from "../safe-text.ts";
import type { Surroundings } from "../terminal.ts";
import { contextOf, flagsOf } from "./context.ts";

const FileFlag = z.object({ file: z.string().optional() });
const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ""),
);
const CreateFlags = z.object({
  id: z.string().min(1).max(128).optional(),
  subject: z.string().min(1).max(512),
  roles: commaList.pipe(z.array(z.enum(ROLES)).min(1)),
  groups: commaList.optional(),
});

function fileOf(command: Command, around: Surroundings): string {
  const named = flagsOf(command, FileFlag).file ?? around.env["INTERLUDE_API_KEYS_FILE"];
  if (named === undefined || named === "") throw usage("give --file (or INTERLUDE_API_KEYS_FILE)");
  return resolve(around.cwd, named);
}

function addCreate(keys: Command, around: Surroundings): void {
  keys
    .command("create")
    .description("make a key, add its digest to the file, and print the key, this once")
    .requiredOption("--subject <name>", "who asks or answers with it")
    .requiredOption("--roles <list>", ROLES.join(","))
    .option("--groups <list>", "groups that the subject belongs to")
    .option("--id <id>", "a name for the key; made up by default")
    .option("--file <path>", "the file of API keys (INTERLUDE_API_KEYS_FILE)")
    .action((_options: unknown, command: Command) => {
      const { terminal } = contextOf(command, around);
      const flags = flagsOf(command, CreateFlags);
      const { id, key } = createKey(fileOf(command, around), flags);
      terminal.note(`key ${id} of ${flags.subject}; it is shown this once:`);
      terminal.say(key);
      terminal.document({ id, key, subject: flags.subject, roles: flags.roles, groups: flags.groups });
    });
}

export function addKeys(program: Command, around: Surroundings): void {
  const keys = program.command("keys").description("make, list and revoke the API keys of a server");
  addCreate(keys, around);
  keys
    .command("list")
    .description("the keys of the file, without their digests")
    .option("--file <path>", "the file of API keys (INTERLUDE_API_KEYS_FILE)")
    .action((_options: unknown, command: Command) => {
      const { terminal } = contextOf(command, around);
      const entries = readKeys(fileOf(command, around)).map(({ id, subject, roles, groups }) => ({
        id,
        subject,
        roles,
        groups,
      }));
      for (const { id, subject, roles, groups } of entries) {
        terminal.say(
          safeLine(
            `${id}  ${subject}  ${roles.join(",")}${groups === undefined ? "" : `  ${groups.join(",")}`}`,
          ),
        );
      }
      terminal.document({ items: entries });
    });
  keys
    .command("revoke")
    .description("take a key out of the file; servers read the file again when it changes")
    .argument("<id>")
    .option("--file <path>", "the file of API keys (INTERLUDE_API_KEYS_FILE)")
    .action((id: string, _options: unknown, command: Command) => {
      const { terminal } = contextOf(command, around);
      revokeKey(fileOf(command, around), id);
      terminal.say(`revoked ${safeLine(id)}`);
      terminal.document({ id, revoked: true });
    });
}
