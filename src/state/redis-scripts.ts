/**
 * What the state in Redis does in one step: Lua that the server runs alone, one script per operation.
 *
 * The layout, where `p` is the prefix, `s` the name of a sandbox (empty for the shared one):
 *
 *     p sequence            counter of writes; every version and every order comes from it
 *     p used                sorted set: sandboxes that may go, by last use
 *     p bytes               hash: what each sandbox takes
 *     p owned:@o            sorted set: sandboxes of the owner o, by last use
 *     p holderBytes         sorted set: owners (@o) and sandboxes without one, by what they hold
 *     p holderCounts        sorted set: the same, by how many sandboxes they have
 *     p totals              hash: values, evictable (those of sandboxes that may go), logEntries, logBytes
 *     p sandbox:s           hash: createdAtMs, lastUsedAtMs, offsetMs
 *     p keys:s              hash: the other Redis keys of the sandbox, each with what it is
 *     p space:s|space|…     heads     hash: key → "version expiresAtMs bytes", where - is never
 *                           values    hash: key → the value as JSON
 *                           order     sorted set: keys by creation
 *                           expiries  sorted set: keys by expiry, in spaces that are kept when full
 *     p holder:space|key    the sandbox that has a key of a findable space
 *     p log:s|space|key     hash: first, last, cleared (sequences), and of each entry its number → item
 *                           and bytes, and "age:" number → its place in the order over all logs
 *     p logs:h              sorted set: logs of one holder that hold entries, by the age of their oldest
 *     p holderLogs          sorted set: holders of logs, by what their entries take
 *     p logEntries, p logBytes   hashes: what each log holds
 *     p wake                channel: the log that went on, or the sandbox that went
 *
 * What belongs to a sandbox that may go expires some time after it has been idle; everything else, and
 * what counts the sandboxes, after {@link keptMs} without use. Keys are made inside the scripts, so
 * this is for one server (with replicas of it), not for a cluster of them.
 *
 * The numbers in `totals` heal when Redis lets a sandbox expire while no process sweeps: `keys` and
 * `bytes` outlive it, and its place in `used` leads to them.
 */

import { createHash } from 'node:crypto';

/** How long what is permanent stays without any use: 90 days. */
export const keptMs = 90 * 24 * 60 * 60 * 1000;

/** What a log's entry costs beside its contents. */
const logEntryOverheadBytes = 512;

/** What a sandbox costs beside its spaces. */
const sandboxOverheadBytes = 1000;

export interface Script {
  readonly text: string;
  /** By which the server knows it. */
  readonly hash: string;
}

/** What every script is given first, in this order. */
export const commonArguments = [
  'prefix',
  'now',
  'name',
  'isPermanent',
  'maxSandboxes',
  'idleMs',
  'maxBytes',
  'maxSandboxesPerOwner',
  'maxBytesPerOwner',
  'maxLogBytes',
] as const;

