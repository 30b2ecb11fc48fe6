-- Assigns room to all sandboxes, as one step. The registry assigns room before a
-- sandbox grows, so that all together never exceed the limits.
--
-- All keys begin with KEYS[1], whose part in braces keeps them on one node of a cluster:
--
--   {..}used            sorted set: sandboxes that may be dropped, by their last known use
--   {..}room            hash: sandbox → the bytes it may hold
--   {..}logRoom         hash: sandbox → the bytes its logs may hold
--   {..}entries         hash: sandbox → the entries of its logs
--   {..}totals          hash: room (of sandboxes that may be dropped), logRoom (of all), turn (of uses)
--   {..}callers         hash: sandbox without an account → the caller that created it (#hash), which holds it
--   {..}holders         sorted set: accounts (@id), callers, and sandboxes of neither, by room
--   {..}counts          sorted set: the same holders, by their number of sandboxes
--   {..}owned:holder    sorted set: sandboxes of an account or a caller, by last use
--   {..}rooms:#caller   sorted set: sandboxes of a caller, by room
--   {..}logHolders      sorted set: holders, by room for logs
--   {..}logs:holder     sorted set: sandboxes of an account or a caller, by room for logs
--
-- ARGV: the operation, the time, the name of a sandbox, whether it is permanent, the limits, how long this sandbox may
-- be unused; then the operation's words. Returns the outcome, one or more numbers, and the sandboxes whose values or logs must be dropped for it.

local call = redis.call
local prefix = KEYS[1]
local operation, now, name, isPermanent = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local maxSandboxes, idleMs, maxBytes = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local maxOwnedSandboxes, maxOwnedBytes, maxLogBytes = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local lifeMs, ownIdleMs, words = ARGV[11], tonumber(ARGV[12]), {unpack(ARGV, 13)}

local used, room, logRoom, entries = prefix .. 'used', prefix .. 'room', prefix .. 'logRoom', prefix .. 'entries'
local holders, counts, logHolders = prefix .. 'holders', prefix .. 'counts', prefix .. 'logHolders'
local totals, callers = prefix .. 'totals', prefix .. 'callers'
local dropped = {}

local function text(number) return string.format('%.0f', number) end
local function holderOf(sandbox)
  return string.match(sandbox, '^(@[^/]+)/') or call('HGET', callers, sandbox) or sandbox
end
local function isAccount(holder) return string.sub(holder, 1, 1) == '@' end
local function isCaller(holder) return string.sub(holder, 1, 1) == '#' end
local function hasMany(holder) return isAccount(holder) or isCaller(holder) end
local function ownedBy(holder) return prefix .. 'owned:' .. holder end
local function roomsOf(holder) return prefix .. 'rooms:' .. holder end
local function logsOf(holder) return prefix .. 'logs:' .. holder end
local function scoreOf(key, member) return tonumber(call('ZSCORE', key, member) or '0') end
local function numberIn(key, field) return tonumber(call('HGET', key, field) or '0') end

local function rank(key, member, number)
  if number == 0 then return end
  if tonumber(call('ZINCRBY', key, text(number), member)) <= 0 then call('ZREM', key, member) end
end

local function addRoom(sandbox, bytes)
  if bytes == 0 then return end
  call('HINCRBY', room, sandbox, text(bytes))
  if not call('ZSCORE', used, sandbox) then return end
  local holder = holderOf(sandbox)
  call('HINCRBY', totals, 'room', text(bytes))
  rank(holders, holder, bytes)
  if not isCaller(holder) then return end
  rank(roomsOf(holder), sandbox, bytes)
  call('PEXPIRE', roomsOf(holder), lifeMs)
end

local function addLogRoom(sandbox, bytes)
  if bytes == 0 then return end
  local holder = holderOf(sandbox)
  call('HINCRBY', logRoom, sandbox, text(bytes))
  call('HINCRBY', totals, 'logRoom', text(bytes))
  rank(logHolders, holder, bytes)
  if hasMany(holder) then rank(logsOf(holder), sandbox, bytes) end
end

-- Orders uses within one millisecond by a counter in the lower digits. A sandbox that may be unused for longer than
-- others counts as used later.
local function use(sandbox)
  local holder = holderOf(sandbox)
  local turn = call('HINCRBY', totals, 'turn', 1) % 4096
  local at = string.format('%.17g', now + ownIdleMs - idleMs + turn / 4096)
  if call('ZADD', used, at, sandbox) == 1 then rank(counts, holder, 1) end
  if not hasMany(holder) then return end
  call('ZADD', ownedBy(holder), at, sandbox)
  for _, key in ipairs({ownedBy(holder), roomsOf(holder), logsOf(holder)}) do call('PEXPIRE', key, lifeMs) end
end

local function keepAll()
  for _, key in ipairs({used, room, logRoom, entries, callers, holders, counts, logHolders, totals}) do
    call('PEXPIRE', key, lifeMs)
  end
end

local function forget(sandbox)
  local holder = holderOf(sandbox)
  addRoom(sandbox, -numberIn(room, sandbox))
  addLogRoom(sandbox, -numberIn(logRoom, sandbox))
  for _, key in ipairs({room, logRoom, entries}) do call('HDEL', key, sandbox) end
  if call('ZREM', used, sandbox) == 1 then rank(counts, holder, -1) end
  if hasMany(holder) then call('ZREM', ownedBy(holder), sandbox) end
  call('HDEL', callers, sandbox)
end

local function drop(sandbox)
  forget(sandbox)
  dropped[#dropped + 1] = sandbox
end

local function sweep(most)
  local before = '(' .. text(now - idleMs + 1)
  for _, sandbox in ipairs(call('ZRANGEBYSCORE', used, '-inf', before, 'LIMIT', 0, most)) do drop(sandbox) end
end

-- Drops a holder's least recently used sandbox, but never the one that needs room.
local function dropOldestOf(holder)
  for _, sandbox in ipairs(hasMany(holder) and call('ZRANGE', ownedBy(holder), 0, 1) or {holder}) do
    if sandbox ~= name then
      drop(sandbox)
      return true
    end
  end
  return false
end

-- Drops a sandbox to make room for this many bytes: a caller's largest, or an account's least recently
-- used.
local function dropForBytes(holder, size)
  if not isCaller(holder) then return dropOldestOf(holder) end
  local largest = call('ZREVRANGE', roomsOf(holder), 0, 0, 'WITHSCORES')
  if not largest[1] or largest[1] == name or tonumber(largest[2]) <= size then return false end
  drop(largest[1])
  return true
end

-- An account keeps its only sandbox; without an account, the least recently used sandbox is dropped.
local function dropOldestUnowned()
  local oldest = call('ZRANGE', used, 0, 0)[1]
  if not oldest or isAccount(oldest) then return false end
  drop(oldest)
  return true
end

-- Makes room: its holder loses sandboxes first, then the holder with most. Returns what is full, if anything. A holder
-- without sandboxes was counted by a replica of another version, and is removed.
local function makeRoom(sandboxes, bytes)
  if isPermanent then
    return name == '' and numberIn(room, name) + bytes > maxOwnedBytes and 'sandboxFull' or nil
  end
  local holder = holderOf(name)
  local function count() return scoreOf(counts, holder) + sandboxes end
  local function held() return scoreOf(holders, holder) + bytes end
  local size = numberIn(room, name) + bytes
  if size > maxOwnedBytes then return 'sandboxFull' end
  while isAccount(holder) and (count() > maxOwnedSandboxes or held() > maxOwnedBytes) do
    if not dropOldestOf(holder) then return 'sandboxFull' end
  end
  while call('ZCARD', used) + sandboxes > maxSandboxes do
    local most = call('ZREVRANGE', counts, 0, 0, 'WITHSCORES')
    if most[1] and tonumber(most[2]) > math.max(1, count()) then
      if not dropOldestOf(most[1]) then call('ZREM', counts, most[1]) end
    elseif not dropOldestOf(holder) and not dropOldestUnowned() then
      return 'stateFull'
    end
  end
  while numberIn(totals, 'room') + bytes > maxBytes do
    local most = call('ZREVRANGE', holders, 0, 0, 'WITHSCORES')
    local isOthers = most[1] and most[1] ~= holder and tonumber(most[2]) > held()
    if isOthers then
      if not dropForBytes(most[1], 0) then call('ZREM', holders, most[1]) end
    elseif not dropForBytes(holder, size) then
      return 'stateFull'
    end
  end
  return nil
end

-- Returns the room that is assigned beyond the requested room: it is free room, and does not lift a holder above the
-- guaranteed share.
local function extraFor(bytes, step)
  local extra = math.max(step, math.floor(numberIn(room, name) / 16))
  if isPermanent then return math.max(0, math.min(extra, maxOwnedBytes - numberIn(room, name) - bytes)) end
  local held, share = scoreOf(holders, holderOf(name)) + bytes, math.floor(maxBytes / maxSandboxes)
  if held <= share then extra = math.min(extra, share - held) end
  local most = isAccount(holderOf(name)) and held or numberIn(room, name) + bytes
  return math.max(0, math.min(extra, maxOwnedBytes - most, maxBytes - numberIn(totals, 'room') - bytes))
end

local operations = {}

-- Assigns room for this many bytes, and for a further step or a sixteenth of its room, if that is free.
function operations.grow(bytes, step, holder)
  local wanted = tonumber(bytes)
  sweep(10)
  local isNew = call('HEXISTS', room, name) == 0
  if isNew and not isPermanent and isCaller(holder) then call('HSET', callers, name, holder) end
  local full = makeRoom(isNew and 1 or 0, wanted)
  if full then
    if isNew then call('HDEL', callers, name) end
    return {full, '0', dropped}
  end
  if not isPermanent and not call('ZSCORE', used, name) then use(name) end
  wanted = wanted + extraFor(wanted, tonumber(step))
  addRoom(name, wanted)
  keepAll()
  return {'given', text(wanted), dropped}
end

-- Assigns room for logs: the holder with most loses it, from the sandbox with the largest logs. The part that the
-- requesting sandbox would lose itself is left out.
function operations.growLogs(bytes, step)
  local wanted, total, shrunk = tonumber(bytes), numberIn(totals, 'logRoom'), {}
  local holder = holderOf(name)
  addLogRoom(name, wanted)
  local given = wanted
  while numberIn(totals, 'logRoom') > maxLogBytes do
    local over = numberIn(totals, 'logRoom') - maxLogBytes
    local victim = call('ZREVRANGE', logHolders, 0, 0, 'WITHSCORES')
    if hasMany(victim[1]) then victim = call('ZREVRANGE', logsOf(victim[1]), 0, 0, 'WITHSCORES') end
    local part = math.min(over, tonumber(victim[2]))
    addLogRoom(victim[1], -part)
    if victim[1] == name then given = given - part
    else
      shrunk[#shrunk + 1] = victim[1]
      shrunk[#shrunk + 1] = text(part)
    end
  end
  if #shrunk == 0 and given == wanted and numberIn(totals, 'logRoom') + tonumber(step) <= maxLogBytes then
    addLogRoom(name, tonumber(step))
    given = given + tonumber(step)
  end
  if hasMany(holder) then call('PEXPIRE', logsOf(holder), lifeMs) end
  keepAll()
  return {'given', text(given), shrunk}
end

function operations.release(bytes, logBytes)
  addRoom(name, -math.min(tonumber(bytes), numberIn(room, name)))
  addLogRoom(name, -math.min(tonumber(logBytes), numberIn(logRoom, name)))
  return {'given', '0', {}}
end

function operations.count(number)
  if call('HEXISTS', room, name) == 1 then call('HINCRBY', entries, name, number) end
  call('PEXPIRE', entries, lifeMs)
  return {'given', '0', {}}
end

-- It is in use, and its own record of its room applies. An unknown sandbox may just have been dropped, so a caller
-- that is sure of its existence has checked again.
function operations.use(bytes, logBytes, isSure)
  if isSure == '0' and call('HEXISTS', room, name) == 0 then return {'unknown', '0', dropped} end
  if not isPermanent then use(name) end
  -- Zero is written, too, because it shows that the sandbox exists.
  call('HSETNX', room, name, '0')
  addRoom(name, tonumber(bytes) - numberIn(room, name))
  addLogRoom(name, tonumber(logBytes) - numberIn(logRoom, name))
  sweep(10)
  keepAll()
  return {'given', '0', dropped}
end

function operations.forget()
  drop(name)
  return {'given', '0', dropped}
end

function operations.forgetOwned(holder)
  for _, sandbox in ipairs(call('ZRANGE', ownedBy(holder), 0, -1)) do drop(sandbox) end
  return {'given', '0', dropped}
end

function operations.sizes()
  sweep(100)
  local held, heldEntries = 0, 0
  for _, bytes in ipairs(call('HVALS', room)) do held = held + tonumber(bytes) end
  for _, number in ipairs(call('HVALS', entries)) do heldEntries = heldEntries + tonumber(number) end
  return {text(call('HLEN', room)), text(held), text(heldEntries), text(numberIn(totals, 'logRoom')), dropped}
end

return operations[operation](unpack(words))
