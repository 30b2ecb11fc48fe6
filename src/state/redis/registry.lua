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
--   {..}callers         hash: sandbox without an account → the caller that created it (#hash), which holds it;
--                       sandbox of a class → the owner of the class (@id or #hash)
--   {..}holders         sorted set: accounts (@id), callers, and sandboxes of neither, by room
--   {..}counts          sorted set: the same holders, by their number of sandboxes
--   {..}groups:holder   sorted set: groups of an account or a caller (its classes, and itself for its other
--                       sandboxes), by room, without boards
--   {..}sizes:holder    sorted set: the same groups, by their number of sandboxes
--   {..}owned:group     sorted set: sandboxes of a group, by last use
--   {..}rooms:group     sorted set: sandboxes of a class without its board, or of a caller, by room
--   {..}boards:holder   sorted set: boards of the classes of a holder, by last use
--   {..}logHolders      sorted set: holders, by room for logs
--   {..}logs:holder     sorted set: sandboxes of an account or a caller, by room for logs
--
-- ARGV: the operation, the time, the name of a sandbox, whether it is permanent, the limits, how long this sandbox may
-- be unused, and how many bytes it may hold; then the operation's words. Returns the outcome, one or more numbers, and the sandboxes whose values or logs must be dropped for it.

local call = redis.call
local prefix = KEYS[1]
local operation, now, name, isPermanent = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local maxSandboxes, idleMs, maxBytes = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local maxOwnedSandboxes, maxOwnedBytes, maxLogBytes = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local lifeMs, ownIdleMs, maxOwnBytes, words = ARGV[11], tonumber(ARGV[12]), tonumber(ARGV[13]), {unpack(ARGV, 14)}

local used, room, logRoom, entries = prefix .. 'used', prefix .. 'room', prefix .. 'logRoom', prefix .. 'entries'
local holders, counts, logHolders = prefix .. 'holders', prefix .. 'counts', prefix .. 'logHolders'
local totals, callers = prefix .. 'totals', prefix .. 'callers'
local dropped = {}

local function text(number) return string.format('%.0f', number) end
local function classOf(sandbox) return string.match(sandbox, '^(@class%-[^/]+)/') end
local function isBoard(sandbox) return string.find(sandbox, '^@class%-[^/]+/board$') ~= nil end
local function holderOf(sandbox)
  local account = string.match(sandbox, '^(@[^/]+)/')
  if account and not classOf(sandbox) then return account end
  return call('HGET', callers, sandbox) or account or sandbox
end
local function groupOf(sandbox) return classOf(sandbox) or holderOf(sandbox) end
local function isAccount(holder) return string.sub(holder, 1, 1) == '@' end
local function isCaller(holder) return string.sub(holder, 1, 1) == '#' end
local function hasMany(holder) return isAccount(holder) or isCaller(holder) end
local function groupsOf(holder) return prefix .. 'groups:' .. holder end
local function sizesOf(holder) return prefix .. 'sizes:' .. holder end
local function boardsOf(holder) return prefix .. 'boards:' .. holder end
local function ownedBy(group) return prefix .. 'owned:' .. group end
local function roomsOf(group) return prefix .. 'rooms:' .. group end
-- Whether the largest sandbox of a group makes room, instead of the least recently used one.
local function isByRoom(group) return isCaller(group) or string.find(group, '^@class%-') ~= nil end
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
  if not hasMany(holder) or isBoard(sandbox) then return end
  local group = groupOf(sandbox)
  rank(groupsOf(holder), group, bytes)
  call('PEXPIRE', groupsOf(holder), lifeMs)
  if not isByRoom(group) then return end
  rank(roomsOf(group), sandbox, bytes)
  call('PEXPIRE', roomsOf(group), lifeMs)
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
  local isNew, group = call('ZADD', used, at, sandbox) == 1, groupOf(sandbox)
  if isNew then rank(counts, holder, 1) end
  if not hasMany(holder) then return end
  call('ZADD', ownedBy(group), at, sandbox)
  if isBoard(sandbox) then call('ZADD', boardsOf(holder), at, sandbox)
  elseif isNew then rank(sizesOf(holder), group, 1) end
  local keys = {ownedBy(group), roomsOf(group), groupsOf(holder), sizesOf(holder), boardsOf(holder), logsOf(holder)}
  for _, key in ipairs(keys) do call('PEXPIRE', key, lifeMs) end
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
  local isCounted = call('ZREM', used, sandbox) == 1
  if isCounted then rank(counts, holder, -1) end
  if hasMany(holder) then
    call('ZREM', ownedBy(groupOf(sandbox)), sandbox)
    if isBoard(sandbox) then call('ZREM', boardsOf(holder), sandbox)
    elseif isCounted then rank(sizesOf(holder), groupOf(sandbox), -1) end
  end
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

-- Returns the largest group of a holder by this key, or the holder itself where a replica of another version counted.
local function largestGroup(holder, key) return call('ZREVRANGE', key, 0, 0)[1] or holder end

-- Drops the least recently used of some sandboxes, but never the one that needs room, nor a board.
local function dropFirst(sandboxes)
  for _, sandbox in ipairs(sandboxes) do
    if sandbox ~= name and not isBoard(sandbox) then
      drop(sandbox)
      return true
    end
  end
  return false
end

local function dropOldestIn(group) return dropFirst(call('ZRANGE', ownedBy(group), 0, 2)) end

local function dropBoard(holder)
  local board = call('ZRANGE', boardsOf(holder), 0, 0)[1]
  if not board or board == name then return false end
  drop(board)
  return true
end

-- Drops the least recently used sandbox of a holder's largest group, and boards last.
local function dropOldestOf(holder)
  if not hasMany(holder) then return dropFirst({holder}) end
  return dropOldestIn(largestGroup(holder, sizesOf(holder))) or dropBoard(holder)
end

-- Drops a sandbox of a holder's largest group to make room for this many bytes: the least recently used one of an
-- account's own, or else the largest.
local function dropForBytes(holder, size)
  if not hasMany(holder) then return dropFirst({holder}) end
  local group = largestGroup(holder, groupsOf(holder))
  if not isByRoom(group) then return dropOldestIn(group) or dropBoard(holder) end
  local largest = call('ZREVRANGE', roomsOf(group), 0, 0, 'WITHSCORES')
  if not largest[1] then return dropBoard(holder) end
  if largest[1] == name or tonumber(largest[2]) <= size then return false end
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
  local size, group = numberIn(room, name) + bytes, groupOf(name)
  if size > maxOwnBytes then return 'sandboxFull' end
  local others = isBoard(name) and 0 or sandboxes
  while isAccount(group) and call('ZCARD', ownedBy(group)) + others > maxOwnedSandboxes do
    if not dropOldestIn(group) then return 'ownerFull' end
  end
  while isAccount(holder) and held() > maxOwnedBytes do
    if not dropForBytes(holder, size) then return 'ownerFull' end
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
  local own = maxOwnBytes - numberIn(room, name) - bytes
  if isAccount(holderOf(name)) then own = math.min(own, maxOwnedBytes - held) end
  return math.max(0, math.min(extra, own, maxBytes - numberIn(totals, 'room') - bytes))
end

local operations = {}

-- Assigns room for this many bytes, and for a further step or a sixteenth of its room, if that is free.
function operations.grow(bytes, step, holder)
  local wanted = tonumber(bytes)
  sweep(10)
  local isNew = call('HEXISTS', room, name) == 0
  local isGiven = isCaller(holder) or (classOf(name) and holder ~= classOf(name))
  if isNew and not isPermanent and isGiven then call('HSET', callers, name, holder) end
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
