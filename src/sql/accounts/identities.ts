import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import type { Binding, IdentityStore } from '../../core/accounts/ports.ts';
import type { Identity } from '../../core/accounts/sign-in/provider.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Builder, type Dialect, firstOf, hasRow, type Operation, pick } from '../dialect.ts';
import { requireRight } from '../rights.ts';
import {
  accountColumns,
  credentialColumns,
  insertAccount,
  isOnlyOperator,
  removeSessions,
  setOperator,
  setPassword,
} from './accounts.ts';
import { addSession } from './sign-in.ts';
import { takeStep } from './sign-in-steps.ts';

/** Creates the store of identities of an OpenID Connect provider. */
export function createIdentityStore(dialect: Dialect): IdentityStore {
  const { tables, all, transaction, lock, locked } = dialect;
  const { accounts, identities, sessions } = tables;
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

  /** Returns whether the secrets of an account are the known ones, and locks it, so that they stay so. */
  const isUnchanged = (db: Builder, accountId: number, known: Binding['known']) => {
    const isSame =
      known === undefined
        ? undefined
        : and(
            known.passwordHash === null
              ? isNull(accounts.passwordHash)
              : eq(accounts.passwordHash, known.passwordHash),
            known.hasSecondFactor ? isNotNull(accounts.totpSecret) : isNull(accounts.totpSecret),
          );
    const account = db.select(pick(accounts, 'id')).from(accounts);
    return hasRow(locked(account.where(and(eq(accounts.id, accountId), isSame))));
  };

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
    signIn: (identity, accountId, tokens, isOperator, stepHash) =>
      transaction(function* (db) {
        const isKeptOperator =
          isOperator === false && (yield* isOnlyOperator(dialect, db, accountId));
        const isOpen =
          stepHash === undefined || (yield* takeStep(tables, db, { hash: stepHash, accountId }));
        if (!isOpen) return { outcome: 'outdated' };
        const isOwn = and(is(identity), eq(identities.accountId, accountId));
        const used = db.update(identities).set({ lastUsedAtMs: tokens.atMs }).where(isOwn);
        if (!(yield* hasRow(used.returning({ subject: identities.subject }))))
          return { outcome: 'outdated' };
        const acting = { accountId, by: personOf(accountId) };
        const isChanged =
          isOperator !== null &&
          !isKeptOperator &&
          (yield* setOperator(dialect, db, acting, isOperator, tokens.atMs));
        // Who had a session before the rights grew may be somebody else.
        if (isChanged && isOperator) yield* removeSessions(tables, db, accountId);
        yield* addSession(dialect, db, accountId, tokens);
        return { outcome: 'stored', isKeptOperator };
      }),
    bind: (acting, { identity, stepHash, known, replacesOthers, atMs }) =>
      transaction(function* (db) {
        const { accountId } = acting;
        yield* requireRight(dialect, db, acting, 'owner');
        if (!(yield* isUnchanged(db, accountId, known))) return 'outdated';
        const isOpen =
          stepHash === null || (yield* takeStep(tables, db, { hash: stepHash, accountId }));
        if (!isOpen) return 'outdated';
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
        yield* requireRight(dialect, db, acting, 'owner');
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