const prelude = `
local call = redis.call
local prefix = ARGV[1]
local now = tonumber(ARGV[2])
local name = ARGV[3]
local isPermanent = ARGV[4] == '1'
local maxSandboxes = tonumber(ARGV[5])
local idleMs = tonumber(ARGV[6])
local maxBytes = tonumber(ARGV[7])
local maxSandboxesPerOwner = tonumber(ARGV[8])
local maxBytesPerOwner = tonumber(ARGV[9])
local maxLogBytes = tonumber(ARGV[10])
local arguments = {unpack(ARGV, ${commonArguments.length + 1})}

local keptMs = ${keptMs}
local sandboxBytes = ${sandboxOverheadBytes}
local usedKey = prefix .. 'used'
local bytesKey = prefix .. 'bytes'
local holderBytesKey = prefix .. 'holderBytes'
local holderCountsKey = prefix .. 'holderCounts'
local totalsKey = prefix .. 'totals'
local sequenceKey = prefix .. 'sequence'
local holderLogsKey = prefix .. 'holderLogs'
local logEntriesKey = prefix .. 'logEntries'
local logBytesKey = prefix .. 'logBytes'
local wakeChannel = prefix .. 'wake'

-- Lua would write large numbers with an exponent.
local function text(number)
  return string.format('%.0f', number)
end

local function sandboxKey(sandbox) return prefix .. 'sandbox:' .. sandbox end
local function keysKey(sandbox) return prefix .. 'keys:' .. sandbox end
local function ownedKey(holder) return prefix .. 'owned:' .. holder end
local function holderOf(sandbox) return string.match(sandbox, '^(@[^/]+)/') or sandbox end
local function isAccount(holder) return string.sub(holder, 1, 1) == '@' end
local function logsKey(holder) return prefix .. 'logs:' .. holder end
local function holderOfLog(logKey)
  return holderOf(string.match(string.sub(logKey, #prefix + #'log:' + 1), '^([^|]*)|'))
end
local function spaceKey(space, part)
  return prefix .. 'space:' .. name .. '|' .. space .. '|' .. part
end
local function holderKey(space, key) return prefix .. 'holder:' .. space .. '|' .. key end
local function logKeyOf(space, key) return prefix .. 'log:' .. name .. '|' .. space .. '|' .. key end

-- Begins at the time, so that no number comes again after the server has lost everything.
local function nextSequence()
  local sequence = call('INCR', sequenceKey)
  if sequence > 1 then return sequence end
  local time = call('TIME')
  sequence = tonumber(time[1]) * 1000000 + tonumber(time[2])
  call('SET', sequenceKey, text(sequence), 'PX', text(keptMs))
  return sequence
end

local function add(field, number)
  if number ~= 0 then call('HINCRBY', totalsKey, field, text(number)) end
end

local function total(field)
  return tonumber(call('HGET', totalsKey, field) or '0')
end

local function timeToLive()
  if isPermanent then return keptMs end
  return math.ceil(idleMs * 1.25)
end

local function expire(key)
  call('PEXPIRE', key, text(timeToLive()))
end

local function keepShared()
  for _, key in ipairs({usedKey, bytesKey, holderBytesKey, holderCountsKey, totalsKey, sequenceKey, holderLogsKey, logEntriesKey, logBytesKey}) do
    call('PEXPIRE', key, text(keptMs))
  end
end

local function register(key, kind)
  call('HSET', keysKey(name), key, kind)
  call('PEXPIRE', keysKey(name), text(keptMs))
  expire(key)
end

-- Adds to what a member has in a sorted set, and takes it out when nothing is left.
local function rank(key, member, number)
  if number == 0 then return end
  if tonumber(call('ZINCRBY', key, text(number), member)) <= 0 then call('ZREM', key, member) end
end

local function forgetLog(logKey)
  local entries = call('HGET', logEntriesKey, logKey)
  if not entries then return end
  local bytes = tonumber(call('HGET', logBytesKey, logKey) or '0')
  local holder = holderOfLog(logKey)
  add('logEntries', -tonumber(entries))
  add('logBytes', -bytes)
  rank(holderLogsKey, holder, -bytes)
  call('HDEL', logEntriesKey, logKey)
  call('HDEL', logBytesKey, logKey)
  call('ZREM', logsKey(holder), logKey)
end

local function drop(sandbox)
  local registered = call('HGETALL', keysKey(sandbox))
  for place = 1, #registered, 2 do
    if registered[place + 1] == 'log' then forgetLog(registered[place]) end
    call('UNLINK', registered[place])
  end
  call('UNLINK', sandboxKey(sandbox), keysKey(sandbox))
  local bytes = tonumber(call('HGET', bytesKey, sandbox) or '0')
  call('HDEL', bytesKey, sandbox)
  add('values', -bytes)
  if call('ZREM', usedKey, sandbox) == 1 then
    local holder = holderOf(sandbox)
    add('evictable', -bytes)
    rank(holderBytesKey, holder, -bytes)
    rank(holderCountsKey, holder, -1)
    if holder ~= sandbox then call('ZREM', ownedKey(holder), sandbox) end
  end
  call('PUBLISH', wakeChannel, 'sandbox:' .. sandbox)
end

-- Whether a sandbox was not used for too long, or has expired.
local function isOver(sandbox)
  local lastUsedAtMs = call('HGET', sandboxKey(sandbox), 'lastUsedAtMs')
  return not lastUsedAtMs or now - tonumber(lastUsedAtMs) >= idleMs
end

-- The one unused for longest comes first: when it stays, so do all others.
local function sweepSandboxes(most)
  for _ = 1, most do
    local oldest = call('ZRANGE', usedKey, 0, 0)[1]
    if not oldest or not isOver(oldest) then return end
    drop(oldest)
  end
end

-- Drops what a holder has not used for longest, but never the one in use.
local function dropOldestOf(holder)
  local oldest = {holder}
  if isAccount(holder) then oldest = call('ZRANGE', ownedKey(holder), 0, 1) end
  local unused = oldest[1]
  if unused == name then unused = oldest[2] end
  if not unused then return false end
  drop(unused)
  return true
end

-- An account keeps its only sandbox; what has no account goes when it was not used for longest.
local function dropOldestUnowned()
  local oldest = call('ZRANGE', usedKey, 0, 0)[1]
  if not oldest or isAccount(oldest) then return false end
  drop(oldest)
  return true
end

-- Leaves room for so many more: at the cost of their holder first, then of whoever holds most. Answers
-- what is full when there is none.
local function makeSandboxRoom(sandboxes, bytes)
  if isPermanent then
    local isTooMuch = name == '' and tonumber(call('HGET', bytesKey, name) or '0') + bytes > maxBytesPerOwner
    return isTooMuch and 'sandboxFull' or nil
  end
  local holder = holderOf(name)
  local function count() return tonumber(call('ZSCORE', holderCountsKey, holder) or '0') + sandboxes end
  local function held() return tonumber(call('ZSCORE', holderBytesKey, holder) or '0') + bytes end
  while count() > maxSandboxesPerOwner or held() > maxBytesPerOwner do
    if not dropOldestOf(holder) then return 'sandboxFull' end
  end
  while call('ZCARD', usedKey) + sandboxes > maxSandboxes do
    local most = call('ZREVRANGE', holderCountsKey, 0, 0, 'WITHSCORES')
    if most[1] and tonumber(most[2]) > math.max(1, count()) then
      if not dropOldestOf(most[1]) then return 'stateFull' end
    elseif not dropOldestOf(holder) and not dropOldestUnowned() then
      return 'stateFull'
    end
  end
  while total('evictable') + bytes > maxBytes do
    local most = call('ZREVRANGE', holderBytesKey, 0, 0, 'WITHSCORES')
    local isOthers = most[1] and most[1] ~= holder and tonumber(most[2]) > held()
    if not dropOldestOf(isOthers and most[1] or holder) then return 'stateFull' end
  end
  return nil
end

local function use()
  call('HSET', sandboxKey(name), 'lastUsedAtMs', ARGV[2])
  if not isPermanent then
    local sequence = text(nextSequence())
    local holder = holderOf(name)
    if call('ZADD', usedKey, sequence, name) == 1 then rank(holderCountsKey, holder, 1) end
    if holder ~= name then call('ZADD', ownedKey(holder), sequence, name) end
  end
  -- By now and then: what is in use never has less than its idle time to live.
  if call('PTTL', sandboxKey(name)) < timeToLive() * 0.9 then
    expire(sandboxKey(name))
    for _, key in ipairs(call('HKEYS', keysKey(name))) do expire(key) end
    call('PEXPIRE', keysKey(name), text(keptMs))
    call('PEXPIRE', ownedKey(holderOf(name)), text(keptMs))
    keepShared()
  end
end

-- The sandbox, or nil when nothing was written to it. Counts as a use.
local function findSandbox()
  local known = call('HMGET', sandboxKey(name), 'createdAtMs', 'lastUsedAtMs', 'offsetMs')
  if not known[1] then return nil end
  if not isPermanent and now - tonumber(known[2]) >= idleMs then
    drop(name)
    return nil
  end
  use()
  return {createdAtMs = known[1], offsetMs = known[3]}
end

local function addBytes(bytes)
  if bytes == 0 then return end
  call('HINCRBY', bytesKey, name, text(bytes))
  add('values', bytes)
  if isPermanent then return end
  add('evictable', bytes)
  rank(holderBytesKey, holderOf(name), bytes)
end

-- What was found, or else a new sandbox, when it may grow by so many bytes; or nil and what is full.
local function roomIn(found, bytes)
  if found then
    local full = bytes > 0 and makeSandboxRoom(0, bytes) or nil
    if full then return nil, full end
    return found
  end
  -- What Redis let expire may have left its place behind.
  if call('HEXISTS', bytesKey, name) == 1 then drop(name) end
  local full = makeSandboxRoom(1, bytes + sandboxBytes)
  if full then return nil, full end
  call('HSET', sandboxKey(name), 'createdAtMs', ARGV[2], 'offsetMs', '0')
  use()
  addBytes(sandboxBytes)
  keepShared()
  return {createdAtMs = ARGV[2], offsetMs = '0'}
end

local function timeIn(sandbox)
  return now + (sandbox and tonumber(sandbox.offsetMs) or 0)
end

local function parseHead(head)
  if not head then return nil end
  local version, expiresAtMs, bytes = string.match(head, '^(%d+) (%S+) (%d+)$')
  return {version = version, expiresAtMs = expiresAtMs, bytes = tonumber(bytes)}
end

local function isLive(head, timeMs)
  return head ~= nil and (head.expiresAtMs == '-' or timeMs < tonumber(head.expiresAtMs))
end

local function findHead(space, key)
  return parseHead(call('HGET', spaceKey(space, 'heads'), key))
end
`;

