import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import { type Account, ownerlessEmail } from '../../core/accounts/account.ts';
import type {
  CredentialStore,
  SessionStore,
  SignInLinkStore,
  StoredSignIn,
} from '../../core/accounts/ports.ts';
import { sessionMaxAgeMs, trustedBrowserLifetimeMs } from '../../core/accounts/session.ts';
import { createActivityLog } from '../activity/log.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  hasRow,
  type Operation,
  pick,
  rowOf,
} from '../dialect.ts';
import { requireRight } from '../rights.ts';
import type { Tables } from '../tables.ts';
import {
  accountColumns,
  credentialColumns,
  endOldWaysIn,
  hasSecondFactor,
  insertAccount,
  isCurrentPassword,
  removeSessions,
  setPassword,
} from './accounts.ts';
import { insertStep, takeStep } from './sign-in-steps.ts';

/** Creates the store of passwords and trusted browsers. */
export function createCredentialStore(dialect: Dialect): CredentialStore {
  const { tables, read, transaction, prepare } = dialect;
  const { accounts, trustedBrowsers } = tables;
  const log = createActivityLog(dialect);
  const byEmail = prepare((db) =>
    db
      .select({
        account: accountColumns(tables),
        ...credentialColumns(tables),
      })
      .from(accounts)
      .where(eq(accounts.email, sql.placeholder('email'))),
  );
  return {
    find: (email) => firstOf(byEmail.all({ email })),
    signIn: (accountId, verifiedHash, tokens, upgradedHash, stepHash) =>
      transaction(function* (db) {
        if (!(yield* isCurrentPassword(dialect, db, accountId, verifiedHash))) return 'outdated';
        const isOpen =
          stepHash === undefined || (yield* takeStep(tables, db, { hash: stepHash, accountId }));
        if (!isOpen) return 'outdated';
        const upgraded = { passwordHash: upgradedHash };
        if (upgradedHash !== null)
          yield db.update(accounts).set(upgraded).where(eq(accounts.id, accountId));
        yield* addSession(dialect, db, accountId, tokens);
        return 'stored';
      }),
    changePassword: (accountId, verifiedHash, nextHash, tokens) =>
      transaction(function* (db) {
        if (!(yield* isCurrentPassword(dialect, db, accountId, verifiedHash))) return 'outdated';
        yield* setPassword(tables, db, accountId, nextHash);
        yield* insertSession(dialect, db, accountId, tokens);
        const by = { kind: 'person', accountId } as const;
        yield* log.record(db, { accountId, by }, { kind: 'password-changed' }, tokens.atMs);
        return 'changed';
      }),
    browserSinceMs: (hash, accountId) =>
      read(function* (db) {
        const isOwn = and(eq(trustedBrowsers.hash, hash), eq(trustedBrowsers.accountId, accountId));
        const browser = db.select(pick(trustedBrowsers, 'createdAtMs')).from(trustedBrowsers);
        return (yield* rowOf(browser.where(isOwn)))?.createdAtMs ?? null;
      }),
  };
}

