import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { kindRange } from '../../core/scans/hit-entries.ts';
import type { PendingHits, Values } from '../../sql/dialect.ts';
import { pendingHits, scanLog, tables } from '../database/schema.ts';

const { qrs } = tables;
// The target of a scan is the id times this number, see `hitKey`.
const range = sql.raw(String(kindRange));

/**
 * Creates what reads the hits that are in the log.
 *
 * @param arrayOf returns ids as an array: PostgreSQL skips rows of the log that have no hit on them
 */
export function createPendingHits(
  arrayOf: (ids: Values | SQLWrapper, type: 'bigint') => SQL,
): PendingHits {
  return {
    scans: sql`pending.scans`.mapWith(Number),
    lastMs: sql`pending.last`.mapWith(Number),
    join: (query, ids) => {
      // True of every row: without a condition, PostgreSQL does not scan by index (`Connection.lookUps`).
      const isAny = sql`copy >= 0`;
      const targets = sql`array(select id * ${range} from unnest(${arrayOf(ids, 'bigint')}) as id)`;
      const pending = sql`(
        select target / ${range} as qr_id, sum(coalesce(count, 1)) as scans, max(at) as last
        from ${scanLog}, unnest(targets, times, counts) as hit (target, at, count)
        where ${isAny} and targets && ${targets} and target % ${range} = 0
        group by target
      ) as pending`;
      // The cast is safe: only queries of codes are extended, and a join of SQL adds no columns to their type.
      const dynamic = query as unknown as PgSelect;
      return dynamic.leftJoin(pending, sql`pending.qr_id = ${qrs.id}`) as typeof query;
    },
    ofCode: (qrId) =>
      sql`(select kind, at, hits from ${pendingHits} where ${pendingHits.qrId} = ${qrId}) as pending`,
    inMemory: () => [],
  };
}
