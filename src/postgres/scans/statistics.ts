import { eq, sql, sum } from 'drizzle-orm';
import type { AccountStore, QrStore } from '../../core/ports.ts';
import { hitKinds, type UncountedKind } from '../../core/scans/hit.ts';
import {
  accounts,
  hourlyScans,
  pendingHits,
  scanCounters,
  uncountedHits,
} from '../database/schema.ts';
import type { Store } from '../database/store.ts';

const hourMs = sql.raw('3600000');
const scanKind = hitKinds.indexOf('scan');

/** Creates the look-ups of a code's hits, with those that are not aggregated yet. */
export function createScanStatistics(store: Store): Pick<QrStore, 'hourlyScans' | 'uncountedHits'> {
  return {
    hourlyScans: async (qrId, sinceMs) => {
      const rows = await store.execute<{ hour: string; scans: string }>(sql`
        select hour, sum(scans) as scans from (
          select ${hourlyScans.hourMs} as hour, ${hourlyScans.scans} as scans
            from ${hourlyScans} where ${hourlyScans.qrId} = ${qrId}
          union all
          select ${scanCounters.lastScanMs} - ${scanCounters.lastScanMs} % ${hourMs}, ${scanCounters.scansInHour}
            from ${scanCounters} where ${scanCounters.qrId} = ${qrId} and ${scanCounters.scansInHour} > 0
          union all
          select ${pendingHits.atMs} - ${pendingHits.atMs} % ${hourMs}, ${pendingHits.hits}
            from ${pendingHits} where ${pendingHits.qrId} = ${qrId} and ${pendingHits.kind} = ${scanKind}
        ) as hours where hour >= ${sinceMs} group by hour order by hour`);
      return rows.map(({ hour, scans }) => ({ hourMs: Number(hour), scans: Number(scans) }));
    },
    uncountedHits: async (qrId) => {
      const rows = await store.execute<{ kind: number; hits: string }>(sql`
        select kind, sum(hits) as hits from (
          select kind, hits from ${uncountedHits} where ${uncountedHits.qrId} = ${qrId}
          union all
          select kind, hits from ${pendingHits} where ${pendingHits.qrId} = ${qrId} and ${pendingHits.kind} <> ${scanKind}
        ) as hits group by kind`);
      const hits: Record<UncountedKind, number> = { head: 0, prefetch: 0, preview: 0, crawler: 0 };
      for (const [index, kind] of hitKinds.entries())
        if (kind !== 'scan')
          hits[kind] = Number(rows.find((row) => row['kind'] === index)?.['hits'] ?? 0);
      return hits;
    },
  };
}

/** Creates a function that computes the totals of the server. */
export function createTotals(store: Store): AccountStore['totals'] {
  const number = (value: string | null | undefined) => Number(value ?? 0);
  return async () => {
    // One statement, which sees hits either in the log or in the counters.
    const [row] = await store
      .select({
        accounts: store.$count(accounts),
        qrs: sql<string | null>`(${store.select({ sum: sum(accounts.qrCount) }).from(accounts)})`,
        counted: sql<
          string | null
        >`(${store.select({ sum: sum(scanCounters.scans) }).from(scanCounters)})`,
        pending: sql<string | null>`(${store
          .select({ sum: sum(pendingHits.hits) })
          .from(pendingHits)
          .where(eq(pendingHits.kind, scanKind))})`,
      })
      .from(sql`(values (1)) as one`);
    return {
      accounts: row?.accounts ?? 0,
      qrs: number(row?.qrs),
      scans: number(row?.counted) + number(row?.pending),
    };
  };
}