/** For the scripts that write values: what a key takes with it when it goes. */
const removal = `
local function remove(space, key)
  local head = findHead(space.name, key)
  if not head then return end
  call('HDEL', spaceKey(space.name, 'heads'), key)
  call('HDEL', spaceKey(space.name, 'values'), key)
  call('ZREM', spaceKey(space.name, 'order'), key)
  if space.isKept then call('ZREM', spaceKey(space.name, 'expiries'), key) end
  addBytes(-head.bytes)
  if space.isLog then
    local logKey = logKeyOf(space.name, key)
    forgetLog(logKey)
    call('UNLINK', logKey)
    call('HDEL', keysKey(name), logKey)
    call('PUBLISH', wakeChannel, logKey)
  end
  if space.isFindable then
    call('UNLINK', holderKey(space.name, key))
    call('HDEL', keysKey(name), holderKey(space.name, key))
  end
end
`;

/** For the scripts that write logs. */
const logWriting = `
-- Makes the log of a key when it is not there.
local function openLog(logKey)
  if call('EXISTS', logKey) == 1 then return end
  call('HSET', logKey, 'first', '1', 'last', '0', 'cleared', '0')
  register(logKey, 'log')
end

local function addToLog(logKey, entries, bytes)
  local size = call('HINCRBY', logEntriesKey, logKey, entries)
  call('HINCRBY', logBytesKey, logKey, text(bytes))
  add('logEntries', entries)
  add('logBytes', bytes)
  rank(holderLogsKey, holderOfLog(logKey), bytes)
  return size
end

local function dropOldest(logKey)
  local first = call('HGET', logKey, 'first')
  local bytes = call('HSTRLEN', logKey, first) + ${logEntryOverheadBytes}
  call('HDEL', logKey, first, 'age:' .. first)
  local nextAge = call('HGET', logKey, 'age:' .. text(call('HINCRBY', logKey, 'first', 1)))
  local logs = logsKey(holderOfLog(logKey))
  if nextAge then call('ZADD', logs, nextAge, logKey) else call('ZREM', logs, logKey) end
  addToLog(logKey, -1, -bytes)
end
`;

