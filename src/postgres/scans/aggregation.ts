import { hourMs } from '../../core/scans/hit-counts.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { every } from '../../lib/event-loop.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Connection } from '../../redirect/postgres/connection.ts';
import { postgresMessage } from '../../redirect/postgres/errors.ts';
import { tryLock } from '../exclusive.ts';

// A statement with this many rows takes about 100 ms.
const rowsPerStep = 2000;

/**
 * Settles the statements whose rows are in the log.
 * A process sends one after the other, so that none of the earlier ones can follow. It is a transaction of its own:
 * the process waits for it, see `isUnsettled`.
 */
const settle = `
UPDATE hit_progress AS progress SET folded = written.last
FROM (SELECT copy, max(number) AS last FROM scan_log GROUP BY copy) AS written
WHERE log = copy AND folded < last AND ${tryLock('aggregation')}`;

/**
 * Adds the hits of settled rows of the scan log to the counters if {@link step} got the lock.
 * It is one statement, so that log and counters together are exact at any time. A copy of an earlier version might
 * write its last rows again: they stay, without their hits.
 *
 * A code's row in `scan_counters` also counts the scans in the hour of its last scan. The first scan of a
 * later hour moves that count to `hourly_scans`. So most scans write one row instead of two, and no index.
 */
const aggregate = `
WITH lock AS MATERIALIZED (
  SELECT current_setting('waymark.aggregates')::boolean AS got
), settled AS MATERIALIZED (
  SELECT log.copy, coalesce(max(folded), max(settled)) AS through, max(folded) IS NULL AS is_earlier
  FROM scan_log AS log LEFT JOIN hit_progress AS progress ON progress.log = log.copy
  WHERE (SELECT got FROM lock) GROUP BY log.copy
), batch AS MATERIALIZED (
  SELECT log.ctid AS place, targets, times, counts, log.number <= through AS is_settled
  FROM scan_log AS log JOIN settled ON settled.copy = log.copy
  WHERE log.number <= through OR is_earlier AND targets IS NOT NULL
  LIMIT ${rowsPerStep}
), deleted AS (
  DELETE FROM scan_log WHERE ctid = ANY (ARRAY(SELECT place FROM batch WHERE is_settled))
), emptied AS (
  UPDATE scan_log SET targets = NULL, times = NULL, counts = NULL
  WHERE ctid = ANY (ARRAY(SELECT place FROM batch WHERE NOT is_settled))
), hits AS MATERIALIZED (
  SELECT target / 8 AS qr_id, target % 8 AS kind, at - at % ${hourMs} AS hour,
    sum(coalesce(count, 1))::bigint AS hits, max(at) AS last
  FROM batch, unnest(targets, times, counts) AS hit (target, at, count)
  GROUP BY 1, 2, 3
), scans AS MATERIALIZED (
  SELECT hits.qr_id, hour, hits, last_hour, scans_in_hour,
    sum(hits) OVER code AS total, max(last) OVER code AS last, max(hour) OVER code AS newest_hour
  FROM hits LEFT JOIN scan_counters AS counter ON counter.qr_id = hits.qr_id
  WHERE kind = 0
  WINDOW code AS (PARTITION BY hits.qr_id)
), hours AS (
  INSERT INTO hourly_scans AS hourly (qr_id, hour, scans)
  SELECT qr_id, hour, sum(hits) FROM (
    SELECT qr_id, hour, hits FROM scans
    WHERE hour < greatest(newest_hour, last_hour)
    UNION ALL
    SELECT qr_id, last_hour, scans_in_hour FROM scans
    WHERE hour = newest_hour AND newest_hour > last_hour AND scans_in_hour > 0
  ) AS past
  GROUP BY qr_id, hour ORDER BY qr_id, hour
  ON CONFLICT (qr_id, hour) DO UPDATE SET scans = hourly.scans + excluded.scans
), counted AS (
  UPDATE scan_counters AS counter SET
    scans = counter.scans + total,
    last_scan = greatest(counter.last_scan, last),
    scans_in_hour = CASE sign(hour - counter.last_hour)
      WHEN 0 THEN counter.scans_in_hour + hits
      WHEN 1 THEN hits
      ELSE counter.scans_in_hour END,
    last_hour = greatest(counter.last_hour, hour)
  FROM scans WHERE counter.qr_id = scans.qr_id AND hour = newest_hour
), added AS (
  INSERT INTO scan_counters (qr_id, account_id, scans, last_scan, scans_in_hour, last_hour)
  SELECT qr_id, (SELECT account_id FROM qrs WHERE id = qr_id), total, last, hits, hour
  FROM scans WHERE hour = newest_hour AND last_hour IS NULL
), uncounted AS (
  INSERT INTO uncounted_hits AS uncounted (qr_id, kind, hits)
  SELECT qr_id, kind, sum(hits) FROM hits WHERE kind > 0 GROUP BY qr_id, kind ORDER BY qr_id, kind
  ON CONFLICT (qr_id, kind) DO UPDATE SET hits = uncounted.hits + excluded.hits
)
SELECT count(*)::int AS rows FROM batch`;

