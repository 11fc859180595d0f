-- One commit of one room: state and log at once, or nothing.
-- KEYS  room, log of this game
-- ARGV  epoch, version after it, command, field that remembers the command, game, state, 1 if a summary follows,
--       summary, log entries…
local room, log = KEYS[1], KEYS[2]
local epoch, version, command, field = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local held = redis.call('HMGET', room, 'epoch', 'version', field)
-- Checked first, whichever node owns the room now: a stored commit stays stored and gets the same answer again.
if held[3] == command then return 'stored' end
if not held[1] then return 'there is no such room' end
if held[1] ~= epoch then return 'another node owns it now' end
if tonumber(held[2]) ~= tonumber(version) - 1 then return 'it stands at version ' .. held[2] end

-- The log first: an id that is not past the last one is refused by XADD itself, before anything is written.
for entry = 9, #ARGV do
  redis.call('XADD', log, version .. '-' .. (entry - 9), 'e', ARGV[entry])
end
if ARGV[7] == '1' then
  redis.call('HSET', room, 'version', version, 'state', ARGV[6], 'game', ARGV[5], field, command, 'summary', ARGV[8])
else
  redis.call('HSET', room, 'version', version, 'state', ARGV[6], 'game', ARGV[5], field, command)
end
return 'stored'
