import { createHash } from "node:crypto";

/** Runs as one: nobody sees, and no crash leaves, a part of what it does. KEYS are those of `ThreadKeys`. */
export type Script = Readonly<{ lua: string; sha1: string }>;

function script(lua: string): Script {
  return { lua, sha1: createHash("sha1").update(lua).digest("hex") };
}

/**
 * The server's clock, so that no two writers disagree on when a thread was last written to. It comes
 * first: whatever else of a thread there is, the thread is on the list by which it can be deleted.
 */
const TOUCH = `
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
`;

/**
 * ARGV: thread id, checkpoint's name, record, then names and values of channels. A version of a
 * channel never changes, so the first value under it stays.
 */
export const PUT = script(`
${TOUCH}
for i = 4, #ARGV, 2 do
  redis.call('HSETNX', KEYS[4], ARGV[i], ARGV[i + 1])
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[2], 0, ARGV[2])
return 1
`);

/**
 * ARGV: thread id, checkpoint's name, then for each write its name, 'keep' or 'replace', and itself.
 * A task that runs again after a crash keeps what it wrote first; errors and interrupts are replaced.
 */
export const PUT_WRITES = script(`
${TOUCH}
for i = 3, #ARGV, 3 do
  local name = ARGV[2] .. '\\0' .. ARGV[i]
  redis.call(ARGV[i + 1] == 'replace' and 'HSET' or 'HSETNX', KEYS[5], name, ARGV[i + 2])
  redis.call('ZADD', KEYS[6], 0, name)
end
return 1
`);

/**
 * ARGV: namespace's prefix and end, checkpoint's id or '' for the latest. Answers the checkpoint's
 * name, its record, the values that the record names in their order, and its writes.
 */
export const READ = script(`
local name = ARGV[1] .. ARGV[3]
if ARGV[3] == '' then
  name = redis.call('ZRANGE', KEYS[2], '(' .. ARGV[2], '[' .. ARGV[1], 'BYLEX', 'REV', 'LIMIT', 0, 1)[1]
end
local record = name and redis.call('HGET', KEYS[3], name)
if not record then return false end

local header = cjson.decode(string.sub(record, 1, string.find(record, '\\n', 1, true) - 1))
local values = {}
for i, value in ipairs(header.values) do
  values[i] = redis.call('HGET', KEYS[4], ARGV[1] .. value)
end
local writes = {}
for i, write in ipairs(redis.call('ZRANGE', KEYS[6], '[' .. name .. '\\0', '(' .. name .. '\\1', 'BYLEX')) do
  writes[i] = redis.call('HGET', KEYS[5], write)
end
return { name, record, values, writes }
`);

/** ARGV: thread id, and the latest time of a last write at which it still goes, or ''. Answers 1 when it went. */
export const DELETE = script(`
if ARGV[2] ~= '' then
  local last = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if not last or tonumber(last) > tonumber(ARGV[2]) then return 0 end
end
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6])
return redis.call('ZREM', KEYS[1], ARGV[1])
`);
