import { and, desc, eq, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { QrBatchReader, QrCursor } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { qrs } from '../database/schema.ts';
import type { SqliteScanLog } from '../scans/log.ts';
import { selectQr, toQr } from './row.ts';

/** Creates a reader of an account's codes in batches, by keyset cursors on the index of the list. */
export function createQrBatchReader(
  store: Store,
  scanLog: Pick<SqliteScanLog, 'pending'>,
): QrBatchReader {
  return {
    matching: async (accountId, cursor, text, limit) => {
      const isFurther = and(eq(qrs.accountId, accountId), isAfter(cursor));
      // Finds the end of the batch on the index alone, however few of its codes match.
      const next =
        store
          .select({ createdAtMs: qrs.createdAtMs, code: qrs.code })
          .from(qrs)
          .where(isFurther)
          .orderBy(desc(qrs.createdAtMs), qrs.code)
          .limit(1)
          .offset(limit - 1)
          .get() ?? null;
      const found = selectQr(store)
        .where(and(isFurther, isUpTo(next), contains(text)))
        .orderBy(desc(qrs.createdAtMs), qrs.code)
        .all()
        .map((row) => toQr(row, scanLog));
      return { found, next };
    },
  };
}

// The first bound repeats part of the second: SQLite seeks to it instead of scanning the index.

function isAfter(cursor: QrCursor | null): SQL | undefined {
  if (cursor === null) return undefined;
  const { createdAtMs, code } = cursor;
  return and(
    lte(qrs.createdAtMs, createdAtMs),
    or(lt(qrs.createdAtMs, createdAtMs), gt(qrs.code, code)),
  );
}

function isUpTo(cursor: QrCursor | null): SQL | undefined {
  if (cursor === null) return undefined;
  const { createdAtMs, code } = cursor;
  return and(
    gte(qrs.createdAtMs, createdAtMs),
    or(gt(qrs.createdAtMs, createdAtMs), lte(qrs.code, code)),
  );
}

function contains(text: string): SQL {
  return sql`(instr(${qrs.code}, lower(${text})) or instr(lower(${qrs.destination}), lower(${text})))`;
}
