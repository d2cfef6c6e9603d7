import { and, asc, count, eq, gt, isNotNull, max, ne, sql } from 'drizzle-orm';
import { type Account, ownerlessEmail } from '../../core/accounts/account.ts';
import type { AccountStore, StoredSignIn } from '../../core/accounts/ports.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { addDefaultDesign } from '../designs/designs.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** Returns the columns of an account, under their names in core. */
export function accountColumns({ accounts }: Tables) {
  return pick(
    accounts,
    ...(['id', 'email', 'isOperator', 'planUntilMs', 'timeZone', 'businessName'] as const),
    'createdAtMs',
  );
}

/** Returns the column that tells whether an account has a second factor. */
export function hasSecondFactor({ accounts }: Tables) {
  return isNotNull(accounts.totpSecret).mapWith(Boolean);
}

// A step takes SQLite a millisecond or two, in which no redirect is answered.
const countersPerStep = 10_000;

/** Creates the account store, without `createAccountRemoval`. */
export function createAccountStore({
  tables,
  all,
  read,
  write,
  transaction,
  contains,
  lock,
}: Dialect): Omit<AccountStore, 'remove'> {
  const { accounts, scanCounters } = tables;
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
  const update = async (id: number, values: Partial<typeof accounts.$inferInsert>) => {
    await write((db) => db.update(accounts).set(values).where(eq(accounts.id, id)));
  };

  return {
    create: ({ atMs, ...account }) =>
      transaction(function* (db) {
        // A rename to this address would fail if it were not waited for.
        yield* lock(db, `account ${account.email}`);
        const row = { ...account, createdAtMs: atMs };
        return (yield* insertAccount(tables, db, row)) ?? 'taken';
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
    changePlan: (id, planUntilMs) => update(id, { planUntilMs }),
    changeTimeZone: (id, timeZone) => update(id, { timeZone }),
    pausedTexts: async (id) => {
      const texts = pick(accounts, 'businessName', 'pausedMessage', 'pausedLink');
      const found = await firstOf(
        all((db) => db.select(texts).from(accounts).where(eq(accounts.id, id))),
      );
      return found ?? { businessName: null, pausedMessage: null, pausedLink: null };
    },
    changePausedTexts: (id, changes) =>
      update(id, {
        ...changes,
        ...(changes.pausedLink !== undefined && { isPausedLinkFlagged: false }),
      }),
    changeOperator: (id, isOperator) => update(id, { isOperator }),
    changePassword: (id, passwordHash) =>
      transaction((db) => setPassword(tables, db, id, passwordHash)),
    changeEmail: (id, email) =>
      transaction(function* (db) {
        yield* lock(db, `account ${email}`);
        const other = yield* rowOf(select(db).where(eq(accounts.email, email)));
        if (other !== null && other.id !== id) return 'taken';
        yield db.update(accounts).set({ email }).where(eq(accounts.id, id));
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

/** Sets an account's password and removes its sessions, trusted browsers and sign-in link. */
export function* setPassword(
  tables: Tables,
  db: Builder,
  accountId: number,
  passwordHash: string,
): Operation<void> {
  const { accounts, signInLinks } = tables;
  yield db.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
  yield* removeSessions(tables, db, accountId);
  yield db.delete(signInLinks).where(eq(signInLinks.accountId, accountId));
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
