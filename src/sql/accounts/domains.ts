import { and, eq, gt, isNotNull, isNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { DomainStore } from '../../core/codes/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import { codesPerPart, createCodeMoves } from './code-moves.ts';

const maxCheckMs = 60_000;

// Reading them takes a millisecond.
const codesPerRead = 1000;

/** Creates the store of the addresses in printed codes. */
export function createDomainStore(dialect: Dialect): DomainStore {
  const { tables, changeRedirects, lock, isOneOf, read, write } = dialect;
  const { qrs, shortUrlPrefixes } = tables;
  const log = createActivityLog(dialect);
  const { findNobody, forget, moveCodes, count } = createCodeMoves(dialect);
  /** Tells whether a short link begins with a prefix. Dense ones are in capitals. */
  const isAt = (prefix: string): SQL =>
    sql`substr(lower(${qrs.shortLink}), 1, ${prefix.length + 1}) = ${`${prefix.toLowerCase()}/`}`;

  const { accounts, domains, domainAccounts, domainChecks } = tables;
  /** The step that tells the redirect server of a change, see `isDomainStep`. */
  const stepOf = (url: string) => `//${new URL(url).host}`;
  const isDomain = (url: string) => eq(domains.url, url);
  function* setAccounts(
    db: Builder,
    url: string,
    accountIds: readonly number[] | null | undefined,
  ): Operation<void> {
    if (accountIds === undefined) return;
    yield db.delete(domainAccounts).where(eq(domainAccounts.domain, url));
    const rows = (accountIds ?? []).map((accountId) => ({ domain: url, accountId }));
    if (rows.length > 0) yield db.insert(domainAccounts).values(rows);
  }
  /** Selects the domains that an account may use, or one of them. */
  const usable = (db: Builder, accountId: number, url?: string) =>
    db
      .select(pick(domains, 'url'))
      .from(domains)
      .leftJoin(
        domainAccounts,
        and(eq(domainAccounts.domain, domains.url), eq(domainAccounts.accountId, accountId)),
      )
      .where(
        and(
          url === undefined ? undefined : isDomain(url),
          or(eq(domains.isForAll, true), isNotNull(domainAccounts.accountId)),
        ),
      );

  return {
    all: () =>
      read(function* (db) {
        const rows = yield* rowsOf(
          db
            .select(pick(domains, 'url', 'isForAll', 'frontUrl', 'notFoundUrl'))
            .from(domains)
            .orderBy(domains.url),
        );
        const users = yield* rowsOf(
          db
            .select({ domain: domainAccounts.domain, email: accounts.email })
            .from(domainAccounts)
            .innerJoin(accounts, eq(accounts.id, domainAccounts.accountId))
            .orderBy(accounts.email),
        );
        return rows.map(({ isForAll, ...domain }) => ({
          ...domain,
          accounts: isForAll
            ? null
            : users.filter((user) => user.domain === domain.url).map(({ email }) => email),
        }));
      }),
    add: (url, { accountIds = null, frontUrl = null, notFoundUrl = null }, atMs) =>
      changeRedirects<boolean>(function* (db) {
        yield* lock(db, 'domains');
        if (yield* hasRow(db.select(pick(domains, 'url')).from(domains).where(isDomain(url))))
          return { codes: [], result: false };
        const isForAll = accountIds === null;
        yield db.insert(domains).values({ url, isForAll, frontUrl, notFoundUrl, addedAtMs: atMs });
        yield* setAccounts(db, url, accountIds);
        return { codes: [stepOf(url)], result: true };
      }),
    set: (url, { accountIds, ...pages }) =>
      changeRedirects<boolean>(function* (db) {
        yield* lock(db, 'domains');
        if (!(yield* hasRow(db.select(pick(domains, 'url')).from(domains).where(isDomain(url)))))
          return { codes: [], result: false };
        const isForAll = accountIds === undefined ? undefined : accountIds === null;
        const { frontUrl, notFoundUrl } = pages;
        if ([isForAll, frontUrl, notFoundUrl].some((value) => value !== undefined))
          yield db
            .update(domains)
            .set({
              ...(isForAll !== undefined && { isForAll }),
              ...(frontUrl !== undefined && { frontUrl }),
              ...(notFoundUrl !== undefined && { notFoundUrl }),
            })
            .where(isDomain(url));
        yield* setAccounts(db, url, accountIds);
        return { codes: [stepOf(url)], result: true };
      }),
    remove: (url) =>
      changeRedirects<void>(function* (db) {
        yield* lock(db, 'domains');
        yield db.update(accounts).set({ domain: null }).where(eq(accounts.domain, url));
        yield db.delete(domainAccounts).where(eq(domainAccounts.domain, url));
        yield db.delete(domains).where(isDomain(url));
        yield db.delete(shortUrlPrefixes).where(eq(sql`lower(${shortUrlPrefixes.prefix})`, url));
        return { codes: [stepOf(url)], result: undefined };
      }),
    usable: (accountId) =>
      read(function* (db) {
        const found = yield* rowsOf(usable(db, accountId).orderBy(domains.url));
        return found.map(({ url }) => url);
      }),
    isUsable: (accountId, url) => read((db) => hasRow(usable(db, accountId, url))),
    defaultOf: (accountId) =>
      read(function* (db) {
        const account = yield* rowOf(
          db.select(pick(accounts, 'domain')).from(accounts).where(eq(accounts.id, accountId)),
        );
        const url = account?.domain ?? null;
        return url !== null && (yield* hasRow(usable(db, accountId, url))) ? url : null;
      }),
    setDefault: async (accountId, url) => {
      await write((db) =>
        db.update(accounts).set({ domain: url }).where(eq(accounts.id, accountId)),
      );
    },
    withNonce: async (nonce, atMs, check) => {
      await write((db) => db.insert(domainChecks).values({ nonce, atMs }));
      try {
        return await check();
      } finally {
        // Those of a process that was killed go too.
        await write((db) =>
          db
            .delete(domainChecks)
            .where(or(eq(domainChecks.nonce, nonce), lt(domainChecks.atMs, atMs - maxCheckMs))),
        );
      }
    },
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
