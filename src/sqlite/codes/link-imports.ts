import { eq, sql } from 'drizzle-orm';
import type { LinkImportStore } from '../../core/codes/imports/link-imports.ts';
import type { Store } from '../database/open.ts';
import { accounts, qrs, scanCounters, shortUrlPrefixes } from '../database/schema.ts';
import { type Transaction, writeTransaction } from '../database/write.ts';
import { addToRecheckQueue } from './changes.ts';

/** Ends a transaction whose changes are not wanted. */
class PathTaken extends Error {}

/** Creates the store of imported links. */
export function createLinkImportStore(store: Store): LinkImportStore {
  const select = store.$client.query<{ code: string }, [string]>(
    'SELECT code FROM qrs WHERE code IN (SELECT value FROM json_each(?))',
  );
  return {
    taken: async (codes) => select.all(JSON.stringify(codes)).map(({ code }) => code),
    add: async (accountId, links) => {
      try {
        await writeTransaction(store, (transaction) => {
          for (const link of links) insert(transaction, accountId, link);
          transaction
            .update(accounts)
            .set({ qrCount: sql`${accounts.qrCount} + ${links.length}` })
            .where(eq(accounts.id, accountId))
            .run();
          for (const prefix of new Set(links.map((link) => link.prefix)))
            if (prefix !== null)
              transaction.insert(shortUrlPrefixes).values({ prefix }).onConflictDoNothing().run();
        });
        return true;
      } catch (error) {
        if (error instanceof PathTaken) return false;
        throw error;
      }
    },
  };
}

function insert(
  transaction: Transaction,
  accountId: number,
  link: Parameters<LinkImportStore['add']>[1][number],
): void {
  const { path, shortLink, name, note, destination, createdAtMs, scans, lastScanMs } = link;
  const [stored] = transaction
    .insert(qrs)
    .values({ code: path, accountId, shortLink, name, note, destination, createdAtMs })
    .onConflictDoNothing({ target: qrs.code })
    .returning({ id: qrs.id })
    .all();
  if (stored === undefined) throw new PathTaken();
  if (scans > 0)
    transaction
      .insert(scanCounters)
      .values({ qrId: stored.id, scans, lastScanMs: lastScanMs ?? 0 })
      .run();
  if (link.needsRecheck) addToRecheckQueue(transaction, stored.id);
}
