import { and, eq, lte } from 'drizzle-orm';
import type { IdempotencyKey } from '../../core/codes/idempotency.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { searchMatcher } from '../../core/codes/search.ts';
import type { FormerDestination, QrCursor, QrStore } from '../../core/ports.ts';
import { hitKinds, type UncountedKind } from '../../core/scans/hit.ts';
import type { Store } from '../database/open.ts';
import { idempotencyKeys, qrs, uncountedHits } from '../database/schema.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';
import { parseLogoPlacement } from '../maintenance/stored-images.ts';
import { createHourlyScans } from '../scans/counters.ts';
import type { SqliteScanLog } from '../scans/log.ts';
import { addToRecheckQueue, insertQr, setDestination } from './changes.ts';
import type { SqliteLinkStore } from './link-targets.ts';

interface QrRow extends Omit<Qr, 'image' | 'scans' | 'flag'> {
  /** Null for an imported link, as is the hash. */
  readonly designId: number | null;
  readonly imageHash: Uint8Array | null;
  /** JSON. */
  readonly logoPlacement: string | null;
  /** Null before the first scan is aggregated. */
  readonly scans: number | null;
  readonly flagList: string | null;
  readonly flagExpression: string | null;
  readonly flagSinceMs: number | null;
}

/**
 * Selects QRs with their counters and flags; a condition on the id follows. Without drizzle, for speed.
 * Parameters belong in an inner SELECT: beside a joined column, SQLite would prepare the statement again
 * at each run.
 */
const selectQrById =
  'SELECT qrs.id AS id, code, account_id AS accountId, design_id AS designId, ' +
  'logo_placement AS logoPlacement, short_link AS shortLink, destination, status, ' +
  'created_at AS createdAtMs, image_hash AS imageHash, name, note, scans, nullif(last_scan, 0) AS lastScanMs, ' +
  'list AS flagList, expression AS flagExpression, since AS flagSinceMs ' +
  'FROM qrs LEFT JOIN scan_counters ON scan_counters.qr_id = qrs.id ' +
  'LEFT JOIN flags ON flags.qr_id = qrs.id WHERE qrs.id';

/** The texts of a QR that a search reads, and its place in the list. */
type SearchedRow = Pick<Qr, 'id' | 'createdAtMs' | 'code' | 'name' | 'note' | 'destination'>;

const idempotencyWindowMs = 24 * 3_600_000;

// The index qrs_newest_first has this order.
const newestFirst = 'ORDER BY created_at DESC, code';
// The first bound repeats part of the second: SQLite seeks to it instead of scanning the index.
const afterCursor = `WHERE account_id = ?1 AND created_at <= ?2 AND (created_at < ?2 OR code > ?3) ${newestFirst}`;
const beforeNewest: QrCursor = { createdAtMs: Number.MAX_SAFE_INTEGER, code: '' };

/**
 * Creates the store of QRs.
 *
 * @param links caches redirect targets; a change of a QR removes its target
 * @param scanLog has the hits that are not aggregated yet
 */
