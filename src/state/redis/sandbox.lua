-- What happens to one sandbox: the operations of a batch, in turn and as one step.
--
-- All keys of a sandbox begin with KEYS[1], whose part in braces keeps them on one node of a cluster:
--
--   {..}               hash, the head: createdAtMs, usedAtMs, notedAtMs (when its keys and the registry were
--                      told so), offsetMs (of its clock), sequence (of its latest
--                      write), bytes and logBytes (held), room and logRoom (what the registry let it have), entries
--                      (of all logs), and of each space "v:flags:space" → the sequence of its latest write
--   {..}rows:space     hash: key → "version created expiresAtMs value": the sequences of its latest and first write,
--                      its expiry or -, and the value as JSON
--   {..}order:space    sorted set: keys by their first write
--   {..}ends:space     sorted set: keys by expiry, in spaces that are kept when full
--   {..}log:log        stream of the log "space|key": "sequence-age" → the entry; ages order over all logs
--   {..}logs           hash: "last log", "cleared log", "bytes log"
--   {..}ages           sorted set: logs that hold entries by the age of their oldest
--
-- ARGV: the time, how long the sandbox may be idle (0: for ever), how long its keys live, the steps of room for
-- values and for logs, the channel, the name of the sandbox; then each operation, after the number of its words.
-- Flags of a space: f(indable), k(ept when full), l(ogs).
--
-- Answers what became of the sandbox, the findable keys that went, then an answer for each operation:
-- "room" wants so many bytes more from the registry before it can be done. The word after "room" and "conflict"
-- says whether the sandbox took what room the operation brought.

local call = redis.call
local head = KEYS[1]
local now, idleMs, lifeMs = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local step, logStep, channel, name = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], ARGV[7]
local firstOperation = 8

local sandboxBytes, placeBytes, logEntryBytes = 1000, 80, 512
local logs, ages = head .. 'logs', head .. 'ages'

-- Lua would write large numbers with an exponent.
local function text(number) return string.format('%.0f', number) end

local fields = {'usedAtMs', 'notedAtMs', 'sequence', 'bytes', 'logBytes', 'room', 'logRoom', 'entries'}
local sandbox, entriesBefore
-- Spaces by their names, as they are in this batch.
local known = {}
local gone, woken, released, logReleased = {}, {}, 0, 0

local function load()
  local found = call('HMGET', head, 'createdAtMs', 'offsetMs', unpack(fields))
  if not found[1] then return nil end
  local loaded = {createdAtMs = found[1], offsetMs = found[2]}
  for place, field in ipairs(fields) do loaded[field] = tonumber(found[place + 2]) end
  return loaded
end

local function keep(key) call('PEXPIRE', key, lifeMs) end