/** Creates the store of the account panel's sessions. */
export function createSessionStore(dialect: Dialect): SessionStore {
  const { tables, write, transaction, prepare } = dialect;
  const { accounts, members, sessions } = tables;
  const log = createActivityLog(dialect);
  const byHash = prepare((db) =>
    db
      .select({
        person: accountColumns(tables),
        enteredId: sessions.enteredAccountId,
        ...pick(sessions, 'createdAtMs', 'lastSeenAtMs', 'confirmedAtMs', 'isProvided'),
        hasPassword: isNotNull(accounts.passwordHash).mapWith(Boolean),
      })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(eq(sessions.hash, sql.placeholder('hash'))),
  );
  const byMember = prepare((db) =>
    db
      .select({ account: accountColumns(tables), role: members.role })
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .where(
        and(
          eq(members.accountId, sql.placeholder('accountId')),
          eq(members.memberId, sql.placeholder('memberId')),
        ),
      ),
  );
  const findEntered = async (accountId: number, memberId: number) => {
    const member = await firstOf(byMember.all({ accountId, memberId }));
    return member ?? 'lost';
  };
  const ofAccount = prepare((db) =>
    db
      .select(pick(sessions, 'hash', 'device', 'createdAtMs', 'lastSeenAtMs', 'isProvided'))
      .from(sessions)
      .where(
        and(
          eq(sessions.accountId, sql.placeholder('accountId')),
          gte(sessions.lastSeenAtMs, sql.placeholder('usedSinceMs')),
        ),
      )
      .orderBy(desc(sessions.lastSeenAtMs), desc(sessions.createdAtMs))
      .limit(sql.placeholder('limit')),
  );

  return {
    find: async (hash) => {
      const row = await firstOf(byHash.all({ hash }));
      if (row === null) return null;
      const { enteredId, ...session } = row;
      const entered = enteredId === null ? null : await findEntered(enteredId, row.person.id);
      return { ...session, entered };
    },
    enter: (hash, accountId) =>
      transaction(function* (db) {
        const isAsked = eq(sessions.hash, hash);
        const session = yield* rowOf(
          db.select(pick(sessions, 'accountId')).from(sessions).where(isAsked),
        );
        if (session === null) return false;
        const isOwn = session.accountId === accountId;
        const values = { accountId, memberId: session.accountId };
        if (!isOwn && (yield* byMember.within(db, values)).length === 0) return false;
        const enteredAccountId = isOwn ? null : accountId;
        yield db.update(sessions).set({ enteredAccountId }).where(isAsked);
        return true;
      }),
    recordUse: async (hash, lastSeenAtMs) => {
      await write((db) => db.update(sessions).set({ lastSeenAtMs }).where(eq(sessions.hash, hash)));
    },
    recordConfirmation: async (hash, confirmedAtMs) => {
      await write((db) =>
        db.update(sessions).set({ confirmedAtMs }).where(eq(sessions.hash, hash)),
      );
    },
    remove: async (hash) => {
      await write((db) => db.delete(sessions).where(eq(sessions.hash, hash)));
    },
    list: (accountId, usedSinceMs, limit) => ofAccount.all({ accountId, usedSinceMs, limit }),
    removeOf: async (accountId, hash) => {
      const isOwn = and(eq(sessions.hash, hash), eq(sessions.accountId, accountId));
      await write((db) => db.delete(sessions).where(isOwn));
    },
    removeAll: (acting, atMs, kept) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner', 'operator');
        yield* removeSessions(tables, db, acting.accountId, kept);
        yield* log.record(db, acting, { kind: 'sessions-ended' }, atMs);
      }),
  };
}

/** Creates the store of one-time links to the account panel. */
export function createSignInLinkStore(dialect: Dialect): SignInLinkStore {
  const { tables, read, transaction, lock } = dialect;
  const { accounts, signInLinks } = tables;
  const log = createActivityLog(dialect);
  const hasAccounts = (db: Builder) => {
    const isReal = ne(accounts.email, ownerlessEmail);
    return hasRow(db.select(pick(accounts, 'id')).from(accounts).where(isReal).limit(1));
  };
  function* find(
    db: Builder,
    hash: string,
    nowMs: number,
  ): Operation<{
    account: Account | null;
    hasSecondFactor: boolean;
  } | null> {
    const link = yield* rowOf(
      db
        .select({ account: accountColumns(tables), hasSecondFactor: hasSecondFactor(tables) })
        .from(signInLinks)
        .leftJoin(accounts, eq(accounts.id, signInLinks.accountId))
        .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAtMs, nowMs))),
    );
    if (link === null || (link.account === null && (yield* hasAccounts(db)))) return null;
    return link;
  }

  return {
    add: (hash, acting, expiresAtMs, atMs) =>
      transaction(function* (db) {
        const accountId = acting?.accountId ?? null;
        const owner = signInLinks.accountId;
        if (acting !== null) yield* requireRight(dialect, db, acting, 'operator');
        // Two links that are added at once would both stay.
        yield* lock(db, `sign-in link of ${accountId}`);
        yield db
          .delete(signInLinks)
          .where(accountId === null ? isNull(owner) : eq(owner, accountId));
        yield db.insert(signInLinks).values({ hash, accountId, expiresAtMs });
        if (acting !== null) yield* log.record(db, acting, { kind: 'sign-in-link-made' }, atMs);
      }),
    find: (hash, nowMs) => read((db) => find(db, hash, nowMs)),
    redeem: (hash, email, passwordHash, tokens, stepHash) =>
      transaction(function* (db) {
        const { atMs } = tokens;
        const link = yield* find(db, hash, atMs);
        if (link === null) return null;
        // Whoever deletes it redeems it; another copy waits here.
        const removal = db.delete(signInLinks).where(eq(signInLinks.hash, hash));
        if (!(yield* hasRow(removal.returning({ hash: signInLinks.hash })))) return null;
        const first = { email, isOperator: true, passwordHash, createdAtMs: atMs };
        const account = link.account ?? (yield* insertAccount(tables, db, first));
        if (account === null) return null;
        yield* passwordHash === null
          ? endOldWaysIn(tables, db, account.id)
          : setPassword(tables, db, account.id, passwordHash);
        const by = { kind: 'person', accountId: account.id } as const;
        const acting = { accountId: account.id, by };
        yield* log.record(db, acting, { kind: 'sign-in-link-used' }, atMs);
        const { hasSecondFactor } = link;
        const step = {
          hash: stepHash,
          accountId: account.id,
          step: { kind: 'password' },
          atMs,
        } as const;
        yield* hasSecondFactor
          ? insertStep(dialect, db, step)
          : addSession(dialect, db, account.id, tokens);
        return { account, hasSecondFactor };
      }),
    isFirstAccountMissing: () =>
      read(function* (db) {
        return !(yield* hasAccounts(db));
      }),
  };
}

