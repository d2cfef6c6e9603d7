import { count, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { ReviewedCodeStore } from '../../core/safety/admin.ts';
import type { Store } from '../database/open.ts';
import { flags, recheckQueue } from '../database/safety-schema.ts';
import { qrs } from '../database/schema.ts';
import { selectWatched, toWatched } from './watched-codes.ts';

/** Codes as operators see them, in SQLite. */
export function createCodeWatch(store: Store): ReviewedCodeStore {
  return {
    find: async (code) => {
      const row = selectWatched(store).where(eq(qrs.code, code)).get();
      return row === undefined ? null : toWatched(row);
    },
    flagged: async (limit) =>
      selectWatched(store)
        .where(isNotNull(flags.since))
        .orderBy(desc(flags.since))
        .limit(limit)
        .all()
        .map(toWatched),
    blocked: async (limit) =>
      selectWatched(store)
        // Spelled out, not bound: only so does SQLite know that its index of the blocked will do.
        .where(sql`${qrs.status} = 'blocked'`)
        .orderBy(desc(qrs.id))
        .limit(limit)
        .all()
        .map(toWatched),
    queueLength: async () => store.select({ rows: count() }).from(recheckQueue).get()?.rows ?? 0,
  };
}
