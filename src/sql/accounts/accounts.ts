import { and, asc, count, eq, gt, isNotNull, isNull, max, ne, sql } from 'drizzle-orm';
import { type Account, ownerlessEmail } from '../../core/accounts/account.ts';
import type { ActivityEvent } from '../../core/accounts/activity/activity.ts';
import type { AccountStore, StoredSignIn } from '../../core/accounts/ports.ts';
import { plainDesign } from '../../core/designs/design.ts';
import type { Acting } from '../../core/ports.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { createActivityLog } from '../activity/log.ts';
import { timeZoneLock } from '../codes/schedule.ts';
import { addDefaultDesign } from '../designs/designs.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  hasRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import { type Right, requireRight } from '../rights.ts';
import type { Tables } from '../tables.ts';

/** Returns the columns of an account, under their names in core. */
export function accountColumns({ accounts }: Tables) {
  return pick(
    accounts,
    ...(['id', 'email', 'isOperator', 'planUntilMs', 'timeZone', 'language'] as const),
    'businessName',
    'createdAtMs',
  );
}

/** Returns the column that tells whether an account has a second factor. */
export function hasSecondFactor({ accounts }: Tables) {
  return isNotNull(accounts.totpSecret).mapWith(Boolean);
}

/** Returns the columns of the credentials of an account, beside the account itself. */
export function credentialColumns(tables: Tables) {
  const { passwordHash } = tables.accounts;
  return { passwordHash, hasSecondFactor: hasSecondFactor(tables) };
}

/** Returns whether a password is still the one of an account, and locks the account, so that it stays so. */
export function isCurrentPassword(
  { tables: { accounts }, locked }: Dialect,
  db: Builder,
  accountId: number,
  passwordHash: string | null,
): Operation<boolean> {
  const isSame =
    passwordHash === null ? isNull(accounts.passwordHash) : eq(accounts.passwordHash, passwordHash);
  const isUnchanged = and(eq(accounts.id, accountId), isSame);
  return hasRow(locked(db.select(pick(accounts, 'id')).from(accounts).where(isUnchanged)));
}

/** Locks who is an operator: of two that end each other's right, one stays. */
export const operatorsLock = 'account removal';

// A step takes SQLite a millisecond or two, in which nothing else is answered.
const countersPerStep = 10_000;

// The account does not exist yet.
const noAccount = 0;

