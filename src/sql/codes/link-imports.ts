import { sql } from 'drizzle-orm';
import { mapLabels } from '../../core/codes/fields.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import type { LinkImportStore } from '../../core/codes/ports.ts';
import { hourMs } from '../../core/scans/hit-counts.ts';
import { type Dialect, insertFrom, rowsOf } from '../dialect.ts';
import { createCodeChanges } from './changes.ts';

/** Creates the store of imported links. */
export function createLinkImportStore(dialect: Dialect): LinkImportStore {
  const { tables, all, transaction, lock, execute, isOneOf } = dialect;
  const { qrs, recheckQueue, scanCounters } = tables;
  const { countCodes } = createCodeChanges(dialect);
  return {
    taken: async (codes) => {
      const rows = await all((db) =>
        db.select({ code: qrs.code }).from(qrs).where(isOneOf(qrs.code, codes)),
      );
      return rows.map(({ code }) => code);
    },
    add: (accountId, links) =>
      transaction(function* (db) {
        // Two imports of the same paths follow each other.
        yield* lock(db, 'link import');
        const paths = links.map(({ path }) => path);
        const isTaken = isOneOf(qrs.code, paths);
        const taken = db.select({ code: qrs.code }).from(qrs).where(isTaken).limit(1);
        if ((yield* rowsOf(taken)).length > 0) return false;
        const keyed = links.map((one) => ({ ...one, nameKey: nameSortKey(one.name) }));
        const link = dialect.tableOf('link', keyed, {
          path: 'text',
          shortLink: 'text',
          ...mapLabels(() => 'text' as const),
          nameKey: 'text',
          destination: 'text',
          createdAtMs: 'integer',
          scans: 'integer',
          lastScanMs: 'integer',
          status: 'text',
        });
        const { path, shortLink, nameKey, destination, createdAtMs, status } = link.columns;
        const labels = mapLabels((name) => link.columns[name]);
        const own = { nameKey, code: path, shortLink, destination, createdAtMs, status };
        const columns = { ...labels, ...own };
        const owner = sql`${accountId}`;
        yield* execute(db, insertFrom(qrs, { accountId: owner, ...columns }, link.from));
        const stored = sql`${link.from} join ${qrs} on ${qrs.code} = ${path}`;
        const { scans, lastScanMs } = link.columns;
        const counter = {
          qrId: qrs.id,
          accountId: owner,
          scans,
          lastScanMs: sql`coalesce(${lastScanMs}, 0)`,
          lastHourMs: sql`coalesce(${lastScanMs} - ${lastScanMs} % ${sql.raw(String(hourMs))}, 0)`,
        } satisfies Record<
          Exclude<keyof typeof scanCounters.$inferSelect, 'scansInHour' | 'rankedScans'>,
          unknown
        >;
        yield* execute(db, insertFrom(scanCounters, counter, stored));
        const unchecked = links.filter(({ needsRecheck }) => needsRecheck);
        const queued = sql`${qrs} where ${isOneOf(
          qrs.code,
          unchecked.map((one) => one.path),
        )}`;
        yield* execute(db, insertFrom(recheckQueue, { qrId: qrs.id }, queued));
        const prefixes = new Set(links.flatMap(({ prefix }) => prefix ?? []));
        yield* countCodes(db, accountId, links.length, [...prefixes]);
        return true;
      }),
  };
}
