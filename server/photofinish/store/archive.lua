-- Archives a finished game: stores its replay with an expiry and deletes its log.
-- KEYS  replay, log
-- ARGV  replay, seconds to keep it
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('UNLINK', KEYS[2])
return 1
