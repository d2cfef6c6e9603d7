import { sql } from 'drizzle-orm';
import type { QrStore } from '../../core/codes/ports.ts';
import { hitKinds, type UncountedKind } from '../../core/scans/hit.ts';
import { hourMs, startOfHour } from '../../core/scans/hit-counts.ts';
import { type Dialect, rowsOf } from '../dialect.ts';

const scanKind = hitKinds.indexOf('scan');

/** Creates the look-ups of a code's hits, with those that are not aggregated yet. */
export function createScanStatistics({
  tables: { hourlyScans, scanCounters, uncountedHits },
  read,
  pendingHits,
}: Dialect): Pick<QrStore, 'hourlyScans' | 'uncountedHits'> {
  const hour = sql.raw(String(hourMs));
  return {
    hourlyScans: async (qrId, sinceMs) => {
      const hours = sql`(
        select ${hourlyScans.hourMs} as hour, ${hourlyScans.scans} as scans
          from ${hourlyScans} where ${hourlyScans.qrId} = ${qrId}
        union all
        select ${scanCounters.lastScanMs} - ${scanCounters.lastScanMs} % ${hour}, ${scanCounters.scansInHour}
          from ${scanCounters} where ${scanCounters.qrId} = ${qrId} and ${scanCounters.scansInHour} > 0
        union all
        select at - at % ${hour}, hits from ${pendingHits.ofCode(qrId)} where kind = ${scanKind}
      ) as hours`;
      const rows = await read((db) =>
        rowsOf(
          db
            .select({
              hourMs: sql`hour`.mapWith(Number),
              scans: sql`sum(scans)`.mapWith(Number),
            })
            .from(hours)
            .where(sql`hour >= ${sinceMs}`)
            .groupBy(sql`hour`),
        ),
      );
      const scans = new Map(rows.map((row) => [row.hourMs, row.scans]));
      for (const { hits, lastMs } of pendingHits.inMemory(qrId, 'scan')) {
        const at = startOfHour(lastMs);
        if (at >= sinceMs) scans.set(at, (scans.get(at) ?? 0) + hits);
      }
      return Array.from(scans, ([hourMs, scans]) => ({ hourMs, scans })).sort(
        (one, other) => one.hourMs - other.hourMs,
      );
    },
    uncountedHits: async (qrId) => {
      const all = sql`(
        select ${uncountedHits.kind} as kind, ${uncountedHits.hits} as hits
          from ${uncountedHits} where ${uncountedHits.qrId} = ${qrId}
        union all
        select kind, hits from ${pendingHits.ofCode(qrId)}
      ) as hits`;
      const rows = await read((db) =>
        rowsOf(
          db
            .select({ kind: sql`kind`.mapWith(Number), hits: sql`sum(hits)`.mapWith(Number) })
            .from(all)
            .groupBy(sql`kind`),
        ),
      );
      const hits: Record<UncountedKind, number> = { head: 0, prefetch: 0, preview: 0, crawler: 0 };
      for (const [index, kind] of hitKinds.entries()) {
        if (kind === 'scan') continue;
        hits[kind] = rows.find((row) => row.kind === index)?.hits ?? 0;
        for (const pending of pendingHits.inMemory(qrId, kind)) hits[kind] += pending.hits;
      }
      return hits;
    },
  };
}
