import { count, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { ReviewedCode, ReviewedCodeStore } from '../../core/safety/admin.ts';
import type { Store } from '../database/open.ts';
import { flags, recheckQueue } from '../database/safety-schema.ts';
import { accounts, qrs } from '../database/schema.ts';

/** Creates the store in which operators find flagged and blocked codes. */
export function createReviewedCodeStore(store: Store): ReviewedCodeStore {
  return {
    find: async (code) => {
      const row = selectReviewed(store).where(eq(qrs.code, code)).get();
      return row === undefined ? null : toReviewed(row);
    },
    flagged: async (limit) =>
      selectReviewed(store)
        .where(isNotNull(flags.sinceMs))
        .orderBy(desc(flags.sinceMs))
        .limit(limit)
        .all()
        .map(toReviewed),
    blocked: async (limit) =>
      selectReviewed(store)
        // A literal, because SQLite cannot use the partial index for a parameter.
        .where(sql`${qrs.status} = 'blocked'`)
        .orderBy(desc(qrs.id))
        .limit(limit)
        .all()
        .map(toReviewed),
    queueLength: async () => store.select({ rows: count() }).from(recheckQueue).get()?.rows ?? 0,
  };
}

/** Selects codes with their owners and flags, ready for a condition. */
export function selectReviewed(store: Store) {
  return store
    .select({
      qrId: qrs.id,
      code: qrs.code,
      owner: accounts.email,
      destination: qrs.destination,
      status: qrs.status,
      list: flags.list,
      expression: flags.expression,
      sinceMs: flags.sinceMs,
    })
    .from(qrs)
    .innerJoin(accounts, eq(accounts.id, qrs.accountId))
    .leftJoin(flags, eq(flags.qrId, qrs.id))
    .$dynamic();
}

type Row = NonNullable<ReturnType<ReturnType<typeof selectReviewed>['get']>>;

/** Converts a row of {@link selectReviewed}. */
export function toReviewed({ list, expression, sinceMs, ...code }: Row): ReviewedCode {
  const isFlagged = list !== null && expression !== null && sinceMs !== null;
  return { ...code, flag: isFlagged ? { list, expression, sinceMs } : null };
}