/** Creates the account store, without `createAccountRemoval`. */
export function createAccountStore(dialect: Dialect): Omit<AccountStore, 'remove'> {
  const { tables, all, read, transaction, contains, lock } = dialect;
  const log = createActivityLog(dialect);
  const { accounts, scanCounters, signInLinks } = tables;
  const isReal = ne(accounts.email, ownerlessEmail);
  const select = (db: Builder) =>
    db
      .select({
        ...accountColumns(tables),
        qrs: accounts.qrCount,
        hasSecondFactor: hasSecondFactor(tables),
      })
      .from(accounts);
  const sumOfCounters = (db: Builder, afterId: number) => {
    const { qrId, scans } = scanCounters;
    const rest = db.select({ qrId, scans }).from(scanCounters).where(gt(qrId, afterId));
    const some = rest.orderBy(asc(qrId)).limit(countersPerStep).as('some');
    const sum = sql`coalesce(sum(${some.scans}), 0)`.mapWith(Number);
    return db.select({ scans: sum, lastId: max(some.qrId) }).from(some);
  };
  /** Changes an account for somebody with a right to it, and records that. */
  function* change(
    db: Builder,
    acting: Acting,
    values: Partial<typeof accounts.$inferInsert>,
    event: ActivityEvent,
    atMs: number,
    right: Right,
  ): Operation<void> {
    yield* requireRight(dialect, db, acting, right);
    const changed = db.update(accounts).set(values).where(eq(accounts.id, acting.accountId));
    if (yield* hasRow(changed.returning(pick(accounts, 'id'))))
      yield* log.record(db, acting, event, atMs);
  }
  const update = (
    acting: Acting,
    values: Partial<typeof accounts.$inferInsert>,
    event: ActivityEvent,
    atMs: number,
    right: Right,
  ): Promise<void> => transaction((db) => change(db, acting, values, event, atMs, right));

  return {
    create: ({ atMs, by, ...account }) =>
      transaction(function* (db) {
        // A rename to this address would fail if it were not waited for.
        yield* lock(db, `account ${account.email}`);
        yield* requireRight(dialect, db, { accountId: noAccount, by }, 'operator');
        const row = { ...account, createdAtMs: atMs };
        const created = yield* insertAccount(tables, db, row);
        if (created === null) return { outcome: 'taken' };
        yield* log.record(db, { accountId: created.id, by }, { kind: 'account-created' }, atMs);
        return { outcome: 'created', account: created };
      }),
    find: (id) => firstOf(all((db) => select(db).where(and(eq(accounts.id, id), isReal)))),
    findByEmail: (email) => firstOf(all((db) => select(db).where(eq(accounts.email, email)))),
    search: (text, limit = Number.MAX_SAFE_INTEGER) =>
      read(function* (db) {
        const matching = and(isReal, text === '' ? undefined : contains(accounts.email, text));
        const ordered = select(db).where(matching).orderBy(asc(accounts.id));
        const found = yield* rowsOf(ordered.limit(limit));
        const total = yield* rowOf(db.select({ rows: count() }).from(accounts).where(matching));
        return { accounts: found, total: total?.rows ?? 0 };
      }),
    totals: async () => {
      const qrs = sql`coalesce(sum(${accounts.qrCount}), 0)`.mapWith(Number);
      const real = sql`count(*) filter (where ${isReal})`.mapWith(Number);
      const counts = await firstOf(all((db) => db.select({ accounts: real, qrs }).from(accounts)));
      let scans = 0;
      let lastId = 0;
      for (;;) {
        const step = await firstOf(all((db) => sumOfCounters(db, lastId)));
        if (step === null || step.lastId === null) return { accounts: 0, qrs: 0, ...counts, scans };
        scans += step.scans;
        lastId = step.lastId;
        await yieldToEventLoop();
      }
    },
    changePlan: (acting, planUntilMs, atMs) => {
      const after = planUntilMs === null ? null : new Date(planUntilMs).toISOString();
      const event = { kind: 'account-plan-changed', after } as const;
      return update(acting, { planUntilMs }, event, atMs, 'operator');
    },
    changeTimeZone: (acting, timeZone, atMs) =>
      transaction(function* (db) {
        yield* lock(db, timeZoneLock(acting.accountId));
        const event = { kind: 'time-zone-changed', after: timeZone } as const;
        yield* change(db, acting, { timeZone }, event, atMs, 'owner');
      }),
    changeLanguage: (id, language) =>
      transaction(function* (db) {
        yield db.update(accounts).set({ language }).where(eq(accounts.id, id));
      }),
    pausedTexts: async (id) => {
      const texts = pick(accounts, 'businessName', 'pausedMessage', 'pausedLink');
      const found = await firstOf(
        all((db) => db.select(texts).from(accounts).where(eq(accounts.id, id))),
      );
      return found ?? { businessName: null, pausedMessage: null, pausedLink: null };
    },
    changePausedTexts: (acting, changes, atMs) => {
      const { pausedLink } = changes;
      const values = {
        ...changes,
        ...(pausedLink !== undefined && { isPausedLinkFlagged: false }),
      };
      return update(acting, values, { kind: 'visitor-texts-changed' }, atMs, 'owner');
    },
    hasOperator: () =>
      read(function* (db) {
        const real = db.select(pick(accounts, 'id')).from(accounts);
        const operators = real.where(and(isReal, eq(accounts.isOperator, true)));
        if (yield* hasRow(operators.limit(1))) return true;
        const any = db.select(pick(accounts, 'id')).from(accounts).where(isReal);
        return !(yield* hasRow(any.limit(1)));
      }),
    changeOperator: (acting, isOperator, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'operator');
        yield* setOperator(dialect, db, acting, isOperator, atMs);
      }),
    changePassword: (acting, passwordHash, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'operator');
        yield* setPassword(tables, db, acting.accountId, passwordHash);
        yield* log.record(db, acting, { kind: 'password-changed' }, atMs);
      }),
    changeEmail: (acting, email, atMs) =>
      transaction(function* (db) {
        const { accountId: id } = acting;
        yield* requireRight(dialect, db, acting, 'owner', 'operator');
        yield* lock(db, `account ${email}`);
        const other = yield* rowOf(select(db).where(eq(accounts.email, email)));
        if (other !== null && other.id !== id) return 'taken';
        const former = yield* rowOf(select(db).where(eq(accounts.id, id)));
        yield db.update(accounts).set({ email }).where(eq(accounts.id, id));
        yield db.delete(signInLinks).where(eq(signInLinks.accountId, id));
        yield* removeSteps(tables, db, id);
        const event = {
          kind: 'email-changed',
          before: former?.email ?? null,
          after: email,
        } as const;
        yield* log.record(db, acting, event, atMs);
        if (former !== null) yield* log.renamePerson(db, former.email, email);
        return 'changed';
      }),
  };
}

