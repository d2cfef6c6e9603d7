import { and, desc, eq, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { QrBatchReader, QrCursor } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { qrs } from '../database/schema.ts';
import type { SqliteScanLog } from '../scans/log.ts';
import { selectQr, toQr } from './row.ts';

/**
 * Walks an account's codes along the index of the list, so that the last step costs what the first
 * does.
 */
export function createQrBatchReader(
  store: Store,
  scanLog: Pick<SqliteScanLog, 'unfolded'>,
): QrBatchReader {
  const select = (condition: SQL | undefined) =>
    selectQr(store).where(condition).orderBy(desc(qrs.createdAt), qrs.code);

  return {
    matching: async (accountId, cursor, text, pieceLength) => {
      const further = and(eq(qrs.accountId, accountId), isAfter(cursor));
      // The end of the piece is found on the index alone, however few of its codes match.
      const next = store
        .select({ createdAtMs: qrs.createdAt, code: qrs.code })
        .from(qrs)
        .where(further)
        .orderBy(desc(qrs.createdAt), qrs.code)
        .limit(1)
        .offset(pieceLength - 1)
        .get();
      const found = select(and(further, isUpTo(next ?? null), contains(text)))
        .all()
        .map((row) => toQr(row, scanLog));
      return { found, next: next ?? null };
    },
  };
}

// The plain bound of the instant is for SQLite, which begins at it; from the rest alone it would walk
// the whole index to the cursor at every step.

function isAfter(cursor: QrCursor | null): SQL | undefined {
  if (cursor === null) return undefined;
  const { createdAtMs, code } = cursor;
  return and(
    lte(qrs.createdAt, createdAtMs),
    or(lt(qrs.createdAt, createdAtMs), gt(qrs.code, code)),
  );
}

function isUpTo(cursor: QrCursor | null): SQL | undefined {
  if (cursor === null) return undefined;
  const { createdAtMs, code } = cursor;
  return and(
    gte(qrs.createdAt, createdAtMs),
    or(gt(qrs.createdAt, createdAtMs), lte(qrs.code, code)),
  );
}

function contains(text: string): SQL {
  return sql`(instr(${qrs.code}, lower(${text})) or instr(lower(${qrs.destination}), lower(${text})))`;
}
