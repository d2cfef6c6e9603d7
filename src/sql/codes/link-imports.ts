import { sql } from 'drizzle-orm';
import { mapLinkLabels } from '../../core/codes/fields.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import type { LinkImportStore } from '../../core/codes/ports.ts';
import { foldImported } from '../../core/codes/urls/resolve.ts';
import { hourMs } from '../../core/scans/hit-counts.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Dialect, hasRow, insertFrom } from '../dialect.ts';
import { createCodeChanges } from './changes.ts';
import { createPaths } from './paths.ts';

/** Creates the store of imported links. */
export function createLinkImportStore(dialect: Dialect): LinkImportStore {
  const { tables, all, transaction, execute, isOneOf } = dialect;
  const { qrs, recheckQueue, scanCounters } = tables;
  const { countCodes } = createCodeChanges(dialect);
  const paths = createPaths(dialect);
  const log = createActivityLog(dialect);
  return {
    taken: async (codes) => {
      const rows = await all((db) => paths.existing(db, { exact: codes, folded: [] }));
      const found = new Set(rows.flatMap(({ code, path }) => [code, path ?? code]));
      return codes.filter((code) => found.has(code));
    },
    takenFolded: async (folded) => {
      const rows = await all((db) => paths.existing(db, { exact: [], folded }));
      const found = new Set(rows.flatMap(({ foldedCode, foldedPath }) => [foldedCode, foldedPath]));
      return folded.filter((one) => found.has(one));
    },
    at: (forms) => all((db) => paths.existing(db, forms)),
    reserved: async (accountId, asked, atMs) => {
      const rows = await all((db) => paths.reserved(db, accountId, asked, atMs));
      return rows.map(({ path }) => path);
    },
    add: (acting, links, atMs, entryId = null) =>
      transaction(function* (db) {
        const { accountId } = acting;
        yield* paths.lockPaths(db);
        const printed = links.map(({ path }) => path);
        if (yield* hasRow(paths.existing(db, { exact: printed, folded: [] }).limit(1)))
          return false;
        const keyed = links.map((one) => ({
          ...one,
          nameKey: nameSortKey(one.name),
          foldedCode: foldImported(one.path),
        }));
        const link = dialect.tableOf('link', keyed, {
          path: 'text',
          foldedCode: 'text',
          shortLink: 'text',
          ...mapLinkLabels(() => 'text' as const),
          nameKey: 'text',
          destination: 'text',
          createdAtMs: 'integer',
          scans: 'integer',
          lastScanMs: 'integer',
          status: 'text',
        });
        const { path, foldedCode, shortLink, nameKey, destination, createdAtMs, status } =
          link.columns;
        const labels = mapLinkLabels((name) => link.columns[name]);
        const own = {
          nameKey,
          code: path,
          foldedCode,
          shortLink,
          destination,
          createdAtMs,
          status,
        };
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
        const event = { kind: 'links-imported', count: links.length } as const;
        return yield* log.recordPart(db, entryId, acting, event, atMs);
      }),
  };
}