export function createQrStore(
  store: Store,
  links: Pick<SqliteLinkStore, 'forget'>,
  scanLog: Pick<SqliteScanLog, 'pending'>,
): QrStore {
  const database = store.$client;
  const byCode = database.query<QrRow, [string, number]>(
    `${selectQrById} = (SELECT id FROM qrs WHERE code = ? AND account_id = ?)`,
  );
  const total = database.query<{ total: number }, [number]>(
    'SELECT qr_count AS total FROM accounts WHERE id = ?',
  );
  // The inner SELECT needs the index only; the rows of the page alone are read from the table.
  const page = database.query<QrRow, [number, number, number]>(
    `${selectQrById} IN (SELECT id FROM qrs WHERE account_id = ? ${newestFirst} LIMIT ? OFFSET ?) ${newestFirst}`,
  );
  const lastOfBatch = database.query<QrCursor, [number, number, string, number]>(
    `SELECT created_at AS createdAtMs, code FROM qrs ${afterCursor} LIMIT 1 OFFSET ?4 - 1`,
  );
  const batch = database.query<QrRow, [number, number, string, number]>(
    `${selectQrById} IN (SELECT id FROM qrs ${afterCursor} LIMIT ?4) ${newestFirst}`,
  );
  const texts = database.query<SearchedRow, [number, number, string, number]>(
    `SELECT id, created_at AS createdAtMs, code, name, note, destination FROM qrs ${afterCursor} LIMIT ?4`,
  );
  const byIds = database.query<QrRow, [string]>(
    `${selectQrById} IN (SELECT value FROM json_each(?)) ${newestFirst}`,
  );
  // Without the plus, SQLite could prefer to read all codes of the account.
  const byCodes = database.query<QrRow, [string, number]>(
    `${selectQrById} IN (SELECT id FROM qrs WHERE code IN (SELECT value FROM json_each(?)) AND +account_id = ?)`,
  );
  const byIdempotencyKey = database.query<QrRow, [Uint8Array, number]>(
    `${selectQrById} = (SELECT qr_id FROM idempotency_keys WHERE digest = ? AND created_at > ?)`,
  );
  const former = database.query<FormerDestination, [number, number]>(
    'SELECT destination, until AS untilMs FROM former_destinations WHERE qr_id = ? ORDER BY id DESC LIMIT ?',
  );
  const changeStatus = database.query(
    'UPDATE qrs SET status = ? WHERE code = ? AND account_id = ? AND status = ?',
  );
  const hourlyScans = createHourlyScans(database);

  const readRow = (row: QrRow): Qr => toQr(row, scanLog);
  const find = (accountId: number, code: string): Qr | null => {
    const row = byCode.get(code, accountId);
    return row && readRow(row);
  };
  const findByIdempotencyKey = ({ digest, atMs }: IdempotencyKey): Qr | null => {
    const row = byIdempotencyKey.get(digest, atMs - idempotencyWindowMs);
    return row && readRow(row);
  };

  return {
    insert: (qr, key, needsRecheck = false) =>
      writeTransaction(store, (transaction) => {
        const earlier = key && findByIdempotencyKey(key);
        if (earlier) return { earlier };
        const id = insertQr(transaction, qr, needsRecheck);
        if (id === null) return 'taken' as const;
        if (key !== null) addIdempotencyKey(transaction, key, id);
        return 'stored' as const;
      }),
    findByIdempotencyKey: async (key) => findByIdempotencyKey(key),
    find: async (accountId, code) => find(accountId, code),
    listPage: async (accountId, limit, offset) => ({
      qrs: page.all(accountId, limit, offset).map(readRow),
      total: total.get(accountId)?.total ?? 0,
    }),
    searchBatch: async (accountId, cursor, text, limit) => {
      const { createdAtMs, code } = cursor ?? beforeNewest;
      if (text === '')
        return {
          found: batch.all(accountId, createdAtMs, code, limit).map(readRow),
          next: lastOfBatch.get(accountId, createdAtMs, code, limit),
        };
      const rows = texts.all(accountId, createdAtMs, code, limit);
      const ids = rows.filter(searchMatcher(text)).map(({ id }) => id);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        found: ids.length === 0 ? [] : byIds.all(JSON.stringify(ids)).map(readRow),
        next: last === undefined ? null : { createdAtMs: last.createdAtMs, code: last.code },
      };
    },
    findMany: async (accountId, codes) =>
      byCodes.all(JSON.stringify(codes), accountId).map(readRow),
    changeDestination: async (accountId, code, destination, atMs, needsRecheck = false) => {
      const changed = await writeTransaction(store, (transaction) => {
        const qr = find(accountId, code);
        if (qr === null) return null;
        const isChanged = qr.destination !== destination;
        if (isChanged) setDestination(transaction, qr, destination, atMs);
        if (needsRecheck) addToRecheckQueue(transaction, qr.id);
        return isChanged ? { ...qr, destination, flag: null } : qr;
      });
      links.forget(code);
      return changed;
    },
    changeLabels: async (accountId, code, labels) => {
      const isOwn = and(eq(qrs.code, code), eq(qrs.accountId, accountId));
      if (Object.values(labels).some((label) => label !== undefined))
        await write(() => store.update(qrs).set(labels).where(isOwn).run());
      return find(accountId, code);
    },
    changeStatus: async (accountId, code, from, to) => {
      await write(() => changeStatus.run(to, code, accountId, from));
      links.forget(code);
      return find(accountId, code);
    },
    formerDestinations: async (qrId, limit) => former.all(qrId, limit),
    hourlyScans: async (qrId, sinceMs) => hourlyScans(qrId, sinceMs, scanLog.pending(qrId, 'scan')),
    uncountedHits: async (qrId) => {
      const rows = store.select().from(uncountedHits).where(eq(uncountedHits.qrId, qrId)).all();
      const hits: Record<UncountedKind, number> = { head: 0, prefetch: 0, preview: 0, crawler: 0 };
      for (const [index, kind] of hitKinds.entries()) {
        if (kind === 'scan') continue;
        hits[kind] = rows.find((row) => row.kind === index)?.hits ?? 0;
        for (const pending of scanLog.pending(qrId, kind)) hits[kind] += pending.hits;
      }
      return hits;
    },
  };
}

/** Adds an idempotency key and deletes expired ones. */
function addIdempotencyKey(
  transaction: Transaction,
  { digest, atMs }: IdempotencyKey,
  qrId: number,
): void {
  transaction
    .delete(idempotencyKeys)
    .where(lte(idempotencyKeys.createdAtMs, atMs - idempotencyWindowMs))
    .run();
  transaction
    .insert(idempotencyKeys)
    .values({ digest: Buffer.from(digest), qrId, createdAtMs: atMs })
    .run();
}

/** Converts a row and adds the hits that are not aggregated yet. */
function toQr(row: QrRow, scanLog: Pick<SqliteScanLog, 'pending'>): Qr {
  const { flagList, flagExpression, flagSinceMs, ...imageAndColumns } = row;
  const { designId, logoPlacement, imageHash, ...columns } = imageAndColumns;
  let { scans, lastScanMs } = row;
  for (const { hits, lastMs } of scanLog.pending(row.id, 'scan')) {
    scans = (scans ?? 0) + hits;
    lastScanMs = Math.max(lastScanMs ?? 0, lastMs);
  }
  const isFlagged = flagList !== null && flagExpression !== null && flagSinceMs !== null;
  return {
    ...columns,
    image:
      designId === null || imageHash === null
        ? null
        : { designId, logoPlacement: parseLogoPlacement(logoPlacement), imageHash },
    flag: isFlagged ? { list: flagList, expression: flagExpression, sinceMs: flagSinceMs } : null,
    scans: scans ?? 0,
    lastScanMs,
  };
}
