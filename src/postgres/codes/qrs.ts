import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type Placeholder,
  sql,
} from 'drizzle-orm';
import type { IdempotencyKey } from '../../core/codes/idempotency.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { searchMatcher } from '../../core/codes/search.ts';
import type { QrCursor, QrStore } from '../../core/ports.ts';
import type { Announce } from '../copies/announcer.ts';
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
import { selectQrs, toQr } from './columns.ts';

// The index qrs_newest_first has this order.
const newestFirst = [desc(qrs.createdAtMs), asc(qrs.code)];

/**
 * Creates the store of QRs.
 *
 * @param announce called with the codes whose redirect has changed
 */
export function createQrStore(store: Store, announce: Announce): QrStore {
  const select = (reader: Transaction = store) => selectQrs(reader);
  const isOwn = (accountId: number | Placeholder, code: string | Placeholder) =>
    and(eq(qrs.code, code), eq(qrs.accountId, accountId));

  // Prepared, because API requests run them most.
  const byCode = select()
    .where(isOwn(sql.placeholder('accountId'), sql.placeholder('code')))
    .prepare('qr_by_code');
  // The inner select needs the index only; scans are computed for the rows of the page alone.
  const page = select()
    .where(
      inArray(
        qrs.id,
        store
          .select({ id: qrs.id })
          .from(qrs)
          .where(eq(qrs.accountId, sql.placeholder('accountId')))
          .orderBy(...newestFirst)
          .limit(sql.placeholder('limit'))
          .offset(sql.placeholder('offset')),
      ),
    )
    .orderBy(...newestFirst)
    .prepare('qr_page');

  const find = async (accountId: number, code: string): Promise<Qr | null> => {
    const [row] = await byCode.execute({ accountId, code });
    return row === undefined ? null : toQr(row);
  };
  const findByIdempotencyKey = async (
    reader: Transaction,
    { digest, atMs }: IdempotencyKey,
  ): Promise<Qr | null> => {
    const [row] = await select(reader)
      .innerJoin(idempotencyKeys, eq(idempotencyKeys.qrId, qrs.id))
      .where(
        and(
          eq(idempotencyKeys.digest, digest),
          gt(idempotencyKeys.createdAtMs, atMs - idempotencyWindowMs),
        ),
      );
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
      const rows = await page.execute({ accountId, limit, offset });
      const [account] = await store
        .select({ total: accounts.qrCount })
        .from(accounts)
        .where(eq(accounts.id, accountId));
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
        ids.length === 0
          ? []
          : await select()
              .where(inArray(qrs.id, ids))
              .orderBy(...newestFirst);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        found: found.map(toQr),
        next: last === undefined ? null : { createdAtMs: last.createdAtMs, code: last.code },
      };
    },
    findMany: async (accountId, codes) => {
      if (codes.length === 0) return [];
      const rows = await select().where(
        and(inArray(qrs.code, [...codes]), eq(qrs.accountId, accountId)),
      );
      return rows.map(toQr);
    },
    changeDestination: async (accountId, code, destination, atMs, needsRecheck = false) => {
      const changed = await store.transaction(async (transaction) => {
        const [current] = await transaction
          .select({ id: qrs.id, destination: qrs.destination })
          .from(qrs)
          .where(isOwn(accountId, code))
          .for('no key update');
        if (current === undefined) return null;
        const { id } = current;
        if (current.destination !== destination)
          await setDestination(transaction, current, destination, atMs);
        if (needsRecheck) await addToRecheckQueue(transaction, id);
        const [row] = await select(transaction).where(eq(qrs.id, id));
        return row === undefined ? null : toQr(row);
      });
      await announce([code]);
      return changed;
    },
    changeLabels: async (accountId, code, labels) => {
      if (Object.values(labels).some((label) => label !== undefined))
        await store.update(qrs).set(labels).where(isOwn(accountId, code));
      return find(accountId, code);
    },
    changeStatus: async (accountId, code, from, to) => {
      await store
        .update(qrs)
        .set({ status: to })
        .where(and(isOwn(accountId, code), eq(qrs.status, from)));
      await announce([code]);
      return find(accountId, code);
    },
    recordPngHash: async (code, pngHash) => {
      await store
        .update(qrs)
        .set({ pngHash })
        .where(and(eq(qrs.code, code), isNull(qrs.pngHash), isNotNull(qrs.imageHash)));
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
