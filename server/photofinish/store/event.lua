-- Tournament events: an append-only log, and the lease of the node that directs the event. All keys of one event
-- share a cluster slot.
-- KEYS  event, log
-- ARGV  verb, then the arguments of the verb
local event, log, verb = KEYS[1], KEYS[2], ARGV[1]

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local verbs = {}

-- Create an event with its first entries. 0: the code is taken. A retry with the same token gets the first answer.
function verbs.create(token, secret, file, ...)
  local held = redis.call('HGET', event, 'created')
  if held then return held == token and 1 or 0 end
  redis.call('HSET', event, 'created', token, 'secret', secret, 'file', file, 'epoch', 0, 'until', 0, 'command', '')
  for _, entry in ipairs({...}) do redis.call('RPUSH', log, entry) end
  return 1
end

-- Append entries if the log has exactly `count` of them. `epoch` 0 is a command of a player or organiser: any node
-- may append it, and the first one wins. Another epoch is the director's: an outdated epoch is refused ("fenced").
function verbs.append(command, count, epoch, file, ...)
  local held = redis.call('HMGET', event, 'command', 'epoch', 'created')
  if not held[3] then return 'gone' end
  if held[1] == command then return 'stored' end
  if epoch ~= '0' and held[2] ~= epoch then return 'fenced' end
  if redis.call('LLEN', log) ~= tonumber(count) then return 'behind' end
  for _, entry in ipairs({...}) do redis.call('RPUSH', log, entry) end
  if file ~= '' then redis.call('HSET', event, 'command', command, 'file', file)
  else redis.call('HSET', event, 'command', command) end
  return 'stored'
end

-- Take or renew the lease. Returns the epoch and for how many ms nobody held the lease before, or false if another
-- node holds it.
function verbs.lease(node, ms)
  local held = redis.call('HMGET', event, 'node', 'until', 'epoch', 'created')
  if not held[4] then return false end
  local left = tonumber(held[2]) - now()
  if held[1] == node and left > 0 then
    redis.call('HSET', event, 'until', now() + ms)
    return {held[3], 0}
  end
  if left > 0 and left <= 2 * tonumber(ms) then return false end
  local epoch = string.format('%.0f', tonumber(held[3]) + 1)
  local gap = 0 -- `until` is 0 before the first lease
  if held[2] ~= '0' then gap = math.max(0, held[1] and -left + tonumber(ms) or -left) end
  redis.call('HSET', event, 'node', node, 'until', now() + ms, 'epoch', epoch)
  return {epoch, gap}
end

-- Without a node, `until` is the time of the release.
function verbs.release(node)
  if redis.call('HGET', event, 'node') == node then
    redis.call('HSET', event, 'until', now())
    redis.call('HDEL', event, 'node')
  end
  return 1
end

return verbs[verb](unpack(ARGV, 2))
