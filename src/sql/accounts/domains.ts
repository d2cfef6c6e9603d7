import { and, eq, gt, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import type { ActivityEvent } from '../../core/accounts/activity/activity.ts';
import type { DomainStore } from '../../core/codes/ports.ts';
import type { Actor } from '../../core/ports.ts';
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
import { requireRight } from '../rights.ts';

const maxCheckMs = 60_000;
/** Domains belong to no account. */
const noAccount = 0;

/** Creates the store of the domains of codes. */
export function createDomainStore(dialect: Dialect): DomainStore {
  const { tables, changeRedirects, isOneOf, lock, prepare, read, transaction, write } = dialect;
  const { accounts, domains, domainAccounts, domainChecks, folderDomains, qrs } = tables;
  const log = createActivityLog(dialect);
  const { servedPrefixes, shortUrlPrefixes } = tables;
  /** The step that tells the redirect server of a change, see `isDomainStep`. */
  const stepOf = (url: string) => `//${new URL(url).host}`;
  const isDomain = (url: string) => eq(domains.url, url);
  // Dense links are in capitals.
  const isPrefix = (url: string) => eq(sql`lower(${shortUrlPrefixes.prefix})`, url.toLowerCase());
  const requireOperator = (db: Builder, by: Actor) =>
    requireRight(dialect, db, { accountId: noAccount, by }, 'operator');
  /** Records in accounts that something of a domain is changed for them. */
  const record = (
    db: Builder,
    by: Actor,
    accountIds: Iterable<number>,
    event: ActivityEvent,
    atMs: number,
  ): Operation<void> =>
    log.recordAll(
      db,
      Array.from(accountIds, (accountId) => ({ acting: { accountId, by }, event })),
      atMs,
    );
  function* setAccounts(
    db: Builder,
    url: string,
    accountIds: readonly number[] | null | undefined,
    by: Actor,
    atMs: number,
  ): Operation<void> {
    if (accountIds === undefined) return;
    const isOfDomain = eq(domainAccounts.domain, url);
    const found = db.select(pick(domainAccounts, 'accountId')).from(domainAccounts);
    const before = (yield* rowsOf(found.where(isOfDomain))).map((row) => row.accountId);
    const after = accountIds ?? [];
    yield db.delete(domainAccounts).where(isOfDomain);
    const rows = after.map((accountId) => ({ domain: url, accountId }));
    if (rows.length > 0) yield db.insert(domainAccounts).values(rows);
    const [given, taken] = [new Set(after).difference(new Set(before)), new Set(before)];
    yield* record(db, by, given, { kind: 'domain-given', subject: url }, atMs);
    // All accounts may use it then.
    if (accountIds === null) return;
    const lost = taken.difference(new Set(after));
    yield* record(db, by, lost, { kind: 'domain-taken', subject: url }, atMs);
  }
  const isFolder = (accountId: number, folder: string) =>
    and(eq(folderDomains.accountId, accountId), eq(folderDomains.folder, folder));
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
    by,
    atMs,
  ) =>
    changeRedirects<boolean>(function* (db) {
      yield* lock(db, 'domains');
      yield* requireOperator(db, by);
      const { host } = new URL(url);
      const ofHost = isOneOf(domains.url, [`http://${host}`, `https://${host}`]);
      if (yield* hasRow(db.select(pick(domains, 'url')).from(domains).where(ofHost)))
        return { codes: [], result: false };
      const isForAll = accountIds === null;
      yield db.insert(domains).values({ url, isForAll, frontUrl, notFoundUrl, addedAtMs: atMs });
      yield* setAccounts(db, url, accountIds, by, atMs);
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
    set: (url, { accountIds, ...pages }, by, atMs) =>
      changeRedirects<boolean>(function* (db) {
        yield* lock(db, 'domains');
        yield* requireOperator(db, by);
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
        yield* setAccounts(db, url, accountIds, by, atMs);
        return { codes: [stepOf(url)], result: true };
      }),
    remove: (url, by, atMs) =>
      changeRedirects<void>(function* (db) {
        yield* lock(db, 'domains');
        yield* requireOperator(db, by);
        const change = db.update(accounts).set({ domain: null }).where(eq(accounts.domain, url));
        const changed = yield* rowsOf(change.returning(pick(accounts, 'id')));
        const event = { kind: 'domain-changed', before: url, after: null } as const;
        const lost = changed.map(({ id }) => id);
        yield* record(db, by, lost, event, atMs);
        yield* setAccounts(db, url, [], by, atMs);
        yield db.delete(folderDomains).where(eq(folderDomains.domain, url));
        yield db.delete(domains).where(isDomain(url));
        yield db.delete(shortUrlPrefixes).where(isPrefix(url));
        return { codes: [stepOf(url)], result: undefined };
      }),
    usable: (accountId) =>
      read(function* (db) {
        const found = yield* rowsOf(usable(db, accountId).orderBy(domains.url));
        return found.map(({ url }) => url);
      }),
    defaultOf: (accountId, folder) =>
      read(function* (db) {
        const account = yield* rowOf(
          db.select(pick(accounts, 'domain')).from(accounts).where(eq(accounts.id, accountId)),
        );
        const ofFolder =
          folder === null
            ? null
            : yield* rowOf(
                db
                  .select(pick(folderDomains, 'domain'))
                  .from(folderDomains)
                  .where(isFolder(accountId, folder)),
              );
        for (const chosen of [ofFolder, account]) {
          if (chosen === null) continue;
          const { domain: url } = chosen;
          if (url === null || (yield* hasRow(usable(db, accountId, url)))) return url;
        }
        return null;
      }),
    setDefault: (acting, url, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner');
        const isAccount = eq(accounts.id, acting.accountId);
        const former = yield* rowOf(
          db.select(pick(accounts, 'domain')).from(accounts).where(isAccount),
        );
        if (former === null || former.domain === url) return;
        yield db.update(accounts).set({ domain: url }).where(isAccount);
        const event = { kind: 'domain-changed', before: former.domain, after: url } as const;
        yield* log.record(db, acting, event, atMs);
      }),
    folderDefault: (accountId, folder) =>
      read(function* (db) {
        const own = db.select(pick(folderDomains, 'domain')).from(folderDomains);
        return (yield* rowOf(own.where(isFolder(accountId, folder))))?.domain;
      }),
    setFolderDefault: (acting, folder, url, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner', 'editor');
        const { accountId } = acting;
        const own = db.select(pick(folderDomains, 'domain')).from(folderDomains);
        const former = (yield* rowOf(own.where(isFolder(accountId, folder))))?.domain;
        if (former === url) return;
        if (url === undefined) yield db.delete(folderDomains).where(isFolder(accountId, folder));
        else
          yield db
            .insert(folderDomains)
            .values({ accountId, folder, domain: url })
            .onConflictDoUpdate({
              target: [folderDomains.accountId, folderDomains.folder],
              set: { domain: url },
            });
        const event = { kind: 'folder-domain-changed', subject: folder } as const;
        yield* log.record(
          db,
          acting,
          { ...event, before: former ?? null, after: url ?? null },
          atMs,
        );
      }),
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
        if (!found.hosts.has(new URL(url).host))
          await add(url, { accountIds: [] }, { kind: 'command' }, atMs);
    },
  };
}
