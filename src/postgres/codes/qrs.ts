import { and, asc, desc, eq, gt, inArray, lt, or, type Placeholder, sql } from 'drizzle-orm';
import type { IdempotencyKey } from '../../core/codes/idempotency.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { searchMatcher } from '../../core/codes/search.ts';
import type { QrCursor, QrStore } from '../../core/ports.ts';
import type { ChangeRedirects } from '../copies/change-redirects.ts';
import { accounts, formerDestinations, idempotencyKeys, qrs } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';
import { createScanStatistics } from '../scans/statistics.ts';
import {
  addIdempotencyKey,
  addToRecheckQueue,
  idempotencyWindowMs,
  insertQr,
  lockIdempotencyKey,
  setDestination,
} from './changes.ts';
import { arrayOf, selectQrs, toQr } from './columns.ts';

// The index qrs_newest_first has this order.
const newestFirst = [desc(qrs.createdAtMs), asc(qrs.code)];

/**
 * Creates the store of QRs.
 *
 * @param lookUps on `Connection.lookUps`
 */
export function createQrStore(
  store: Store,
  lookUps: Store,
  changeRedirects: ChangeRedirects,
): QrStore {
  const isOwn = (accountId: number | Placeholder, code: string | Placeholder) =>
    and(eq(qrs.code, code), eq(qrs.accountId, accountId));

  // Prepared, because API requests run them most.
  const owner = sql.placeholder('accountId');
  const own = store
    .select({ id: qrs.id })
    .from(qrs)
    .where(isOwn(owner, sql.placeholder('code')));
  const byCode = selectQrs(lookUps, sql`array(${own})`).prepare('qr_by_code');
  const newest = store
    .select({ id: qrs.id })
    .from(qrs)
    .where(eq(qrs.accountId, owner))
    .orderBy(...newestFirst)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
  const page = selectQrs(store, sql`array(${newest})`)
    .orderBy(...newestFirst)
    .prepare('qr_page');
  const total = lookUps
    .select({ total: accounts.qrCount })
    .from(accounts)
    .where(eq(accounts.id, owner))
    .prepare('qr_total');

  const find = async (accountId: number, code: string): Promise<Qr | null> => {
    const [row] = await byCode.execute({ accountId, code });
    return row === undefined ? null : toQr(row);
  };
  const findByIdempotencyKey = async (
    reader: Transaction,
    { digest, atMs }: IdempotencyKey,
  ): Promise<Qr | null> => {
    const created = reader
      .select({ id: idempotencyKeys.qrId })
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.digest, digest),
          gt(idempotencyKeys.createdAtMs, atMs - idempotencyWindowMs),
        ),
      );
    const [row] = await selectQrs(reader, sql`array(${created})`);
    return row === undefined ? null : toQr(row);
  };
  const afterCursor = (accountId: number, cursor: QrCursor | null) =>
    and(
      eq(qrs.accountId, accountId),
      // The first bound repeats part of the second, so that the index can be used.
      cursor === null ? undefined : sql`${qrs.createdAtMs} <= ${cursor.createdAtMs}`,
      cursor === null
        ? undefined
        : or(lt(qrs.createdAtMs, cursor.createdAtMs), gt(qrs.code, cursor.code)),
    );

  return {
    insert: (qr, key, needsRecheck = false) =>
      store.transaction(async (transaction) => {
        if (key !== null) {
          await lockIdempotencyKey(transaction, key);
          const earlier = await findByIdempotencyKey(transaction, key);
          if (earlier !== null) return { earlier };
        }
        const id = await insertQr(transaction, qr, needsRecheck);
        if (id === null) return 'taken';
        if (key !== null) await addIdempotencyKey(transaction, key, id);
        return 'stored';
      }),
    findByIdempotencyKey: (key) => findByIdempotencyKey(store, key),
    find,
    listPage: async (accountId, limit, offset) => {
      const [rows, [account]] = await Promise.all([
        page.execute({ accountId, limit, offset }),
        total.execute({ accountId }),
      ]);
      return { qrs: rows.map(toQr), total: account?.total ?? 0 };
    },
    searchBatch: async (accountId, cursor, text, limit) => {
      const rows = await store
        .select({
          id: qrs.id,
          createdAtMs: qrs.createdAtMs,
          code: qrs.code,
          name: qrs.name,
          note: qrs.note,
          destination: qrs.destination,
        })
        .from(qrs)
        .where(afterCursor(accountId, cursor))
        .orderBy(...newestFirst)
        .limit(limit);
      const ids = rows.filter(searchMatcher(text)).map(({ id }) => id);
      const found =
        ids.length === 0 ? [] : await selectQrs(store, arrayOf(ids)).orderBy(...newestFirst);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        found: found.map(toQr),
        next: last === undefined ? null : { createdAtMs: last.createdAtMs, code: last.code },
      };
    },
    findMany: async (accountId, codes) => {
      if (codes.length === 0) return [];
      const found = store
        .select({ id: qrs.id })
        .from(qrs)
        .where(and(inArray(qrs.code, [...codes]), eq(qrs.accountId, accountId)));
      const rows = await selectQrs(store, sql`array(${found})`);
      return rows.map(toQr);
    },
    changeDestination: (accountId, code, destination, atMs, needsRecheck = false) =>
      changeRedirects(async (transaction) => {
        const [current] = await transaction
          .select({ id: qrs.id, destination: qrs.destination })
          .from(qrs)
          .where(isOwn(accountId, code))
          .for('no key update');
        if (current === undefined) return { codes: [], result: null };
        const { id } = current;
        if (current.destination !== destination)
          await setDestination(transaction, current, destination, atMs);
        if (needsRecheck) await addToRecheckQueue(transaction, id);
        const [row] = await selectQrs(transaction, arrayOf([id]));
        return { codes: [code], result: row === undefined ? null : toQr(row) };
      }),
    changeLabels: async (accountId, code, labels) => {
      if (Object.values(labels).some((label) => label !== undefined))
        await store.update(qrs).set(labels).where(isOwn(accountId, code));
      return find(accountId, code);
    },
    changeStatus: async (accountId, code, from, to) => {
      await changeRedirects(async (transaction) => {
        await transaction
          .update(qrs)
          .set({ status: to })
          .where(and(isOwn(accountId, code), eq(qrs.status, from)));
        return { codes: [code], result: null };
      });
      return find(accountId, code);
    },
    formerDestinations: (qrId, limit) =>
      store
        .select({
          destination: formerDestinations.destination,
          untilMs: formerDestinations.untilMs,
        })
        .from(formerDestinations)
        .where(eq(formerDestinations.qrId, qrId))
        .orderBy(desc(formerDestinations.id))
        .limit(limit),
    ...createScanStatistics(store),
  };
}
