-- Runs the operations of a batch on one sandbox, in order and as one step.
--
-- All keys of a sandbox begin with KEYS[1], whose part in braces keeps them on one node of a cluster:
--
--   {..}               hash, the head: createdAtMs, usedAtMs, notedAtMs (when its keys and the registry were
--                      updated), offsetMs (of its clock), sequence (of its latest
--                      write), bytes and logBytes (held), room and logRoom (assigned by the registry), entries
--                      (of all logs), and for each space "v:flags:space" → the sequence of its latest write
--   {..}rows:space     hash: key → "version created expiresAtMs value": the sequences of its latest and first write,
--                      its expiry or -, and the value as JSON
--   {..}order:space    sorted set: keys by their first write
--   {..}ends:space     sorted set: keys by expiry, in spaces that never evict
--   {..}log:log        stream of the log "space|key": "sequence-age" → the entry; ages order over all logs
--   {..}logs           hash: "last log", "cleared log", "bytes log"
--   {..}ages           sorted set: logs with entries by the age of their oldest
--
--   {..}heard:log      exists while a client waits for the log "space|key"
--
-- ARGV: words, each after its length in four bytes, or the highest length for a word that is a separate argument,
-- because Lua copies a large text for each string. They are the time, how long the sandbox may be idle (0: forever),
-- the time to live of its keys, the steps of room for values and for logs, the channel, the name of the sandbox, the
-- number of operations; then the operations, each with its words. Flags of a space: f(indable), k(ept when full), l(ogs).
--
-- Returns the outcome for the sandbox, the removed findable keys, then a result for each operation. The word
-- after the outcome says whether the sandbox used the room that it was given; "room" and "logRoom" request this many
-- more bytes from the registry before the operation can run.

local call = redis.call
local head = KEYS[1]
local packed, at, argument = ARGV[1], 1, 1
local function word()
  local length = struct.unpack('>I4', packed, at)
  if length == 4294967295 then
    at, argument = at + 4, argument + 1
    return ARGV[argument]
  end
  at = at + 4 + length
  return string.sub(packed, at - length, at - 1)
end
local now, idleMs, lifeMs = tonumber(word()), tonumber(word()), word()
local step, logStep, channel, name = tonumber(word()), tonumber(word()), word(), word()

local sandboxBytes, placeBytes, logEntryBytes = 1000, 80, 512
local logs, ages = head .. 'logs', head .. 'ages'

-- Lua would write large numbers with an exponent.
local function text(number) return string.format('%.0f', number) end

local fields = {'usedAtMs', 'notedAtMs', 'sequence', 'bytes', 'logBytes', 'room', 'logRoom', 'entries'}
local sandbox, entriesBefore
-- Spaces by name, with the changes of this batch.
local known = {}
local gone, woken, released, logReleased = {}, {}, 0, 0
-- The arguments of an operation are kept for its next attempt.
local isWaited = false

local saved = {}
local function load()
  local found = call('HMGET', head, 'createdAtMs', 'offsetMs', unpack(fields))
  if not found[1] then return nil end
  local loaded = {createdAtMs = found[1], offsetMs = found[2]}
  for place, field in ipairs(fields) do loaded[field] = tonumber(found[place + 2]) end
  for field, value in pairs(loaded) do saved[field] = value end
  return loaded
end

local function keep(key) call('PEXPIRE', key, lifeMs) end

