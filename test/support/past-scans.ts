import { startOfHour } from '../../src/core/scans/hit-counts.ts';
import { inDatabase } from './database.ts';
import type { Server } from './server.ts';

/** Adds scans that a code had at earlier times to its counters: pairs of a time and a number. */
export async function addPastScans(
  server: Pick<Server, 'database' | 'dataFolder'>,
  code: string,
  scans: readonly (readonly [atMs: number, scans: number])[],
): Promise<void> {
  const hours = new Map<number, number>();
  for (const [atMs, count] of scans) {
    const hour = startOfHour(atMs);
    hours.set(hour, (hours.get(hour) ?? 0) + count);
  }
  if (hours.size === 0) return;
  const qr = `FROM qrs WHERE code = '${code}'`;
  for (const [hour, count] of hours)
    await inDatabase(
      server,
      `INSERT INTO hourly_scans AS hourly (qr_id, hour, scans) SELECT id, ${hour}, ${count} ${qr}
        ON CONFLICT (qr_id, hour) DO UPDATE SET scans = hourly.scans + excluded.scans`,
    );
  const total = hours.values().reduce((sum, count) => sum + count, 0);
  const last = Math.max(...scans.map(([atMs]) => atMs));
  await inDatabase(
    server,
    `INSERT INTO scan_counters AS counter (qr_id, account_id, scans, last_scan)
      SELECT id, account_id, ${total}, ${last} ${qr}
      ON CONFLICT (qr_id) DO UPDATE SET scans = counter.scans + excluded.scans,
        last_scan = CASE WHEN counter.last_scan > excluded.last_scan THEN counter.last_scan
          ELSE excluded.last_scan END`,
  );
}
