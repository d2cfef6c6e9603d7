import { and, eq, gt, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import type { DomainStore } from '../../core/codes/ports.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';

const maxCheckMs = 60_000;

/** Creates the store of the domains of codes. */
export function createDomainStore(dialect: Dialect): DomainStore {
  const { tables, changeRedirects, isOneOf, lock, prepare, read, transaction, write } = dialect;
  const { accounts, domains, domainAccounts, domainChecks, qrs } = tables;
  const { servedPrefixes, shortUrlPrefixes } = tables;
  /** The step that tells the redirect server of a change, see `isDomainStep`. */
  const stepOf = (url: string) => `//${new URL(url).host}`;
  const isDomain = (url: string) => eq(domains.url, url);
  // Dense links are in capitals.
  const isPrefix = (url: string) => eq(sql`lower(${shortUrlPrefixes.prefix})`, url.toLowerCase());
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

  // Each create asks for them.
  const allDomains = prepare((db) =>
    db
      .select(pick(domains, 'url', 'isForAll', 'frontUrl', 'notFoundUrl'))
      .from(domains)
      .orderBy(domains.url),
  );
  const allUsers = prepare((db) =>
    db
      .select({ domain: domainAccounts.domain, email: accounts.email })
      .from(domainAccounts)
      .innerJoin(accounts, eq(accounts.id, domainAccounts.accountId))
      .orderBy(accounts.email),
  );

  const add: DomainStore['add'] = (
    url,
    { accountIds = null, frontUrl = null, notFoundUrl = null },
    atMs,
  ) =>
    changeRedirects<boolean>(function* (db) {
      yield* lock(db, 'domains');
      const { host } = new URL(url);
      const ofHost = isOneOf(domains.url, [`http://${host}`, `https://${host}`]);
      if (yield* hasRow(db.select(pick(domains, 'url')).from(domains).where(ofHost)))
        return { codes: [], result: false };
      const isForAll = accountIds === null;
      yield db.insert(domains).values({ url, isForAll, frontUrl, notFoundUrl, addedAtMs: atMs });
      yield* setAccounts(db, url, accountIds);
      yield db.delete(shortUrlPrefixes).where(isPrefix(url));
      return { codes: [stepOf(url)], result: true };
    });
  const printed = prepare((db) =>
    db
      .select(pick(qrs, 'id', 'shortLink'))
      .from(qrs)
      .where(and(gt(qrs.id, sql.placeholder('afterId')), ne(qrs.status, 'stopped')))
      .orderBy(qrs.id)
      .limit(sql.placeholder('limit')),
  );

  return {
    all: () =>
      read(function* (db) {
        const rows = yield* allDomains.within(db, {});
        const users = rows.some(({ isForAll }) => !isForAll) ? yield* allUsers.within(db, {}) : [];
        return rows.map(({ isForAll, ...domain }) => ({
          ...domain,
          accounts: isForAll
            ? null
            : users.filter((user) => user.domain === domain.url).map(({ email }) => email),
        }));
      }),
    add,
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
        yield db.delete(shortUrlPrefixes).where(isPrefix(url));
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
    printed: (afterId, limit) => printed.all({ afterId, limit }),
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
    serve: async (shortUrl, former, atMs) => {
      const found = await read(function* (db) {
        const served = yield* rowsOf(
          db.select(pick(servedPrefixes, 'prefix')).from(servedPrefixes),
        );
        const known = yield* rowsOf(db.select(pick(domains, 'url')).from(domains));
        const isServed = served.length === 1 && served[0]?.prefix === shortUrl;
        return { isServed, hosts: new Set(known.map(({ url }) => new URL(url).host)) };
      });
      if (!found.isServed)
        await transaction(function* (db) {
          yield db.delete(servedPrefixes);
          // Another copy may be starting with the same settings.
          yield db.insert(servedPrefixes).values({ prefix: shortUrl }).onConflictDoNothing();
        });
      for (const url of former)
        if (!found.hosts.has(new URL(url).host)) await add(url, { accountIds: [] }, atMs);
    },
  };
}
