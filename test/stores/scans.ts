import fc from 'fast-check';
import { type HitKind, hitKinds } from '../../src/core/scans/hit.ts';
import type { Logger } from '../../src/lib/logger.ts';
import { createHitLog, type HitLog } from '../../src/redirect/sqlite/hit-log.ts';
import { foldedRow, openHitsForReading, rowsAfter } from '../../src/redirect/sqlite/hits-file.ts';
import type { DrizzleConnection } from '../../src/sqlite/database/drizzle.ts';
import { addAccount } from './folder.ts';

export const hour = 3_600_000;
export const noon = Date.UTC(2026, 5, 1, 12);

/** A hit on a short link. */
export interface Hit {
  readonly qrId: number;
  readonly kind: HitKind;
  readonly atMs: number;
}

/** The ids that {@link hits} have. */
const qrIds = [1, 2, 3, 2 ** 31];

export const hits = fc.record<Hit>({
  qrId: fc.constantFrom(...qrIds),
  kind: fc.constantFrom(...hitKinds),
  atMs: fc.integer({ min: noon - 3 * hour, max: noon + hour }),
});

/** Computes the counters of some hits. */
export function expected(all: readonly Hit[]) {
  const scans: Record<string, [scans: number, lastMs: number]> = {};
  const hours: Record<string, number> = {};
  const uncounted: Record<string, number> = {};
  for (const { qrId, kind, atMs } of all) {
    if (kind !== 'scan') {
      uncounted[`${qrId} ${kind}`] = (uncounted[`${qrId} ${kind}`] ?? 0) + 1;
      continue;
    }
    const [count, lastMs] = scans[qrId] ?? [0, 0];
    scans[qrId] = [count + 1, Math.max(lastMs, atMs)];
    const key = `${qrId} ${Math.floor(atMs / hour) * hour}`;
    hours[key] = (hours[key] ?? 0) + 1;
  }
  return { scans, hours, uncounted };
}

/** Condition on the counters whose hour is that of their last scan. */
const haveHour = `last_hour = last_scan - last_scan % ${hour}`;

/** The statements that {@link countersIn} takes the rows of, on both databases. */
export const selectCounters = [
  `SELECT qr_id, scans, last_scan FROM scan_counters WHERE ${haveHour}`,
  `SELECT qr_id, hour, sum(scans) FROM (
     SELECT qr_id, hour, scans FROM hourly_scans UNION ALL
     SELECT qr_id, last_scan - last_scan % ${hour}, scans_in_hour FROM scan_counters
   ) AS hours WHERE scans > 0 GROUP BY qr_id, hour`,
  'SELECT qr_id, kind, hits FROM uncounted_hits',
] as const;

/** Returns the counters in rows of integers, which PostgreSQL writes as texts. */
export function countersIn(rows: readonly unknown[][][]): ReturnType<typeof expected> {
  const [scans = [], hours = [], uncounted = []] = rows.map((all) =>
    all.map(([id, second, third]) => [Number(id), Number(second), Number(third)] as const),
  );
  return {
    scans: Object.fromEntries(scans.map(([id, count, lastMs]) => [id, [count, lastMs]])),
    hours: Object.fromEntries(hours.map(([id, hourMs, count]) => [`${id} ${hourMs}`, count])),
    uncounted: Object.fromEntries(
      uncounted.map(([id, kind, count]) => [`${id} ${hitKinds[kind]}`, count]),
    ),
  };
}

/** Reads the counters of SQLite. */
export function counters({ $client }: DrizzleConnection): ReturnType<typeof expected> {
  return countersIn(selectCounters.map((sql) => $client.query(sql).values()));
}

/** Adds an account with codes of these ids. */
export async function addCodes(
  store: DrizzleConnection,
  { ids = qrIds, email = 'owner@example.org' }: { ids?: readonly number[]; email?: string } = {},
): Promise<void> {
  const { accountId, designId } = await addAccount(store, email);
  const insert = store.$client.query(
    `INSERT INTO qrs (id, code, account_id, design_id, short_link, destination, created_at, image_hash)
       VALUES (?1, printf('%08x', ?1), ?2, ?3, 'https://qr.example.com/' || ?1, 'https://example.org/', 0, zeroblob(32))`,
  );
  store.$client.transaction(() => {
    for (const id of ids) insert.run(id, accountId, designId);
  })();
}

/** Returns the number of rows that wait in the database. */
export function rowsOfLog({ $client }: DrizzleConnection): number {
  return Number($client.query('SELECT count(*) FROM scan_log').values()[0]?.[0]);
}

/** A log of hits of a folder, as the server opens it. */
export function hitLogOf(folder: string, store: DrizzleConnection): HitLog {
  return createHitLog(folder, {
    durability: 'process',
    log: silentLog,
    folded: (log) => foldedRow(store.$client, log),
  });
}

export const silentLog: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Appends rows to the log of a folder, one for each tick. */
export async function appendRows(log: HitLog, rows: readonly (readonly Hit[])[]): Promise<void> {
  for (const row of rows)
    await Promise.all(row.map(({ qrId, kind, atMs }) => log.record(qrId, kind, atMs)));
}

/** Returns the ids of the rows in `hits.db`. */
export function hitRows(folder: string): number[] {
  const file = openHitsForReading(folder);
  if (file === null) return [];
  try {
    return Array.from(rowsAfter(file, 0), ({ id }) => id);
  } finally {
    file.database.close();
  }
}