/** Whether a key of a log is there; every operation on logs begins so. */
const liveKey = `
local space, key = arguments[1], arguments[2]
local sandbox = findSandbox()
local isHere = sandbox ~= nil and isLive(findHead(space, key), timeIn(sandbox))
local logKey = logKeyOf(space, key)
`;

/** Arguments: space, key, the version that the caller knows. Answers offset and, if it is there, entry. */
const read = `
local sandbox = findSandbox()
if not sandbox then return {'0'} end
local space, key, known = arguments[1], arguments[2], arguments[3]
local head = findHead(space, key)
if not head then return {sandbox.offsetMs} end
local answer = {sandbox.offsetMs, head.version, head.expiresAtMs}
if head.version ~= known and isLive(head, timeIn(sandbox)) then
  answer[4] = call('HGET', spaceKey(space, 'values'), key)
end
return answer
`;

/**
 * Compares and sets. Arguments: space, flags, the most keys, key, the version that is expected (0 for
 * none), the offset that is expected, then nothing more to delete, or: whether the key begins anew,
 * value, expiry, bytes. Answers the new version, what is full (`full` is the space), or what is there instead.
 */
const write = `
local space = {
  name = arguments[1],
  isLog = string.find(arguments[2], 'l') ~= nil,
  isFindable = string.find(arguments[2], 'f') ~= nil,
  isKept = string.find(arguments[2], 'k') ~= nil,
}
local maxKeys, key = tonumber(arguments[3]), arguments[4]
local sandbox = findSandbox()
local head = sandbox and findHead(space.name, key)
local offsetMs = sandbox and sandbox.offsetMs or '0'
if (head and head.version or '0') ~= arguments[5] or offsetMs ~= arguments[6] then
  if not head then return {'conflict', offsetMs} end
  return {
    'conflict', offsetMs, head.version, head.expiresAtMs,
    call('HGET', spaceKey(space.name, 'values'), key),
  }
end
sweepSandboxes(2)

if not arguments[7] then
  if head then remove(space, key) end
  return {'written', '0'}
end

-- Leaves room for one more key, and sweeps a little so that ended entries do not pile up.
local function makeRoom()
  local order = spaceKey(space.name, 'order')
  local timeMs = timeIn(sandbox)
  if space.isKept then
    local ended = call('ZRANGEBYSCORE', spaceKey(space.name, 'expiries'), '-inf', text(timeMs), 'LIMIT', 0, 10)
    for _, each in ipairs(ended) do remove(space, each) end
    local others = call('ZCARD', order) - call('HEXISTS', spaceKey(space.name, 'heads'), key)
    return others < maxKeys
  end
  local looked, removed = 0, 0
  while looked < 2 do
    local oldest = call('ZRANGE', order, looked, looked)[1]
    local isFull = call('ZCARD', order) >= maxKeys
    if not oldest or (removed >= 100 and not isFull) then break end
    if isFull or not isLive(findHead(space.name, oldest), timeMs) then
      remove(space, oldest)
      removed = removed + 1
    else
      looked = looked + 1
    end
  end
  return call('ZCARD', order) < maxKeys
end

local isNew, value, expiresAtMs, bytes = arguments[7] == '1', arguments[8], arguments[9], tonumber(arguments[10])
local grownBytes = bytes - (not isNew and head and head.bytes or 0)
local full
sandbox, full = roomIn(sandbox, grownBytes)
if full then return {full} end
local version = text(nextSequence())
if isNew then
  -- What is left of an ended value of this key needs no room of its own.
  remove(space, key)
  if not makeRoom() then return {'full'} end
  call('ZADD', spaceKey(space.name, 'order'), version, key)
  if space.isFindable then
    call('SET', holderKey(space.name, key), name)
    register(holderKey(space.name, key), 'holder')
  end
end
call('HSET', spaceKey(space.name, 'values'), key, value)
call('HSET', spaceKey(space.name, 'heads'), key, version .. ' ' .. expiresAtMs .. ' ' .. text(bytes))
local isFirst = isNew and call('ZCARD', spaceKey(space.name, 'order')) == 1
if isFirst then
  for _, part in ipairs({'heads', 'values', 'order'}) do
    register(spaceKey(space.name, part), 'space')
  end
end
if space.isKept then
  local expiries = spaceKey(space.name, 'expiries')
  if expiresAtMs == '-' then call('ZREM', expiries, key) else
    call('ZADD', expiries, expiresAtMs, key)
    register(expiries, 'space')
  end
end
addBytes(grownBytes)
if isFirst then keepShared() end
return {'written', version}
`;

