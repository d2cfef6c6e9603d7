import { eq } from 'drizzle-orm';
import type { ReviewedCode } from '../../core/safety/admin.ts';
import type { Store } from '../database/open.ts';
import { flags } from '../database/safety-schema.ts';
import { accounts, qrs } from '../database/schema.ts';

/** Codes with their owners and flags, to be narrowed down by whoever asks. */
export function selectWatched(store: Store) {
  return store
    .select({
      qrId: qrs.id,
      code: qrs.code,
      owner: accounts.email,
      destination: qrs.destination,
      status: qrs.status,
      list: flags.list,
      expression: flags.expression,
      sinceMs: flags.since,
    })
    .from(qrs)
    .innerJoin(accounts, eq(accounts.id, qrs.accountId))
    .leftJoin(flags, eq(flags.qrId, qrs.id))
    .$dynamic();
}

type Row = NonNullable<ReturnType<ReturnType<typeof selectWatched>['get']>>;

export function toWatched({ list, expression, sinceMs, ...code }: Row): ReviewedCode {
  const flagged = list !== null && expression !== null && sinceMs !== null;
  return { ...code, flag: flagged ? { list, expression, sinceMs } : null };
}
