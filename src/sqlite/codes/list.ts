import type { Database } from 'bun:sqlite';
import type { NewQr, Qr } from '../../core/codes/qr.ts';
import { createCooperativeScheduler } from '../../lib/event-loop.ts';
import type { SqliteScanLog } from '../scans/log.ts';
import { afterPlace, createListPlaces, newestFirst, type Place } from './list-places.ts';
import { type QrRow, qrsById, toQr } from './row.ts';

/**
 * Pages of the list of an account, newest first, the code as tie-break. A page keeps the thread from
 * redirects for as long as twenty of them take, so pages give way.
 */
export function createQrList(database: Database, scanLog: Pick<SqliteScanLog, 'unfolded'>) {
  const places = createListPlaces(database);
  const count = database.query<{ total: number }, [number]>(
    'SELECT qr_count AS total FROM accounts WHERE id = ?',
  );
  // Order and offset are walked on the index alone; only the page itself touches the table.
  const rows = database.query<QrRow, [number, number, string, number, number]>(
    `${qrsById} IN (SELECT id FROM qrs WHERE ${afterPlace} ${newestFirst} LIMIT ?4 OFFSET ?5) ${newestFirst}`,
  );
  const givingWay = createCooperativeScheduler();

  const read = (accountId: number, { createdAtMs, code }: Place, limit: number, skip: number) =>
    rows.all(accountId, createdAtMs, code, limit, skip).map((row) => toQr(row, scanLog));

  const page = async (accountId: number, limit: number, offset: number) => {
    const total = count.get(accountId)?.total ?? 0;
    if (offset >= total) return { qrs: [], total };
    const { place, skip } = await places.before(accountId, total, offset);
    return { qrs: read(accountId, place, limit, skip), total };
  };

  return {
    page: (
      accountId: number,
      limit: number,
      offset: number,
    ): Promise<{ qrs: Qr[]; total: number }> => givingWay(() => page(accountId, limit, offset)),
    /** Told of every QR that was added to a list. */
    added: ({ accountId, createdAtMs }: Pick<NewQr, 'accountId' | 'createdAtMs'>): void =>
      places.added(accountId, createdAtMs),
  };
}