/** Arguments: space. Answers keys and values in turn. */
const entries = `
local sandbox = findSandbox()
if not sandbox then return {} end
local space = arguments[1]
local live = {}
for _, key in ipairs(call('ZRANGE', spaceKey(space, 'order'), 0, -1)) do
  if isLive(findHead(space, key), timeIn(sandbox)) then
    live[#live + 1] = key
    live[#live + 1] = call('HGET', spaceKey(space, 'values'), key)
  end
end
return live
`;

/** Answers creation, last use and offset; nothing for a sandbox that is not there. */
const status = `
local sandbox = findSandbox()
if not sandbox then return {} end
return {sandbox.createdAtMs, ARGV[2], sandbox.offsetMs}
`;

/** Arguments: the offset. */
const setClockOffset = `
local _, full = roomIn(findSandbox(), 0)
if full then return full end
call('HSET', sandboxKey(name), 'offsetMs', arguments[1])
sweepSandboxes(2)
return 'OK'
`;

const reset = `
drop(name)
return 'OK'
`;

/** Arguments: the owner. */
const resetOwned = `
for _, sandbox in ipairs(call('ZRANGE', ownedKey('@' .. arguments[1]), 0, -1)) do drop(sandbox) end
return 'OK'
`;

/** Arguments: space, key, the names of permanent sandboxes. Answers the name of who has the key. */
const findHolder = `
local holder = call('GET', holderKey(arguments[1], arguments[2]))
if not holder then return nil end
name = holder
isPermanent = false
for place = 3, #arguments do
  if arguments[place] == holder then isPermanent = true end
end
local sandbox = findSandbox()
if not sandbox or not isLive(findHead(arguments[1], arguments[2]), timeIn(sandbox)) then return nil end
return holder
`;

