import { type SQL, sql } from 'drizzle-orm';
import type { CreateThrottle } from '../../core/accounts/ports.ts';
import { withStoreErrors } from '../../redirect/postgres/errors.ts';
import type { DrizzleConnection } from '../database/drizzle.ts';
import { throttles } from '../database/schema.ts';

/**
 * Returns when the whole burst is available again, as seen at a time.
 * If the clock was set back since that was written, the wait is as long as it was.
 */
const fullAtSeen = (now: SQL) =>
  sql`greatest(throttles.full_at - greatest(throttles.written_at - ${now}, interval '0'), ${now})`;

const waitUntilFull = sql<number>`extract(epoch FROM ${fullAtSeen(sql`clock.now`)} - clock.now)`;

/**
 * Creates throttles that all copies share, by the generic cell rate algorithm.
 * Names are stored as hashes: some are e-mail addresses and networks.
 */
export function createThrottles(db: DrizzleConnection, now: SQL): CreateThrottle {
  const clock = sql`(SELECT ${now} AS now) AS clock`;
  return (kind, { burst, intervalMs }) => {
    const interval = sql`interval '${sql.raw(String(intervalMs))} milliseconds'`;
    const stored = (name: string) => Bun.CryptoHasher.hash('sha256', `${kind}:${name}`, 'hex');
    return {
      waitSeconds: async (name) => {
        const [row] = await withStoreErrors(() =>
          db.execute<{ seconds: string }>(sql`SELECT ${waitUntilFull} AS seconds
            FROM ${throttles}, ${clock} WHERE name = ${stored(name)}`),
        );
        const waitMs = Number(row?.['seconds'] ?? 0) * 1000 + intervalMs - burst * intervalMs;
        return Math.max(0, Math.ceil(waitMs / 1000));
      },
      countFailure: async (name) => {
        await withStoreErrors(() =>
          db.execute(sql`INSERT INTO ${throttles} (name, full_at, written_at)
            SELECT ${stored(name)}, clock.now + ${interval}, clock.now FROM ${clock}
            ON CONFLICT (name) DO UPDATE SET written_at = excluded.written_at,
              full_at = ${fullAtSeen(sql`excluded.written_at`)} + ${interval}`),
        );
      },
    };
  };
}
