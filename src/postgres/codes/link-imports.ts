import { eq, inArray, sql } from 'drizzle-orm';
import type { LinkImportStore } from '../../core/codes/imports/link-imports.ts';
import { accounts, qrs, recheckQueue, scanCounters, shortUrlPrefixes } from '../database/schema.ts';
import type { Store } from '../database/store.ts';

/** Ends a transaction whose changes are not wanted. */
class PathTaken extends Error {}

// PostgreSQL allows 65,535 parameters in a statement.
const linksPerInsert = 5000;

/** Creates the store of imported links. */
export function createLinkImportStore(store: Store): LinkImportStore {
  return {
    taken: async (codes) => {
      if (codes.length === 0) return [];
      const rows = await store
        .select({ code: qrs.code })
        .from(qrs)
        .where(inArray(qrs.code, [...codes]));
      return rows.map(({ code }) => code);
    },
    add: async (accountId, links) => {
      try {
        await store.transaction(async (transaction) => {
          for (let at = 0; at < links.length; at += linksPerInsert) {
            const part = links.slice(at, at + linksPerInsert);
            const stored = await transaction
              .insert(qrs)
              .values(
                part.map(({ path, shortLink, name, note, destination, createdAtMs }) => ({
                  code: path,
                  accountId,
                  shortLink,
                  name,
                  note,
                  destination,
                  createdAtMs,
                })),
              )
              .onConflictDoNothing({ target: qrs.code })
              .returning({ id: qrs.id, code: qrs.code });
            if (stored.length < part.length) throw new PathTaken();
            const ids = new Map(stored.map(({ id, code }) => [code, id]));
            const counters = part.flatMap(({ path, scans, lastScanMs }) => {
              const qrId = ids.get(path);
              return qrId === undefined || scans === 0
                ? []
                : [{ qrId, scans, lastScanMs: lastScanMs ?? 0 }];
            });
            if (counters.length > 0) await transaction.insert(scanCounters).values(counters);
            const rechecks = part.flatMap(({ path, needsRecheck }) => {
              const qrId = ids.get(path);
              return qrId === undefined || !needsRecheck ? [] : [{ qrId }];
            });
            if (rechecks.length > 0)
              await transaction.insert(recheckQueue).values(rechecks).onConflictDoNothing();
          }
          await transaction
            .update(accounts)
            .set({ qrCount: sql`${accounts.qrCount} + ${links.length}` })
            .where(eq(accounts.id, accountId));
          for (const prefix of new Set(links.map((link) => link.prefix)))
            if (prefix !== null)
              await transaction.insert(shortUrlPrefixes).values({ prefix }).onConflictDoNothing();
        });
        return true;
      } catch (error) {
        if (error instanceof PathTaken) return false;
        throw error;
      }
    },
  };
}
