import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { QrStore } from '../../core/codes/ports.ts';
import { hitKinds, type UncountedKind } from '../../core/scans/hit.ts';
import { hourMs, startOfHour } from '../../core/scans/hit-counts.ts';
import type { Dialect } from '../dialect.ts';
import type { Tables } from '../tables.ts';

const scanKind = hitKinds.indexOf('scan');
const noHits = { head: 0, prefetch: 0, preview: 0, crawler: 0, warning: 0 } as const;

/**
 * Returns a SELECT of the aggregated scans of codes with the columns `id`, `hour` and `scans`.
 *
 * @param isAsked tells whether a column has the id of one of the codes
 * @param sinceMs hours that begin earlier are left out
 * @param untilMs hours that begin then or later are left out
 */
export function scansByHour(
  { hourlyScans, scanCounters }: Tables,
  isAsked: (id: AnyPgColumn) => SQL,
  sinceMs: number | Placeholder,
  untilMs: number | Placeholder = Number.MAX_SAFE_INTEGER,
): SQL {
  const { qrId, lastHourMs, scansInHour } = scanCounters;
  return sql`
    select ${hourlyScans.qrId} as id, ${hourlyScans.hourMs} as hour, ${hourlyScans.scans} as scans
      from ${hourlyScans} where ${isAsked(hourlyScans.qrId)} and ${hourlyScans.hourMs} >= ${sinceMs}
        and ${hourlyScans.hourMs} < ${untilMs}
    union all
    select ${qrId}, ${lastHourMs}, ${scansInHour}
      from ${scanCounters} where ${isAsked(qrId)} and ${lastHourMs} >= ${sinceMs} and ${lastHourMs} < ${untilMs}
        and ${scansInHour} > 0`;
}

/** Creates the look-ups of a code's hits, with those that are not aggregated yet. */
export function createScanStatistics({
  tables,
  all,
  pendingHits,
}: Dialect): Pick<QrStore, 'hourlyScans' | 'uncountedHits'> {
  const { uncountedHits } = tables;
  const kind = sql`kind`.mapWith(Number);
  const hits = sql`sum(hits)`.mapWith(Number);
  const hour = sql`hour`.mapWith(Number);
  const scans = sql`sum(scans)`.mapWith(Number);
  return {
    hourlyScans: async (qrId, sinceMs, untilMs) => {
      const length = sql.raw(String(hourMs));
      const hours = sql`(
        select hour, scans from (${scansByHour(tables, (id) => eq(id, qrId), sinceMs, untilMs)}) as counted
        union all
        select at - at % ${length}, hits from ${pendingHits.ofCode(qrId)} where kind = ${scanKind}
      ) as hours`;
      const rows = await all((db) => {
        const isAsked = sql`hour >= ${sinceMs} and hour < ${untilMs}`;
        return db.select({ hour, scans }).from(hours).where(isAsked).groupBy(sql`hour`);
      });
      const found = new Map(rows.map((row) => [row.hour, row.scans]));
      for (const { hits, lastMs } of pendingHits.inMemory(qrId, 'scan')) {
        const at = startOfHour(lastMs);
        if (at >= sinceMs && at < untilMs) found.set(at, (found.get(at) ?? 0) + hits);
      }
      const sorted = [...found].sort(([one], [other]) => one - other);
      return sorted.map(([hourMs, scans]) => ({ hourMs, scans }));
    },
    uncountedHits: async (qrId) => {
      const stored = sql`(
        select ${uncountedHits.kind} as kind, ${uncountedHits.hits} as hits
          from ${uncountedHits} where ${uncountedHits.qrId} = ${qrId}
        union all
        select kind, hits from ${pendingHits.ofCode(qrId)}
      ) as hits`;
      const rows = await all((db) => db.select({ kind, hits }).from(stored).groupBy(sql`kind`));
      const found: Record<UncountedKind, number> = { ...noHits };
      for (const [index, kind] of hitKinds.entries()) {
        if (kind === 'scan') continue;
        found[kind] = rows.find((row) => row.kind === index)?.hits ?? 0;
        for (const pending of pendingHits.inMemory(qrId, kind)) found[kind] += pending.hits;
      }
      return found;
    },
  };
}
