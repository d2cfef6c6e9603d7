import type { ReviewedCode, ReviewedCodeStore } from '../../core/safety/admin.ts';
import type { Connection } from '../database/open.ts';

/** A row of {@link selectReviewed}. */
export interface ReviewedRow extends Omit<ReviewedCode, 'flag'> {
  readonly list: string | null;
  readonly expression: string | null;
  readonly sinceMs: number | null;
}

/** Selects codes with their owners and flags, ready for a condition. */
export const selectReviewed =
  'SELECT qrs.id AS qrId, code, email AS owner, destination, status, list, expression, since AS sinceMs ' +
  'FROM qrs JOIN accounts ON accounts.id = qrs.account_id LEFT JOIN flags ON flags.qr_id = qrs.id';

/** Creates the store in which operators find flagged and blocked codes. */
export function createReviewedCodeStore({ $client: database }: Connection): ReviewedCodeStore {
  const byCode = database.query<ReviewedRow, [string]>(`${selectReviewed} WHERE code = ?`);
  const flagged = database.query<ReviewedRow, [number]>(
    `${selectReviewed} WHERE since IS NOT NULL ORDER BY since DESC LIMIT ?`,
  );
  const blocked = database.query<ReviewedRow, [number]>(
    `${selectReviewed} WHERE status = 'blocked' ORDER BY qrs.id DESC LIMIT ?`,
  );
  const queueLength = database.query<{ rows: number }, []>(
    'SELECT count(*) AS rows FROM recheck_queue',
  );
  return {
    find: async (code) => {
      const row = byCode.get(code);
      return row === null ? null : toReviewed(row);
    },
    flagged: async (limit) => flagged.all(limit).map(toReviewed),
    blocked: async (limit) => blocked.all(limit).map(toReviewed),
    queueLength: async () => queueLength.get()?.rows ?? 0,
  };
}

export function toReviewed({ list, expression, sinceMs, ...code }: ReviewedRow): ReviewedCode {
  const isFlagged = list !== null && expression !== null && sinceMs !== null;
  return { ...code, flag: isFlagged ? { list, expression, sinceMs } : null };
}
