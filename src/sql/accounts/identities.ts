import { and, eq, isNull, ne } from 'drizzle-orm';
import type { IdentityStore } from '../../core/accounts/ports.ts';
import type { Identity } from '../../core/accounts/sign-in/provider.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Builder, type Dialect, firstOf, hasRow, type Operation, pick } from '../dialect.ts';
import { accountColumns, insertAccount, setPassword } from './accounts.ts';
import { addSession, credentialColumns } from './sign-in.ts';

/** Creates the store of identities of an OpenID Connect provider. */
export function createIdentityStore(dialect: Dialect): IdentityStore {
  const { tables, all, transaction, lock, locked } = dialect;
  const { accounts, identities, sessions } = tables;
  const { proofKey } = credentialColumns(tables);
  const is = ({ issuer, subject }: Identity) =>
    and(eq(identities.issuer, issuer), eq(identities.subject, subject));
  const log = createActivityLog(dialect);
  const keyOf = ({ issuer, subject }: Identity) => `identity ${issuer} ${subject}`;

  /** Connects an identity. Returns false when it or the account is connected. */
  const insert = (db: Builder, row: typeof identities.$inferInsert): Operation<boolean> =>
    hasRow(
      db
        .insert(identities)
        .values(row)
        .onConflictDoNothing()
        .returning({ subject: identities.subject }),
    );

  /** Makes an account an operator as its group says, or takes it back. */
  function* setOperator(
    db: Builder,
    accountId: number,
    isOperator: boolean,
    atMs: number,
  ): Operation<void> {
    const isOther = and(eq(accounts.id, accountId), ne(accounts.isOperator, isOperator));
    const changed = db.update(accounts).set({ isOperator }).where(isOther);
    if (!(yield* hasRow(changed.returning({ id: accounts.id })))) return;
    const kind = isOperator ? 'operator-made' : 'operator-removed';
    yield* log.record(db, { accountId, by: personOf(accountId) }, { kind }, atMs);
  }

  return {
    find: (identity) =>
      firstOf(
        all((db) =>
          db
            .select({ account: accountColumns(tables), ...credentialColumns(tables) })
            .from(identities)
            .innerJoin(accounts, eq(accounts.id, identities.accountId))
            .where(is(identity)),
        ),
      ),
    ofAccount: (accountId) =>
      firstOf(
        all((db) =>
          db
            .select(pick(identities, 'issuer', 'subject', 'boundAtMs', 'lastUsedAtMs'))
            .from(identities)
            .where(eq(identities.accountId, accountId)),
        ),
      ),
    signIn: (identity, accountId, tokens, isOperator) =>
      transaction(function* (db) {
        const isOwn = and(is(identity), eq(identities.accountId, accountId));
        const used = db.update(identities).set({ lastUsedAtMs: tokens.atMs }).where(isOwn);
        if (!(yield* hasRow(used.returning({ subject: identities.subject })))) return false;
        if (isOperator !== null) yield* setOperator(db, accountId, isOperator, tokens.atMs);
        yield* addSession(dialect, db, accountId, tokens);
        return true;
      }),
    bind: (acting, { identity, proofKey: proven, replacesOthers, atMs }) =>
      transaction(function* (db) {
        const { accountId } = acting;
        const isUnchanged = proven === null ? isNull(proofKey) : eq(proofKey, proven);
        const isSame = and(eq(accounts.id, accountId), isUnchanged);
        const account = db.select(pick(accounts, 'id')).from(accounts).where(isSame);
        if (!(yield* hasRow(locked(account)))) return 'outdated';
        const { issuer, subject } = identity;
        const row = { issuer, subject, accountId, boundAtMs: atMs, lastUsedAtMs: null };
        if (!(yield* insert(db, row))) return 'taken';
        if (replacesOthers) yield* setPassword(tables, db, accountId, null);
        yield* log.record(db, acting, { kind: 'identity-connected', subject: issuer }, atMs);
        return 'bound';
      }),
    signUp: ({ issuer, subject, email, isOperator, planUntilMs }, tokens) =>
      transaction(function* (db) {
        const { atMs } = tokens;
        // Two callbacks of one person would both insert the account.
        yield* lock(db, keyOf({ issuer, subject }));
        yield* lock(db, `account ${email}`);
        const known = db.select(pick(identities, 'accountId')).from(identities);
        if (yield* hasRow(known.where(is({ issuer, subject })))) return null;
        const rights = { isOperator: isOperator ?? false, planUntilMs };
        const created = { email, ...rights, createdAtMs: atMs };
        const account = yield* insertAccount(tables, db, created);
        if (account === null) return null;
        const accountId = account.id;
        yield* insert(db, { issuer, subject, accountId, boundAtMs: atMs, lastUsedAtMs: atMs });
        const event = { kind: 'account-created' } as const;
        yield* log.record(db, { accountId, by: personOf(accountId) }, event, atMs);
        yield* addSession(dialect, db, accountId, tokens);
        return account;
      }),
    remove: (acting, atMs, keptSessionHash) =>
      transaction(function* (db) {
        const { accountId } = acting;
        const removed = db.delete(identities).where(eq(identities.accountId, accountId));
        if (!(yield* hasRow(removed.returning({ subject: identities.subject })))) return false;
        const isKept = keptSessionHash === null ? undefined : ne(sessions.hash, keptSessionHash);
        const isOfProvider = and(eq(sessions.accountId, accountId), eq(sessions.isProvided, true));
        yield db.delete(sessions).where(and(isOfProvider, isKept));
        yield* log.record(db, acting, { kind: 'identity-removed' }, atMs);
        return true;
      }),
  };
}

function personOf(accountId: number) {
  return { kind: 'person', accountId } as const;
}
