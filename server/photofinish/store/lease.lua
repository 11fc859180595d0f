-- The lease of a room: which node may write it. All times are from the Redis clock, so nodes need no common clock.
-- KEYS  room, and for `remove` the prefix of its log keys (same slot); for `renew_all` many rooms
-- ARGV  verb, then the arguments of the verb
local room, verb = KEYS[1], ARGV[1]

local function number(value) return string.format('%.0f', value) end

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function later(epoch) return number(tonumber(epoch) + 1) end

-- A unique epoch: the time, then three random digits. It is unique even if a failover has lost the last epochs.
-- With a counter, two owners could get the same epoch after a failover, each with a different history.
local function fresh(token)
  return now() * 1000 + tonumber(string.sub(token, 1, 6), 16) % 1000
end

local verbs = {}

-- Create a room. If the code was used before, the new epoch is later, so a writer of the old room is refused.
function verbs.create(node, token, lease, state, summary)
  local held = redis.call('HMGET', room, 'epoch', 'c0', 'node', 'claim')
  if held[1] then
    -- A retry with the same token gets the first answer. But not if the room was acquired since: then two owners
    -- would have the same epoch.
    local is_still_ours = held[2] == token and held[3] == node and not held[4]
    return is_still_ours and held[1] or false
  end
  local epoch = number(fresh(token))
  redis.call('HSET', room, 'epoch', epoch, 'node', node, 'until', number(now() + lease), 'version', 0,
    'game', 0, 'state', state, 'summary', summary, 'c0', token)
  return epoch
end

-- Take the lease. A token names one attempt: a retry gets the first answer, unless the room was freed since.
function verbs.acquire(node, token, lease)
  local held = redis.call('HMGET', room, 'epoch', 'until', 'claim', 'version', 'state', 'game', 'summary', 'node')
  if not held[1] then return false end
  local epoch = held[1]
  if held[3] ~= token or held[8] ~= node then
    -- A lease that ends later than a new lease could was given before the clock was set back. Its age is unknown,
    -- so it counts as expired: taking a room too early only makes its players reconnect.
    local left = tonumber(held[2]) - now()
    if left > 0 and left <= 2 * lease then return {held[2]} end
    epoch = number(math.max(tonumber(epoch) + 1, fresh(token)))
    redis.call('HSET', room, 'epoch', epoch, 'node', node, 'until', number(now() + lease), 'claim', token)
  end
  return {held[2], epoch, held[4], held[5], held[6], held[7]}
end

-- An expired lease that no other node has taken can still be renewed, so that a stall does not end a room.
function verbs.renew(epoch, lease)
  if redis.call('HGET', room, 'epoch') ~= epoch then return 0 end
  redis.call('HSET', room, 'until', number(now() + lease))
  return 1
end

-- The same for many rooms, each with its epoch. Returns 1 or 0 for each. Not for a cluster: the rooms have other slots.
function verbs.renew_all(lease, ...)
  local till, kept = number(now() + lease), {}
  for place, epoch in ipairs({...}) do
    kept[place] = 0
    if redis.call('HGET', KEYS[place], 'epoch') == epoch then
      redis.call('HSET', KEYS[place], 'until', till)
      kept[place] = 1
    end
  end
  return kept
end

function verbs.release(epoch)
  if redis.call('HGET', room, 'epoch') ~= epoch then return 0 end
  redis.call('HSET', room, 'until', 0, 'node', '', 'epoch', later(epoch))
  return 1
end

function verbs.reclaim(node)
  local held = redis.call('HMGET', room, 'epoch', 'node')
  if not held[1] or held[2] == '' or (node ~= '' and held[2] ~= node) then return 0 end
  redis.call('HSET', room, 'until', 0, 'node', '', 'epoch', later(held[1]))
  return 1
end

function verbs.remove(epoch)
  local held = redis.call('HMGET', room, 'epoch', 'game')
  if not held[1] then return 1 end
  if held[1] ~= epoch then return 0 end
  for game = 0, tonumber(held[2]) do redis.call('UNLINK', KEYS[2] .. game) end
  redis.call('UNLINK', room)
  return 1
end

function verbs.owner()
  local held = redis.call('HMGET', room, 'node', 'until')
  if not held[1] or held[1] == '' or tonumber(held[2]) <= now() then return false end
  return held[1]
end

return verbs[verb](unpack(ARGV, 2))