local function save()
  local flat = {}
  for _, field in ipairs(fields) do
    flat[#flat + 1] = field
    flat[#flat + 1] = text(sandbox[field])
  end
  for _, space in pairs(known) do
    if space.version then
      flat[#flat + 1] = space.field
      flat[#flat + 1] = space.version
    end
  end
  call('HSET', head, 'createdAtMs', sandbox.createdAtMs, 'offsetMs', sandbox.offsetMs, unpack(flat))
end

local function create()
  sandbox = {createdAtMs = ARGV[1], offsetMs = '0', usedAtMs = now, notedAtMs = now}
  for place = 3, #fields do sandbox[fields[place]] = 0 end
  sandbox.bytes = sandboxBytes
  save()
  keep(head)
end

-- No number comes twice, not even after the server has lost the latest writes: it begins at the time.
local time = call('TIME')
local function nextSequence()
  sandbox.sequence = math.max(sandbox.sequence + 1, tonumber(time[1]) * 1000000 + tonumber(time[2]))
  return text(sandbox.sequence)
end

local function spaceOf(spaceName, flags)
  local space = known[spaceName]
  if space then return space end
  space = {
    name = spaceName,
    places = 2 + #flags,
    isFindable = string.find(flags, 'f') ~= nil,
    isKept = string.find(flags, 'k') ~= nil,
    isLog = string.find(flags, 'l') ~= nil,
    field = 'v:' .. flags .. ':' .. spaceName,
    rows = head .. 'rows:' .. spaceName,
    order = head .. 'order:' .. spaceName,
    ends = head .. 'ends:' .. spaceName,
  }
  known[spaceName] = space
  return space
end

-- All that were ever written, those of this batch among them.
local function spaces()
  for _, field in ipairs(call('HKEYS', head)) do
    local flags, spaceName = string.match(field, '^v:(%a*):(.*)$')
    if flags then spaceOf(spaceName, flags) end
  end
  return known
end

local function logKey(log) return head .. 'log:' .. log end
local function entrySize(entry) return #entry[2][2] + logEntryBytes end
local function oldestOf(log) return call('XRANGE', logKey(log), '-', '+', 'COUNT', 2) end

local function countEntry(log, number, bytes)
  sandbox.entries = sandbox.entries + number
  sandbox.logBytes = sandbox.logBytes + bytes
  call('HINCRBY', logs, 'bytes ' .. log, text(bytes))
end

local function dropOldest(log, oldest)
  call('XDEL', logKey(log), oldest[1][1])
  countEntry(log, -1, -entrySize(oldest[1]))
  if oldest[2] then call('ZADD', ages, string.match(oldest[2][1], '%d+$'), log) else call('ZREM', ages, log) end
end

local function emptyLog(log)
  local size = call('XLEN', logKey(log))
  if size == 0 then return end
  countEntry(log, -size, -tonumber(call('HGET', logs, 'bytes ' .. log)))
  call('UNLINK', logKey(log))
  call('ZREM', ages, log)
end

-- Drops what is oldest in all logs until so many bytes more fit; says whether they do.
local function shrinkLogs(bytes)
  while sandbox.logBytes + bytes > sandbox.logRoom do
    local oldest = call('ZRANGE', ages, 0, 0)[1]
    if not oldest then return false end
    dropOldest(oldest, oldestOf(oldest))
    woken[oldest] = true
  end
  return true
end

local function timeHere() return now + tonumber(sandbox.offsetMs) end
local function isLive(row)
  local expiresAtMs = string.match(row, '^%d+ %d+ (%S+)')
  return expiresAtMs == '-' or timeHere() < tonumber(expiresAtMs)
end

local function rowBytes(space, key, row) return space.places * (placeBytes + #key) + #row end

local function remove(space, key, row)
  call('HDEL', space.rows, key)
  call('ZREM', space.order, key)
  sandbox.bytes = sandbox.bytes - rowBytes(space, key, row)
  if space.isKept then call('ZREM', space.ends, key) end
  if space.isFindable then gone[#gone + 1] = space.name .. '|' .. key end
  if not space.isLog then return end
  local log = space.name .. '|' .. key
  emptyLog(log)
  call('HDEL', logs, 'last ' .. log, 'cleared ' .. log, 'bytes ' .. log)
  woken[log] = true
end

local function drop()
  for _, space in pairs(spaces()) do
    if space.isFindable or space.isLog then
      for _, key in ipairs(call('HKEYS', space.rows)) do
        if space.isFindable then gone[#gone + 1] = space.name .. '|' .. key end
        if space.isLog then
          call('UNLINK', logKey(space.name .. '|' .. key))
          woken[space.name .. '|' .. key] = true
        end
      end
    end
    call('UNLINK', space.rows, space.order, space.ends)
  end
  call('UNLINK', head, logs, ages)
  sandbox, known = nil, {}
end

-- Leaves room for one more key, and looks at two of the oldest so that ended ones do not pile up. Answers
-- whether there is any room, how many keys are left, and how many went.
local function makeRoom(space, maxKeys)
  local size, removed = call('HLEN', space.rows), 0
  local function removeKey(key, row)
    remove(space, key, row)
    size, removed = size - 1, removed + 1
  end
  if space.isKept then
    for _, key in ipairs(call('ZRANGEBYSCORE', space.ends, '-inf', text(timeHere()), 'LIMIT', 0, 10)) do
      removeKey(key, call('HGET', space.rows, key))
    end
    return size < maxKeys, size, removed
  end
  local before
  repeat
    before = removed
    local oldest = call('ZRANGE', space.order, 0, 1)
    local rows = oldest[1] and call('HMGET', space.rows, unpack(oldest)) or {}
    for place, row in ipairs(rows) do
      if size >= maxKeys or not isLive(row) then removeKey(oldest[place], row) end
    end
  until removed == before or (removed >= 100 and size < maxKeys)
  return true, size, removed
end

-- Answers the version of the space before; the last one of a batch is what is kept.
local function bump(space, sequence)
  local before = space.version or call('HGET', head, space.field) or '0'
  space.version = sequence
  return before
end

-- What the registry gave stays with the sandbox; without one, with who asked for it.
local function take(room)
  if sandbox then sandbox.room = sandbox.room + tonumber(room) end
end

local function wantsRoom(growth, room)
  if not sandbox then
    local wanted = math.max(0, growth) + sandboxBytes
    if tonumber(room) < wanted then return {'room', '0', text(wanted)} end
    create()
    take(room)
  elseif growth > 0 and sandbox.bytes + growth > sandbox.room then
    return {'room', '1', text(sandbox.bytes + growth - sandbox.room)}
  end
  return nil
end

local operations = {}

-- Compares and sets, or deletes when there is no value. Expected are the version (0: none) and the offset.
function operations.write(room, spaceName, flags, maxKeys, key, version, offsetMs, isNew, expiresAtMs, value)
  local space = spaceOf(spaceName, flags)
  take(room)
  local row = sandbox and call('HGET', space.rows, key)
  local found, created = '0', nil
  if row then found, created = string.match(row, '^(%d+) (%d+)') end
  if found ~= version or (sandbox and sandbox.offsetMs or '0') ~= offsetMs then
    return {'conflict', sandbox and '1' or '0', sandbox and sandbox.offsetMs or '0', row or ''}
  end
  if not value then
    if not row then return {'written', '0', '0', '0'} end
    remove(space, key, row)
    local sequence = nextSequence()
    return {'written', bump(space, sequence), sequence, '0'}
  end
  local rest = ' ' .. expiresAtMs .. ' ' .. value
  local bytes = rowBytes(space, key, rest) + 33
  local wanted = wantsRoom(bytes - (row and rowBytes(space, key, row) or 0), room)
  if wanted then return wanted end
  local sequence, left, removed = nextSequence(), nil, 0
  if isNew == '1' then
    -- What is left of an ended value of this key needs no room of its own.
    if row then
      remove(space, key, row)
      if space.isFindable then gone[#gone] = nil end
    end
    local isThere
    isThere, left, removed = makeRoom(space, tonumber(maxKeys))
    if not isThere then return {'full'} end
    created = sequence
    call('ZADD', space.order, sequence, key)
    row = nil
  end
  local stored = sequence .. ' ' .. created .. rest
  call('HSET', space.rows, key, stored)
  sandbox.bytes = sandbox.bytes + rowBytes(space, key, stored) - (row and rowBytes(space, key, row) or 0)
  if space.isKept then
    if expiresAtMs == '-' then call('ZREM', space.ends, key) else call('ZADD', space.ends, expiresAtMs, key) end
    keep(space.ends)
  end
  if left == 0 then
    keep(space.rows)
    keep(space.order)
  end
  -- When others went for it, what was known of them is not true any more.
  local before = bump(space, sequence)
  return {'written', removed == 0 and before or '-1', sequence, created}
end

function operations.setOffset(room, offsetMs)
  take(room)
  local wanted = wantsRoom(0, room)
  if wanted then return wanted end
  sandbox.offsetMs = offsetMs
  return {'written'}
end

local function hasKey(spaceName, key)
  local row = sandbox and call('HGET', head .. 'rows:' .. spaceName, key)
  return row and isLive(row)
end

-- With what the registry has given, older entries make room for what is still missing.
function operations.append(room, isGiven, spaceName, key, maxEntries, entry)
  if sandbox then sandbox.logRoom = sandbox.logRoom + tonumber(room) end
  if not hasKey(spaceName, key) then return {'gone'} end
  local log = spaceName .. '|' .. key
  local size = #entry + logEntryBytes
  local count = call('XLEN', logKey(log))
  local missing, oldest = sandbox.logBytes + size - sandbox.logRoom, nil
  if count >= tonumber(maxEntries) then
    oldest = oldestOf(log)
    missing = missing - entrySize(oldest[1])
  end
  if missing > 0 and isGiven == '0' then return {'room', text(missing)} end
  if oldest then dropOldest(log, oldest) end
  local sequence = text(call('HINCRBY', logs, 'last ' .. log, 1))
  woken[log] = true
  if not shrinkLogs(size) then return {'written', sequence} end
  local age = nextSequence()
  call('XADD', logKey(log), sequence .. '-' .. age, 'e', entry)
  countEntry(log, 1, size)
  if count == 0 or not call('ZSCORE', ages, log) then
    call('ZADD', ages, age, log)
    for _, each in ipairs({logKey(log), logs, ages}) do keep(each) end
  end
  return {'written', sequence}
end

function operations.clear(spaceName, key)
  if not hasKey(spaceName, key) then return {'gone'} end
  local log = spaceName .. '|' .. key
  emptyLog(log)
  call('HSET', logs, 'cleared ' .. log, text(call('HINCRBY', logs, 'last ' .. log, 1)))
  keep(logs)
  woken[log] = true
  return {'written'}
end

-- The registry gave so many bytes of its logs to others.
function operations.shrink(bytes)
  if not sandbox then return {'gone'} end
  sandbox.logRoom = math.max(0, sandbox.logRoom - tonumber(bytes))
  shrinkLogs(0)
  return {'written'}
end

-- It is in use: everything lives on. Answers the room it has, and its findable keys.
function operations.use()
  if not sandbox then return {'gone'} end
  sandbox.notedAtMs = now
  local answer = {'written', text(sandbox.room), text(sandbox.logRoom)}
  for _, each in ipairs({head, logs, ages}) do keep(each) end
  for _, space in pairs(spaces()) do
    for _, each in ipairs({space.rows, space.order, space.ends}) do keep(each) end
    if space.isFindable or space.isLog then
      for _, key in ipairs(call('HKEYS', space.rows)) do
        if space.isFindable then answer[#answer + 1] = space.name .. '|' .. key end
        if space.isLog then keep(logKey(space.name .. '|' .. key)) end
      end
    end
  end
  return answer
end

function operations.drop()
  if sandbox then drop() end
  return {'written'}
end

local function giveBack(room, held, step)
  local spare, by = sandbox[room] - sandbox[held], math.max(step, math.floor(sandbox[held] / 16))
  if spare <= 2 * by then return 0 end
  sandbox[room] = sandbox[held] + by
  return spare - by
end

sandbox = load()
if sandbox and idleMs > 0 and now - sandbox.usedAtMs >= idleMs then drop() end
entriesBefore = sandbox and sandbox.entries or 0
local answers = {}
local place = firstOperation
while ARGV[place] do
  local count = tonumber(ARGV[place])
  answers[#answers + 1] = operations[ARGV[place + 1]](unpack(ARGV, place + 2, place + count))
  place = place + count + 1
end
if sandbox then
  sandbox.usedAtMs = now
  released = giveBack('room', 'bytes', step)
  logReleased = giveBack('logRoom', 'logBytes', logStep)
  save()
end
local heard = {}
for log in pairs(woken) do heard[#heard + 1] = name .. '|' .. log end
if #heard > 0 then call('PUBLISH', channel, cjson.encode(heard)) end
local state = sandbox and {sandbox.offsetMs, text(sandbox.notedAtMs)} or {}
local counts = {text(released), text(logReleased), text((sandbox and sandbox.entries or entriesBefore) - entriesBefore)}
return {state, counts, gone, unpack(answers)}
