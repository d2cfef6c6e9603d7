import type { RateLimiter } from '../../core/accounts/ports.ts';
import { createScript, type Valkey } from './connection.ts';

// SPEC, "Limits": requests per minute.
const windowMs = 60_000;
const prefix = 'waymark:rate:';

/**
 * An exact sliding window: the times of the admitted requests, oldest first.
 * They are in microseconds of the server's own clock. Times of the future are dropped: the clock was set back, and they
 * would lock the key for as long. They may lie in front of others, which earlier versions have added. Returns whether the
 * request is admitted, the number in the window, and the age of the oldest.
 */
const slidingWindow = createScript(`
local window, limit, isCounted = tonumber(ARGV[1]) * 1000, tonumber(ARGV[2]), ARGV[3] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local newest = redis.call('LINDEX', KEYS[1], -1)
while newest and tonumber(newest) > now do
  redis.call('RPOP', KEYS[1])
  newest = redis.call('LINDEX', KEYS[1], -1)
end
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and (tonumber(oldest) <= now - window or tonumber(oldest) > now) do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local used = redis.call('LLEN', KEYS[1])
local isAdmitted = isCounted and used < limit
if isAdmitted then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  used = used + 1
end
local age = oldest and now - tonumber(oldest) or 0
return { isAdmitted and 1 or 0, used, age }
`);

/**
 * Creates a rate limiter whose windows all copies share.
 *
 * @param limit requests per minute and key
 * @param fallback admits requests while Valkey does not respond
 */
export function createValkeyRateLimiter(
  valkey: Pick<Valkey, 'run'>,
  limit: number,
  fallback: RateLimiter,
): RateLimiter {
  const run = (key: string, isCounted: boolean) =>
    valkey.run(slidingWindow, prefix + key, [windowMs, limit, isCounted ? 1 : 0]);
  return {
    admit: async (key) => {
      const result = await run(key, true);
      if (result === null) return fallback.admit(key);
      const [isAdmitted, used = 0, oldestMicros = 0] = result;
      const leftMs = windowMs - oldestMicros / 1000;
      return {
        admitted: isAdmitted === 1,
        limit,
        remaining: Math.max(0, limit - used),
        resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    },
    used: async (key) => (await run(key, false))?.[1] ?? fallback.used(key),
  };
}