// More browsers than an account has. What revokes all of them stays short.
const maxSessions = 1000;
// More than a sign-in adds, and few enough to stay short.
const removedPerSignIn = 100;

/**
 * Returns the account in which a session begins whose own account has neither a plan nor codes.
 * It is the first one that the person may enter. Returns null if the session begins in the person's own account.
 */
function* enteredAtFirst(
  { accounts, members }: Tables,
  db: Builder,
  personId: number,
  atMs: number,
): Operation<number | null> {
  const isIdle = and(
    eq(accounts.id, personId),
    eq(accounts.qrCount, 0),
    lt(accounts.planUntilMs, atMs),
  );
  const first = yield* rowOf(
    db
      .select(pick(members, 'accountId'))
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.memberId))
      .where(isIdle)
      .orderBy(asc(members.sinceMs), asc(members.accountId))
      .limit(1),
  );
  return first?.accountId ?? null;
}

/** Adds a session and a trusted browser, as {@link insertSession} does, and records the sign-in. */
export function* addSession(
  dialect: Dialect,
  db: Builder,
  accountId: number,
  tokens: StoredSignIn,
): Operation<void> {
  yield* insertSession(dialect, db, accountId, tokens);
  const by = { kind: 'person', accountId } as const;
  const event = { kind: 'signed-in', after: tokens.device } as const;
  yield* createActivityLog(dialect).record(db, { accountId, by }, event, tokens.atMs);
}

/**
 * Adds a session and a trusted browser.
 * Deletes the expired ones of the account, and the oldest beyond a maximum.
 */
function* insertSession(
  { tables, lockedOrSkipped, isOneOf }: Dialect,
  db: Builder,
  accountId: number,
  { sessionHash, trustedBrowserHash, device, atMs, isProvided }: StoredSignIn,
): Operation<void> {
  const { sessions, trustedBrowsers } = tables;
  for (const [table, maxAgeMs] of [
    [sessions, sessionMaxAgeMs],
    [trustedBrowsers, trustedBrowserLifetimeMs],
  ] as const) {
    const { hash, createdAtMs } = table;
    const isOwn = eq(table.accountId, accountId);
    const isExpired = and(isOwn, lt(createdAtMs, atMs - maxAgeMs));
    const expired = db.select({ hash }).from(table).where(isExpired);
    // Two sign-ins would wait for each other's rows otherwise.
    yield db.delete(table).where(isOneOf(hash, lockedOrSkipped(expired.limit(removedPerSignIn))));
    // An earlier version may have left any number. Each sign-in deletes some of them.
    const some = db
      .select({ hash, createdAtMs })
      .from(table)
      .where(isOwn)
      .limit(maxSessions + removedPerSignIn);
    const own = some.as('own');
    const newest = db.select({ hash: own.hash }).from(own).orderBy(desc(own.createdAtMs));
    const beyond = newest.limit(removedPerSignIn).offset(maxSessions - 1);
    yield db.delete(table).where(isOneOf(hash, beyond));
  }
  const enteredAccountId = yield* enteredAtFirst(tables, db, accountId, atMs);
  const times = { createdAtMs: atMs, lastSeenAtMs: atMs, confirmedAtMs: atMs };
  const own = { hash: sessionHash, accountId, enteredAccountId, device };
  yield db.insert(sessions).values({ ...own, ...times, isProvided: isProvided ?? false });
  const browser = { hash: trustedBrowserHash, accountId, createdAtMs: atMs };
  yield db.insert(trustedBrowsers).values(browser);
}