/**
 * Takes the lock in a statement of its own.
 * The snapshot of the next one is then taken after it, and has no row that the copy with the lock before has counted.
 * Statements of one query are one transaction.
 */
const step = `
SELECT set_config('waymark.aggregates', ${tryLock('aggregation')}::text, true);
${aggregate}`;

// What a copy that ended left behind. None writes again after this time.
const dropEmptied = `
DELETE FROM scan_log WHERE targets IS NULL AND written_at < now() - interval '30 days'`;

/**
 * Takes one step of the aggregation, unless another copy does.
 *
 * @returns whether another step should follow at once
 */
export async function aggregateStep(sql: Bun.SQL): Promise<'more' | 'done' | 'empty'> {
  await sql.unsafe(settle);
  const [, [result]] = await sql.unsafe<[unknown, { rows: number }[]]>(step).simple();
  const rows = result?.rows ?? 0;
  if (rows === 0) return 'empty';
  return rows === rowsPerStep ? 'more' : 'done';
}

// The more hits a step takes, the fewer updates of the same counters. Reads of a code's scans look through the log.
const stepDelayMs = 1000;
const vacuumIntervalMs = 10_000;
const cleanUpIntervalMs = 3_600_000;
/** A statement of the aggregation that takes longer will not be answered any more. */
const deadlineMs = 10_000;

/** The aggregation of hits while a server runs. */
export interface Aggregation {
  /** Returns why hits cannot be aggregated, or null. */
  problem(): string | null;
  close(): Promise<void>;
}

/**
 * Aggregates once a second, as each copy tries to: the one that has the lock of a statement works.
 * Also removes what the aggregation leaves: autovacuum comes once a minute at most, and meanwhile a busy log would grow
 * to a hundred times its size.
 */
export function startAggregation(connection: Connection, log: Logger): Aggregation {
  let problem: string | null = null;
  let isDirty = false;
  let vacuumAtMs = performance.now() + vacuumIntervalMs;
  let cleanUpAtMs = 0;
  const run = (statement: string) =>
    withDeadline(deadlineMs, () => connection.sql().unsafe(statement));

  const aggregateAll = async (): Promise<void> => {
    while (!isClosed) {
      const result = await withDeadline(deadlineMs, () => aggregateStep(connection.sql()));
      isDirty ||= result !== 'empty';
      if (result !== 'more') return;
    }
  };
  const cleanUp = async (): Promise<void> => {
    const nowMs = performance.now();
    if (nowMs >= cleanUpAtMs) {
      cleanUpAtMs = nowMs + cleanUpIntervalMs;
      await run(dropEmptied);
    }
    if (!isDirty || nowMs < vacuumAtMs) return;
    vacuumAtMs = nowMs + vacuumIntervalMs;
    isDirty = false;
    // Truncating the file would lock the table.
    await run('VACUUM (TRUNCATE off, SKIP_LOCKED) scan_log');
  };

  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  const aggregateAndCleanUp = async (): Promise<void> => {
    try {
      await aggregateAll();
      await cleanUp();
      problem = null;
    } catch (error) {
      const reason = postgresMessage(error);
      if (problem === null && !isClosed)
        log.error('scans are written but cannot be aggregated', { cause: reason });
      problem = reason;
    }
  };
  const stop = every(stepDelayMs, () => {
    running = aggregateAndCleanUp();
    return running;
  });
  return {
    problem: () => problem,
    close: async () => {
      isClosed = true;
      stop();
      await running;
    },
  };
}
