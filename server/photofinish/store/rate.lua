-- Ratings of one game that an event has changed: all of them or none, and each change once.
-- KEYS  ratings
-- ARGV  field that says how much of the event's log is counted, what it must say, what it says then;
--       then per player: key, rating before (empty: none), rating after
local ratings, field, from, upto = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if (redis.call('HGET', ratings, field) or '0') ~= from then return 0 end
for at = 4, #ARGV, 3 do
  if (redis.call('HGET', ratings, ARGV[at]) or '') ~= ARGV[at + 1] then return 0 end
end
for at = 4, #ARGV, 3 do redis.call('HSET', ratings, ARGV[at], ARGV[at + 2]) end
redis.call('HSET', ratings, field, upto)
return 1
