-- The index: every room by the end of its lease, and the summaries that the lobby lists. The index is only a hint;
-- the room's own key decides.
-- KEYS  leases, summaries
-- ARGV  verb, then the arguments of the verb
local leases, summaries, verb = KEYS[1], KEYS[2], ARGV[1]

local function number(value) return string.format('%.0f', value) end

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local verbs = {}

-- Called before the room itself is written, so that every room is in the index.
function verbs.announce(room, lease)
  return redis.call('ZADD', leases, 'NX', number(now() + lease), room)
end

-- Renew the entries of these rooms. Returns the rooms without a summary; their owner lists them again.
function verbs.hold(lease, ...)
  local till, unlisted = number(now() + lease), {}
  for _, room in ipairs({...}) do
    redis.call('ZADD', leases, till, room)
    if redis.call('HEXISTS', summaries, room) == 0 then unlisted[#unlisted + 1] = room end
  end
  return unlisted
end

function verbs.free(...)
  for _, room in ipairs({...}) do redis.call('ZADD', leases, 0, room) end
  return 1
end

-- Store a summary unless a newer one is stored: a delayed write must not replace it.
function verbs.list(room, epoch, version, summary)
  local held = redis.call('HGET', summaries, room)
  if held then
    local its_epoch, its_version = string.match(held, '^(%d+):(%d+):')
    its_epoch, its_version = tonumber(its_epoch), tonumber(its_version)
    local mine, my_version = tonumber(epoch), tonumber(version)
    if its_epoch > mine or (its_epoch == mine and its_version > my_version) then return 0 end
  end
  redis.call('HSET', summaries, room, epoch .. ':' .. version .. ':' .. summary)
  return 1
end

function verbs.forget(room)
  redis.call('ZREM', leases, room)
  redis.call('HDEL', summaries, room)
  return 1
end

-- Remove the entry of a room that does not exist. A recent entry stays: the room may be about to be written.
function verbs.bury(room)
  local till = redis.call('ZSCORE', leases, room)
  if till and tonumber(till) > now() then return 0 end
  return verbs.forget(room)
end

-- The rooms whose lease has expired, and those whose lease is from before the clock was set back (see lease.lua).
function verbs.late(lease)
  local rooms = redis.call('ZRANGEBYSCORE', leases, '-inf', number(now()))
  for _, room in ipairs(redis.call('ZRANGEBYSCORE', leases, '(' .. number(now() + 2 * lease), '+inf')) do
    rooms[#rooms + 1] = room
  end
  return rooms
end

function verbs.all()
  return redis.call('ZRANGE', leases, 0, -1)
end

function verbs.listed()
  local out = {}
  local all = redis.call('HGETALL', summaries)
  for at = 1, #all, 2 do
    local summary = string.match(all[at + 1], '^%d+:%d+:(.*)$')
    if summary ~= '' and redis.call('ZSCORE', leases, all[at]) then
      out[#out + 1] = {all[at], summary}
    end
  end
  return out
end

return verbs[verb](unpack(ARGV, 2))