/**
 * Inserts an account with the plain design.
 *
 * @returns null when the e-mail address is taken
 */
export function* insertAccount(
  tables: Tables,
  db: Builder,
  row: typeof tables.accounts.$inferInsert,
): Operation<Account | null> {
  const { accounts } = tables;
  const account = yield* rowOf(
    db
      .insert(accounts)
      .values(row)
      .onConflictDoNothing({ target: accounts.email })
      .returning(accountColumns(tables)),
  );
  if (account !== null)
    yield* addDefaultDesign(tables, db, account.id, plainDesign, account.createdAtMs);
  return account;
}

/** Makes an account an operator, or takes that back. Returns whether that changed anything. */
export function* setOperator(
  dialect: Dialect,
  db: Builder,
  acting: Acting,
  isOperator: boolean,
  atMs: number,
): Operation<boolean> {
  const { accounts } = dialect.tables;
  const isOther = and(eq(accounts.id, acting.accountId), ne(accounts.isOperator, isOperator));
  const changed = db.update(accounts).set({ isOperator }).where(isOther);
  if (!(yield* hasRow(changed.returning(pick(accounts, 'id'))))) return false;
  const kind = isOperator ? 'operator-made' : 'operator-removed';
  yield* createActivityLog(dialect).record(db, acting, { kind }, atMs);
  return true;
}

/**
 * Returns whether an account is the only operator.
 * If so, no other one comes or goes until the end of the transaction, which begins with it.
 */
export function* isOnlyOperator(
  { tables: { accounts }, lock }: Dialect,
  db: Builder,
  accountId: number,
): Operation<boolean> {
  const operators = db.select(pick(accounts, 'id')).from(accounts);
  const isOperator = eq(accounts.isOperator, true);
  // Most are none, and need no lock.
  if (!(yield* hasRow(operators.where(and(eq(accounts.id, accountId), isOperator))))) return false;
  yield* lock(db, operatorsLock);
  const all = db.select(pick(accounts, 'id')).from(accounts);
  const ids = yield* rowsOf(
    all.where(and(isOperator, ne(accounts.email, ownerlessEmail))).limit(2),
  );
  return ids.length === 1 && ids[0]?.id === accountId;
}

/** Sets an account's password and removes its old ways in, see {@link endOldWaysIn}. */
export function* setPassword(
  tables: Tables,
  db: Builder,
  accountId: number,
  passwordHash: string | null,
): Operation<void> {
  const { accounts } = tables;
  yield db.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
  yield* endOldWaysIn(tables, db, accountId);
}

/** Removes an account's sessions, trusted browsers, sign-in link and steps of sign-ins. */
export function* endOldWaysIn(tables: Tables, db: Builder, accountId: number): Operation<void> {
  const { signInLinks } = tables;
  yield* removeSessions(tables, db, accountId);
  yield db.delete(signInLinks).where(eq(signInLinks.accountId, accountId));
  yield* removeSteps(tables, db, accountId);
}

/** Removes the steps of sign-ins of an account: something that they were proven with has changed. */
export function* removeSteps(
  { signInSteps }: Tables,
  db: Builder,
  accountId: number,
): Operation<void> {
  yield db.delete(signInSteps).where(eq(signInSteps.accountId, accountId));
}

/** Removes all sessions and trusted browsers of an account, but those of `kept`. */
export function* removeSessions(
  { sessions, trustedBrowsers }: Tables,
  db: Builder,
  accountId: number,
  kept?: Pick<StoredSignIn, 'sessionHash' | 'trustedBrowserHash'>,
): Operation<void> {
  for (const [table, hash] of [
    [sessions, kept?.sessionHash],
    [trustedBrowsers, kept?.trustedBrowserHash],
  ] as const) {
    const isRemoved = hash === undefined ? undefined : ne(table.hash, hash);
    yield db.delete(table).where(and(eq(table.accountId, accountId), isRemoved));
  }
}
