import { or, type SQL, sql } from 'drizzle-orm';
import type { SharedLimits } from '../../core/accounts/ports.ts';
import type { Connection } from '../../redirect/postgres/connection.ts';
import { withStoreErrors } from '../../redirect/postgres/errors.ts';
import { withDrizzle } from '../database/drizzle.ts';
import { rateWindows, throttles } from '../database/schema.ts';
import { createAdmission } from './admission.ts';
import { createThrottles } from './throttle.ts';

/**
 * Creates the limits that all copies share, in tables without a write-ahead log.
 *
 * @param now the time of a statement: that of PostgreSQL
 */
export function createLimits(
  connection: Connection,
  now: SQL = sql`clock_timestamp()`,
): SharedLimits {
  const db = withDrizzle(connection.lookUps);
  return {
    createAdmission: (limit) => createAdmission(db, limit, now),
    createThrottle: createThrottles(db, now),
    clean: () =>
      withStoreErrors(async () => {
        const { decidedAt } = rateWindows;
        const isPast = sql`${decidedAt} <= ${now} - interval '1 minute'`;
        // The clock was set back: these would lock their keys for as long.
        const isFuture = sql`${decidedAt} > ${now} + interval '10 seconds'`;
        await db.delete(rateWindows).where(or(isPast, isFuture));
        // And these waits would not pass.
        await db.execute(sql`UPDATE ${throttles}
          SET full_at = full_at - (written_at - clock.now), written_at = clock.now
          FROM (SELECT ${now} AS now) AS clock WHERE written_at > clock.now`);
        await db.delete(throttles).where(sql`${throttles.fullAt} <= ${now}`);
      }),
  };
}
