import type { CreateThrottle } from '../../core/accounts/ports.ts';
import { createScript, type Valkey } from './connection.ts';

const prefix = 'waymark:throttle:';

/**
 * The generic cell rate algorithm.
 * Stores the time at which the whole burst is available again, in milliseconds of the server's own clock, and behind a
 * point the time of the write, which earlier versions read as a fraction. If that is of the future, the clock was set
 * back: both are moved to now, so that the wait stays as it was and passes. Returns the milliseconds until the next
 * attempt is allowed.
 */
const cellRate = createScript(`
local burst, interval, isFailure = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local full, written = string.match(redis.call('GET', KEYS[1]) or '0', '^(%d+)%.?(%d*)')
local behind = math.max(0, (tonumber(written) or 0) - now)
full = tonumber(full) - behind
local next = math.max(full, now) + interval
if isFailure then
  full = next
end
if full > now and (isFailure or behind > 0) then
  redis.call('SET', KEYS[1], string.format('%.0f.%.0f', full, now), 'PX', string.format('%.0f', full - now))
end
return { math.max(0, next - now - burst * interval) }
`);

/**
 * Creates throttles that all copies share.
 *
 * @param fallback creates those that are used while Valkey does not respond
 */
export function createValkeyThrottles(
  valkey: Pick<Valkey, 'run'>,
  fallback: CreateThrottle,
): CreateThrottle {
  return (name, { burst, intervalMs }) => {
    const local = fallback(name, { burst, intervalMs });
    const run = (attempt: string, isFailure: boolean) =>
      valkey.run(cellRate, `${prefix}${name}:${attempt}`, [burst, intervalMs, isFailure ? 1 : 0]);
    return {
      waitSeconds: async (attempt) => {
        const result = await run(attempt, false);
        return result === null ? local.waitSeconds(attempt) : Math.ceil((result[0] ?? 0) / 1000);
      },
      countFailure: async (attempt) => {
        if ((await run(attempt, true)) === null) await local.countFailure(attempt);
      },
    };
  };
}
