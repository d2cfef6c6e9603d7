import { and, eq, gt, isNull, ne, not, type SQL, sql } from 'drizzle-orm';
import type { DomainStore } from '../../core/codes/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Dialect, pick, rowsOf } from '../dialect.ts';
import { codesPerPart, createCodeMoves } from './code-moves.ts';

// Reading them takes a millisecond.
const codesPerRead = 1000;

/** Creates the store of the addresses in printed codes. */
export function createDomainStore(dialect: Dialect): DomainStore {
  const { tables, changeRedirects, lock, isOneOf } = dialect;
  const { qrs, shortUrlPrefixes } = tables;
  const log = createActivityLog(dialect);
  const { findNobody, forget, moveCodes, count } = createCodeMoves(dialect);
  /** Tells whether a short link begins with a prefix. Dense ones are in capitals. */
  const isAt = (prefix: string): SQL =>
    sql`substr(lower(${qrs.shortLink}), 1, ${prefix.length + 1}) = ${`${prefix.toLowerCase()}/`}`;

  return {
    forget: ({ prefix, longer, next }, afterId, atMs, entries = new Map()) =>
      changeRedirects(function* (db) {
        yield* lock(db, 'account removal');
        const isOfAddress = and(
          ne(qrs.status, 'stopped'),
          isAt(prefix),
          ...longer.map((other) => not(isAt(other))),
        );
        const columns = {
          ...pick(qrs, 'id', 'accountId'),
          isOfAddress: sql`${isOfAddress}`,
          isImported: sql`${isNull(qrs.imageHash)}`,
        };
        const read = db.select(columns).from(qrs).where(gt(qrs.id, afterId));
        const slice = yield* rowsOf(read.orderBy(qrs.id).limit(codesPerRead));
        const last = slice.at(-1);
        if (last === undefined) {
          const isPrefix = eq(sql`lower(${shortUrlPrefixes.prefix})`, prefix.toLowerCase());
          yield db.delete(shortUrlPrefixes).where(isPrefix);
          return { codes: [], result: null };
        }
        const part = slice.filter((code) => Boolean(code.isOfAddress)).slice(0, codesPerPart);
        // Codes behind a full part are read again.
        const lastId = (part.length < codesPerPart ? last : part.at(-1))?.id ?? last.id;
        const imported = part.filter((code) => Boolean(code.isImported));
        const printed = part.filter((code) => !code.isImported);
        if (imported.length > 0) {
          const path = sql`substr(${qrs.shortLink}, ${prefix.length + 1})`;
          const moved = db.update(qrs).set({ shortLink: sql`cast(${next} as text) || ${path}` });
          yield moved.where(
            isOneOf(
              qrs.id,
              imported.map(({ id }) => id),
            ),
          );
        }
        const ids = printed.map(({ id }) => id);
        if (ids.length === 0) return { codes: [], result: { lastId, codes: 0 } };
        if (yield* forget(db, ids, 'stop'))
          return { codes: [], result: { lastId: afterId, codes: 0 } };
        const nobody = yield* findNobody(db, atMs);
        for (const [owner, own] of Map.groupBy(printed, ({ accountId }) => accountId)) {
          yield* count(db, owner, -own.length);
          const acting = { accountId: owner, by: { kind: 'command' } } as const;
          const event = { kind: 'codes-stopped', before: prefix, count: own.length } as const;
          const entryId = entries.get(owner) ?? null;
          entries.set(owner, yield* log.recordPart(db, entryId, acting, event, atMs));
        }
        yield* count(db, nobody, ids.length);
        yield db.update(qrs).set({ isArchived: true }).where(isOneOf(qrs.id, ids));
        const codes = yield* moveCodes(db, ids, nobody, { kind: 'stop' });
        return { codes, result: { lastId, codes: codes.length } };
      }),
  };
}
