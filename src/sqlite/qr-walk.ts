import { and, desc, eq, gt, lt, or } from 'drizzle-orm';
import type { QrWalk } from '../core/qr-insight.ts';
import type { Store } from './open.ts';
import { selectQr, toQr } from './qrs.ts';
import type { SqliteScanLog } from './scan-log.ts';
import { qrs } from './schema.ts';

/** Walks an account's codes along the index of the list, so that the last step costs what the first does. */
export function makeQrWalk(store: Store, scanLog: Pick<SqliteScanLog, 'unfolded'>): QrWalk {
  return {
    after: async (accountId, cursor, limit) => {
      const further =
        cursor === null
          ? undefined
          : or(
              lt(qrs.createdAt, cursor.createdAtMs),
              and(eq(qrs.createdAt, cursor.createdAtMs), gt(qrs.code, cursor.code)),
            );
      return selectQr(store)
        .where(and(eq(qrs.accountId, accountId), further))
        .orderBy(desc(qrs.createdAt), qrs.code)
        .limit(limit)
        .all()
        .map((row) => toQr(row, scanLog));
    },
  };
}