local function save()
  local flat = {}
  local function put(field, value) flat[#flat + 1], flat[#flat + 2] = field, value end
  for _, field in ipairs(fields) do
    if saved[field] ~= sandbox[field] then put(field, text(sandbox[field])) end
  end
  if saved.createdAtMs ~= sandbox.createdAtMs then put('createdAtMs', sandbox.createdAtMs) end
  if saved.offsetMs ~= sandbox.offsetMs then put('offsetMs', sandbox.offsetMs) end
  for _, space in pairs(known) do
    if space.version then put(space.field, space.version) end
  end
  if #flat > 0 then call('HSET', head, unpack(flat)) end
end

local function create()
  sandbox = {createdAtMs = text(now), offsetMs = '0', usedAtMs = now, notedAtMs = now}
  for place = 3, #fields do sandbox[fields[place]] = 0 end
  sandbox.bytes = sandboxBytes
  -- Without any of these keys, the sandbox would expire.
  saved = {}
  save()
  keep(head)
end

-- Numbers are unique, even after the server has lost the latest writes, because they begin at the current time.
local time
local function nextSequence()
  time = time or call('TIME')
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

-- All spaces that were ever written, including this batch.
local function spaces()
  for _, field in ipairs(call('HKEYS', head)) do
    local flags, spaceName = string.match(field, '^v:(%a*):(.*)$')
    if flags then spaceOf(spaceName, flags) end
  end
  return known
end

-- Logs by name, with the changes of this batch.
local opened = {}
local function logKey(log) return head .. 'log:' .. log end
local function openLog(log)
  if not opened[log] then
    local found = call('HMGET', logs, 'last ' .. log, 'cleared ' .. log, 'bytes ' .. log)
    local size = call('XLEN', logKey(log))
    opened[log] = {name = log, key = logKey(log), last = tonumber(found[1]), cleared = found[2] or '0', bytes = tonumber(found[3] or '0'), size = size}
  end
  return opened[log]
end

local function saveLogs()
  for name, log in pairs(opened) do
    if log.isChanged then
      call('HSET', logs, 'last ' .. name, text(log.last), 'cleared ' .. name, log.cleared, 'bytes ' .. name, text(log.bytes))
    end
  end
end

local function count(log, number, bytes)
  sandbox.entries, sandbox.logBytes = sandbox.entries + number, sandbox.logBytes + bytes
  log.size, log.bytes, log.isChanged = log.size + number, log.bytes + bytes, true
end

local function oldestOf(log) return call('XRANGE', log.key, '-', '+', 'COUNT', 1)[1] end

local function dropEntry(log, entry)
  call('XDEL', log.key, entry[1])
  count(log, -1, -(#entry[2][2] + logEntryBytes))
end

local function dropOldest(log) dropEntry(log, oldestOf(log)) end

local function emptyLog(log)
  if log.size == 0 then return end
  count(log, -log.size, -log.bytes)
  call('UNLINK', log.key)
  call('ZREM', ages, log.name)
end

-- Drops the oldest entries of all logs until this many more bytes fit; returns whether they do.
local function shrinkLogs(bytes)
  while sandbox.logBytes + bytes > sandbox.logRoom do
    local name, noted = unpack(call('ZRANGE', ages, 0, 0, 'WITHSCORES'))
    if not name then return false end
    local log = openLog(name)
    local oldest = oldestOf(log)
    local age = oldest and string.match(oldest[1], '%d+$')
    if not oldest then
      call('ZREM', ages, name)
    elseif tonumber(age) > tonumber(noted) then
      -- The noted entry has been removed since.
      call('ZADD', ages, age, name)
    else
      dropOldest(log)
      woken[name] = true
    end
  end
  return true
end

local function timeHere() return now + tonumber(sandbox.offsetMs) end
local function isLive(row)
  local expiresAtMs = string.match(row, '^%d+ %d+ (%S+)')
  return expiresAtMs == '-' or timeHere() < tonumber(expiresAtMs)
end

local function doesEnd(row) return string.find(row, '^%d+ %d+ %-') == nil end
local function rowBytes(space, key, row) return space.places * (placeBytes + #key) + #row end

-- Takes a removed row from the counts, and ends its log.
local function noteRemoved(space, key, row)
  sandbox.bytes = sandbox.bytes - rowBytes(space, key, row)
  if space.isFindable then gone[#gone + 1] = space.name .. '|' .. key end
  if not space.isLog then return end
  local log = space.name .. '|' .. key
  emptyLog(openLog(log))
  opened[log] = nil
  call('HDEL', logs, 'last ' .. log, 'cleared ' .. log, 'bytes ' .. log)
  woken[log] = true
end

local function remove(space, key, row)
  call('HDEL', space.rows, key)
  space.isEmpty = nil
  call('ZREM', space.order, key)
  if space.isKept and doesEnd(row) then call('ZREM', space.ends, key) end
  noteRemoved(space, key, row)
end

local function removeAll(space)
  local rows = call('HGETALL', space.rows)
  call('UNLINK', space.rows, space.order, space.ends)
  space.isEmpty = nil
  for place = 1, #rows, 2 do noteRemoved(space, rows[place], rows[place + 1]) end
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
  sandbox, known, opened, saved = nil, {}, {}, {}
end

-- Makes room for one more key, and checks two of the oldest, so that expired ones do not accumulate. Returns how many were removed.
local function makeRoom(space)
  local size, removed, before = call('HLEN', space.rows), 0, nil
  repeat
    before = removed
    local oldest = call('ZRANGE', space.order, 0, 1)
    local rows = oldest[1] and call('HMGET', space.rows, unpack(oldest)) or {}
    for place, row in ipairs(rows) do
      if size >= space.maxKeys or not isLive(row) then
        remove(space, oldest[place], row)
        size, removed = size - 1, removed + 1
      end
    end
  until removed == before or (removed >= 100 and size < space.maxKeys)
  return removed
end

-- Room from the registry is stored in the sandbox; without a sandbox, the caller keeps it.
local function take(room, logRoom)
  if not sandbox then return end
  sandbox.room, sandbox.logRoom = sandbox.room + tonumber(room), sandbox.logRoom + tonumber(logRoom)
end

local function wantsRoom(growth, room)
  if not sandbox then
    local wanted = math.max(0, growth) + sandboxBytes
    if tonumber(room) < wanted then return {'room', '0', text(wanted)} end
    create()
    take(room, '0')
  elseif growth > 0 and sandbox.bytes + growth > sandbox.room then
    return {'room', '1', text(sandbox.bytes + growth - sandbox.room)}
  end
  return nil
end

local operations = {}

local function versionOf(space) return space.version or call('HGET', head, space.field) or '0' end

local function append(name, maxEntries, entry)
  local log = openLog(name)
  if log.size >= maxEntries then dropOldest(log) end
  log.last, log.isChanged, woken[name] = (log.last or 0) + 1, true, true
  local size = #entry + logEntryBytes
  if not shrinkLogs(size) then return text(log.last) end
  local age = nextSequence()
  call('XADD', log.key, text(log.last) .. '-' .. age, 'e', entry)
  count(log, 1, size)
  if log.size == 1 then
    call('ZADD', ages, age, name)
    saveLogs()
    for _, each in ipairs({log.key, logs, ages}) do keep(each) end
  end
  return text(log.last)
end

-- Returns a space that never evicts and has no room for new keys after expired keys were removed; and how many it accepts.
local function findFull(rows)
  local growth = {}
  for _, row in ipairs(rows) do
    local by = (row.kind == 'n' and 1 or 0) - (row.kind ~= 'w' and row.kind ~= 'r' and row.stored and 1 or 0)
    if row.space.isKept then growth[row.space] = (growth[row.space] or 0) + by end
  end
  for space, by in pairs(growth) do
    if by > 0 and call('HLEN', space.rows) + by > space.maxKeys then
      for _, key in ipairs(call('ZRANGEBYSCORE', space.ends, '-inf', text(timeHere()))) do
        remove(space, key, call('HGET', space.rows, key))
        space.evicted = true
      end
      for _, row in ipairs(rows) do
        if row.stored and row.space == space and call('HEXISTS', space.rows, row.key) == 0 then
          row.stored = false
          by = by + 1
        end
      end
      local free = space.maxKeys - call('HLEN', space.rows)
      if by > free then return space, free end
    end
  end
  return nil
end

local function put(row)
  local space, sequence = row.space, nextSequence()
  local created = row.stored and string.match(row.stored, '^%d+ (%d+)')
  if row.kind == 'n' then
    -- An expired value of this key is replaced, so it needs no additional room.
    if row.stored then
      remove(space, row.key, row.stored)
      if space.isFindable then gone[#gone] = nil end
    end
    if not space.isKept and makeRoom(space) > 0 then space.evicted = true end
    if space.isEmpty == nil then space.isEmpty = call('EXISTS', space.rows) == 0 end
    created = sequence
    call('ZADD', space.order, sequence, row.key)
    row.stored = nil
  end
  local stored = sequence .. ' ' .. created .. ' ' .. row.expiresAtMs .. ' ' .. row.value
  call('HSET', space.rows, row.key, stored)
  sandbox.bytes = sandbox.bytes + rowBytes(space, row.key, stored)
  if row.stored then sandbox.bytes = sandbox.bytes - rowBytes(space, row.key, row.stored) end
  if space.isKept and row.expiresAtMs ~= '-' then
    call('ZADD', space.ends, row.expiresAtMs, row.key)
    keep(space.ends)
  elseif space.isKept and row.stored and doesEnd(row.stored) then
    call('ZREM', space.ends, row.key)
  end
  if space.isEmpty then
    keep(space.rows)
    keep(space.order)
    space.isEmpty = false
  end
  return sequence
end

-- Writes rows and appends to logs, if everything that was read is unchanged: the offset, the versions of rows (0: none)
-- and of whole spaces (- for spaces of which single rows were read). commit.ts has the order of the words.
function operations.commit()
  local room, logRoom, isGiven, offsetMs = word(), word(), word() == '1', word()
  take(room, logRoom)
  local offsetNow = sandbox and sandbox.offsetMs or '0'
  local spacesHere, rows, appends = {}, {}, {}
  local conflict = {'conflict', sandbox and '1' or '0', offsetNow}
  local function differs(...) for _, each in ipairs({...}) do conflict[#conflict + 1] = each end end
  for place = 1, tonumber(word()) do
    local space = spaceOf(word(), word())
    local expected
    space.maxKeys, expected, space.evicted = tonumber(word()), word(), nil
    space.before = versionOf(space)
    spacesHere[place] = space
    if expected ~= '-' and space.before ~= expected then differs('s', text(place - 1), space.before) end
  end
  local growth, isWriting = 0, false
  for place = 1, tonumber(word()) do
    local row = {space = spacesHere[tonumber(word()) + 1], key = word(), version = word(), kind = word()}
    rows[place] = row
    if row.kind == 'n' or row.kind == 'w' then
      row.expiresAtMs, row.value, isWriting = word(), word(), true
      growth = growth + rowBytes(row.space, row.key, row.value) + #row.expiresAtMs + 35
    end
    row.stored = sandbox and call('HGET', row.space.rows, row.key)
    if (row.stored and string.match(row.stored, '^%d+') or '0') ~= row.version then
      differs('r', text(place - 1), row.stored or '')
    end
    if row.kind ~= 'r' and row.stored then growth = growth - rowBytes(row.space, row.key, row.stored) end
  end
  local logGrowth = 0
  for place = 1, tonumber(word()) do
    local each = {space = spacesHere[tonumber(word()) + 1], key = word(), maxEntries = tonumber(word())}
    each.entry = word()
    local source = word()
    each.entry = each.entry .. (source == '-' and word() or rows[tonumber(source) + 1].value)
    logGrowth = logGrowth + #each.entry + logEntryBytes
    appends[place] = each
  end
  if #conflict > 3 or offsetNow ~= offsetMs then return conflict end
  local full, free = findFull(rows)
  if full then return {'full', sandbox and '1' or '0', full.name, text(free)} end
  local wanted = isWriting and wantsRoom(growth, room)
  if wanted then return wanted end
  if not isGiven and #appends > 0 and sandbox.logBytes + logGrowth > sandbox.logRoom then
    isWaited = true
    return {'logRoom', '1', text(sandbox.logBytes + logGrowth - sandbox.logRoom)}
  end
  local first
  for _, row in ipairs(rows) do
    if row.kind ~= 'r' then
      local sequence
      if row.kind == 'd' then
        remove(row.space, row.key, row.stored)
        sequence = nextSequence()
      else
        sequence = put(row)
      end
      first = first or sequence
      row.space.version = sequence
    end
  end
  for _, each in ipairs(appends) do
    local log = each.space.name .. '|' .. each.key
    if not openLog(log).last then
      opened[log].cleared = nextSequence()
      opened[log].last = tonumber(opened[log].cleared)
    end
    append(log, each.maxEntries, each.entry)
  end
  local answer = {'written', '1', first or '0'}
  -- If other rows were evicted for it, cached values of them are outdated.
  for _, space in ipairs(spacesHere) do answer[#answer + 1] = space.evicted and '-1' or space.before end
  return answer
end

function operations.setOffset()
  local room, logRoom, _, offsetMs = word(), word(), word(), word()
  take(room, logRoom)
  local wanted = wantsRoom(0, room)
  if wanted then return wanted end
  sandbox.offsetMs = offsetMs
  return {'written', '1'}
end

local function hasKey(spaceName, key)
  local row = sandbox and call('HGET', head .. 'rows:' .. spaceName, key)
  return row and isLive(row)
end

-- Older entries make room for bytes that the registry did not assign.
function operations.append()
  local room, logRoom, isGiven = word(), word(), word() == '1'
  local spaceName, key, maxEntries, entry = word(), word(), tonumber(word()), word()
  take(room, logRoom)
  if not hasKey(spaceName, key) then return {'gone', sandbox and '1' or '0'} end
  local missing = sandbox.logBytes + #entry + logEntryBytes - sandbox.logRoom
  if missing > 0 and not isGiven then
    isWaited = true
    return {'logRoom', '1', text(missing)}
  end
  return {'written', '1', append(spaceName .. '|' .. key, maxEntries, entry)}
end

function operations.clear()
  local spaceName, key = word(), word()
  if not hasKey(spaceName, key) then return {'gone'} end
  local log = openLog(spaceName .. '|' .. key)
  emptyLog(log)
  log.last, log.isChanged = (log.last or 0) + 1, true
  log.cleared, woken[log.name] = text(log.last), true
  saveLogs()
  keep(logs)
  return {'written'}
end

function operations.remove()
  local spaceName, key, sequence = word(), word(), word()
  if not hasKey(spaceName, key) then return {'gone'} end
  local log = openLog(spaceName .. '|' .. key)
  local entry = call('XRANGE', log.key, sequence, sequence)[1]
  if not entry then return {'gone'} end
  dropEntry(log, entry)
  saveLogs()
  keep(logs)
  return {'written'}
end

-- The registry assigned this many bytes of its logs to others.
function operations.shrink()
  local bytes = tonumber(word())
  if not sandbox then return {'gone'} end
  sandbox.logRoom = math.max(0, sandbox.logRoom - bytes)
  shrinkLogs(0)
  return {'written'}
end

-- It is in use, so all its keys are kept. Returns its room, and its findable keys.
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

-- Empties the sandbox, except these spaces. If nothing is in those, all of it is to be dropped.
function operations.reset()
  local kept, isAnyKept = {}, false
  for _ = 1, tonumber(word()) do
    local spaceName = word()
    kept[spaceName] = true
    if sandbox and call('EXISTS', head .. 'rows:' .. spaceName) == 1 then isAnyKept = true end
  end
  if not isAnyKept then return {'gone'} end
  for _, space in pairs(spaces()) do
    if not kept[space.name] then
      removeAll(space)
      space.version = nextSequence()
    end
  end
  sandbox.createdAtMs, sandbox.offsetMs = text(now), '0'
  return {'written'}
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
for place = 1, tonumber(word()) do answers[place] = operations[word()]() end
if sandbox then
  sandbox.usedAtMs = now
  if not isWaited then
    released = giveBack('room', 'bytes', step)
    logReleased = giveBack('logRoom', 'logBytes', logStep)
  end
  saveLogs()
  save()
end
local heard = {}
for log in pairs(woken) do
  if call('EXISTS', head .. 'heard:' .. log) == 1 then heard[#heard + 1] = name .. '|' .. log end
end
if #heard > 0 then call('PUBLISH', channel, cjson.encode(heard)) end
local state = sandbox and {sandbox.offsetMs, text(sandbox.notedAtMs)} or {}
local counts = {text(released), text(logReleased), text((sandbox and sandbox.entries or entriesBefore) - entriesBefore)}
return {state, counts, gone, unpack(answers)}
