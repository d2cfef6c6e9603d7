import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { KeyAdmission } from '../../core/accounts/ports.ts';
import { withStoreErrors } from '../../redirect/postgres/errors.ts';
import { accountColumns } from '../../sql/accounts/accounts.ts';
import type { DrizzleConnection } from '../database/drizzle.ts';
import { rateWindows, tables } from '../database/schema.ts';

const { accounts, apiKeys } = tables;

// SPEC, "Limits": requests per minute.
const windowMs = 60_000;
const window = sql.raw(`interval '${windowMs} milliseconds'`);

// Bounds a row, whatever the limit.
const maxTimes = 100;

/** Returns the times of a row that are in the window at a time. `width_bucket` counts the others by binary search. */
const timesAt = (now: SQL) =>
  sql`rate_windows.times[width_bucket(${now} - ${window}, rate_windows.times) + 1 : ]`;

/** Returns the requests after the last stored time that are in the window. */
const restAt = (now: SQL) =>
  sql`CASE WHEN rate_windows.decided_at > ${now} - ${window} THEN rate_windows.rest ELSE 0 END`;

/**
 * Creates the admission of requests with a sliding window per key, which all copies share. Up to a hundred requests per
 * minute it is exact. Above, a stored time stands for several requests, and 1 % of the limit may count for longer.
 *
 * The look-up of the key is part of the statement: one of its own would be a fifth of the CPU of a read request.
 *
 * @param limit requests per minute and key
 * @param now the time at which it is evaluated
 */
export function createAdmission(db: DrizzleConnection, limit: number, now: SQL): KeyAdmission {
  const requestsPerTime = Math.ceil(limit / maxTimes);
  const perTime = sql.raw(String(requestsPerTime));
  const usedAt = (moment: SQL) =>
    sql<number>`cardinality(${timesAt(moment)}) * ${perTime} + ${restAt(moment)}`;

  // When the request was received. Its own time is read after the row is locked, so that times are in order.
  const received = sql`excluded.decided_at`;
  const isAdmitted = sql`${usedAt(received)} < ${sql.raw(String(limit))}`;
  const isTimeStored = sql`${isAdmitted} AND ${restAt(received)} + 1 = ${perTime}`;

  const hash = sql.placeholder('hash');
  const keyColumns = { accountId: apiKeys.accountId, hash: apiKeys.hash };
  const isFormer = and(
    eq(apiKeys.formerHash, hash),
    gt(apiKeys.formerUntilMs, sql.placeholder('nowMs')),
  );
  const current = db.select(keyColumns).from(apiKeys).where(eq(apiKeys.hash, hash));
  const former = db.select(keyColumns).from(apiKeys).where(isFormer);
  const key = db.$with('key').as(unionAll(current, former));

  const firstRequest = {
    key: key.hash,
    times: sql`${requestsPerTime === 1 ? sql`ARRAY[${now}]` : sql`'{}'::timestamptz[]`}`.as(
      'times',
    ),
    rest: sql`1 % ${perTime}`.as('rest'),
    isAdmitted: sql`true`.as('is_admitted'),
    decidedAt: sql`${now}`.as('decided_at'),
  };
  const decision = db.$with('decision').as(
    db
      .insert(rateWindows)
      .select(db.select(firstRequest).from(key))
      .onConflictDoUpdate({
        target: rateWindows.key,
        set: {
          times: sql`${timesAt(received)} || CASE WHEN ${isTimeStored} THEN ARRAY[${now}] END`,
          rest: sql`(${restAt(received)} + CASE WHEN ${isAdmitted} THEN 1 ELSE 0 END) % ${perTime}`,
          isAdmitted,
          decidedAt: received,
        },
      })
      .returning({
        admitted: rateWindows.isAdmitted,
        used: sql<number>`cardinality(times) * ${perTime} + rest`.as('used'),
        oldestMs:
          sql<number>`(extract(epoch FROM decided_at - coalesce(times[1], decided_at)) * 1000)::float8`.as(
            'oldest_ms',
          ),
      }),
  );
  const { admitted, used, oldestMs } = decision;
  const admit = db
    .with(key, decision)
    .select({ account: accountColumns(tables), decision: { admitted, used, oldestMs } })
    .from(accounts)
    .innerJoin(decision, sql`true`)
    .where(eq(accounts.id, sql`(SELECT account_id FROM ${key})`))
    .prepare('');

  return {
    admit: async (hash, nowMs) => {
      const [row] = await withStoreErrors(() => admit.execute({ hash, nowMs }));
      if (row === undefined) return null;
      const { admitted, used, oldestMs } = row.decision;
      // Of the first request, the time is read after the one at which it was received.
      const leftMs = windowMs - Math.max(0, oldestMs);
      const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000));
      const remaining = Math.max(0, limit - used);
      return { account: row.account, decision: { admitted, limit, remaining, resetSeconds } };
    },
    used: async (hash) => {
      const query = db
        .select({ used: usedAt(now) })
        .from(rateWindows)
        .where(eq(rateWindows.key, hash));
      return (await withStoreErrors(() => query))[0]?.used ?? 0;
    },
  };
}