/** Answers sandboxes, bytes of values, entries and bytes of logs. */
const sizes = `
sweepSandboxes(100)
return {
  text(call('HLEN', bytesKey)), text(total('values')), text(total('logEntries')), text(total('logBytes')),
}
`;

/** Arguments: space, key, the most entries, the entry. Answers its sequence, if the key is there. */
const append = `
if not isHere then return nil end
openLog(logKey)
local maxEntries, entry = tonumber(arguments[3]), arguments[4]
local sequence = call('HINCRBY', logKey, 'last', 1)
while sequence - tonumber(call('HGET', logKey, 'first')) >= maxEntries do dropOldest(logKey) end
local age = text(nextSequence())
local holder = holderOfLog(logKey)
if call('HGET', logKey, 'first') == text(sequence) then
  call('ZADD', logsKey(holder), age, logKey)
  call('PEXPIRE', logsKey(holder), text(keptMs))
end
call('HSET', logKey, text(sequence), entry, 'age:' .. text(sequence), age)
if addToLog(logKey, 1, #entry + ${logEntryOverheadBytes}) == 1 then keepShared() end
-- The oldest entry of a holder is also the oldest of its own log.
while total('logBytes') > maxLogBytes do
  local most = call('ZREVRANGE', holderLogsKey, 0, 0)[1]
  if not most then break end
  local oldest = call('ZRANGE', logsKey(most), 0, 0)[1]
  if not oldest then call('ZREM', holderLogsKey, most)
  elseif call('EXISTS', oldest) == 1 then dropOldest(oldest)
  else forgetLog(oldest) end
end
call('PUBLISH', wakeChannel, logKey)
return text(sequence)
`;

/** Answers first, last and cleared; nothing when the key is not there. */
const logStatus = `
if not isHere then return {} end
local known = call('HMGET', logKey, 'first', 'last', 'cleared')
if not known[1] then return {'1', '0', '0'} end
return known
`;

/** Arguments: space, key, `newest` or the sequence to begin after, the most entries. */
const readLog = `
if not isHere then return {} end
local first = tonumber(call('HGET', logKey, 'first') or '1')
local last = tonumber(call('HGET', logKey, 'last') or '0')
local limit = tonumber(arguments[4])
local from, to, step
if arguments[3] == 'newest' then
  from, to, step = last, math.max(first, last - limit + 1), -1
else
  from, step = math.max(first, tonumber(arguments[3]) + 1), 1
  to = math.min(last, from + limit - 1)
end
local found = {}
for sequence = from, to, step do
  found[#found + 1] = text(sequence)
  found[#found + 1] = call('HGET', logKey, text(sequence))
end
return found
`;

const clearLog = `
if not isHere then return 0 end
openLog(logKey)
local first, last = tonumber(call('HGET', logKey, 'first')), tonumber(call('HGET', logKey, 'last'))
forgetLog(logKey)
for sequence = first, last do call('HDEL', logKey, text(sequence), 'age:' .. text(sequence)) end
call('HSET', logKey, 'first', text(last + 2), 'last', text(last + 1), 'cleared', text(last + 1))
call('PUBLISH', wakeChannel, logKey)
return 1
`;

export const scripts = {
  read: script(read),
  write: script(removal, write),
  entries: script(entries),
  status: script(status),
  setClockOffset: script(setClockOffset),
  reset: script(reset),
  resetOwned: script(resetOwned),
  findHolder: script(findHolder),
  sizes: script(sizes),
  append: script(logWriting, liveKey, append),
  logStatus: script(liveKey, logStatus),
  readLog: script(liveKey, readLog),
  clearLog: script(logWriting, liveKey, clearLog),
} as const;

export type ScriptName = keyof typeof scripts;

function script(...parts: readonly string[]): Script {
  const text = [prelude, ...parts].join('');
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}
