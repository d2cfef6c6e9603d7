import { and, desc, eq, lt } from 'drizzle-orm';
import type { NewSignInStep, SignInStepStore } from '../../core/accounts/ports.ts';
import { type SignInStep, stepLifetimeMs } from '../../core/accounts/sign-in/step.ts';
import { type Builder, type Dialect, firstOf, hasRow, type Operation, pick } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import { accountColumns, credentialColumns, isCurrentPassword } from './accounts.ts';

// More than one person begins within the lifetime of a step.
const maxSteps = 20;

/** Creates the store of steps of sign-ins. */
export function createSignInStepStore(dialect: Dialect): SignInStepStore {
  const { tables, all, transaction } = dialect;
  const { accounts, signInSteps } = tables;
  const columns = pick(
    signInSteps,
    ...(['kind', 'issuer', 'subject', 'isOperator', 'sessionHash'] as const),
    'createdAtMs',
  );
  return {
    add: (step, verifiedHash) =>
      transaction(function* (db) {
        const isSame =
          verifiedHash === undefined ||
          (yield* isCurrentPassword(dialect, db, step.accountId, verifiedHash));
        if (!isSame) return 'outdated';
        yield* insertStep(dialect, db, step);
        return 'added';
      }),
    find: async (hash) => {
      const row = await firstOf(
        all((db) =>
          db
            .select({
              account: accountColumns(tables),
              ...credentialColumns(tables),
              step: columns,
            })
            .from(signInSteps)
            .innerJoin(accounts, eq(accounts.id, signInSteps.accountId))
            .where(eq(signInSteps.hash, hash)),
        ),
      );
      if (row === null) return null;
      const { step: stored, ...known } = row;
      const step = toStep(stored);
      return step && { hash, step, known, beganAtMs: stored.createdAtMs };
    },
  };
}

/** Inserts a step. Deletes those of the account that are over, and the oldest beyond a maximum. */
export function* insertStep(
  { tables: { signInSteps }, isOneOf }: Dialect,
  db: Builder,
  { hash, accountId, step, atMs }: NewSignInStep,
): Operation<void> {
  const isOwn = eq(signInSteps.accountId, accountId);
  yield db
    .delete(signInSteps)
    .where(and(isOwn, lt(signInSteps.createdAtMs, atMs - stepLifetimeMs)));
  const newest = db.select({ hash: signInSteps.hash }).from(signInSteps).where(isOwn);
  const beyond = newest
    .orderBy(desc(signInSteps.createdAtMs), desc(signInSteps.hash))
    .limit(maxSteps)
    .offset(maxSteps - 1);
  yield db.delete(signInSteps).where(isOneOf(signInSteps.hash, beyond));
  const provided =
    step.kind === 'password' ? {} : { ...step.identity, isOperator: step.isOperator };
  const sessionHash = step.kind === 'connection' ? step.sessionHash : null;
  const row = { hash, accountId, kind: step.kind, sessionHash, createdAtMs: atMs };
  yield db.insert(signInSteps).values({ ...row, ...provided });
}

/** Uses a step up. Returns false when it was used, or something has ended it. */
export function* takeStep(
  { signInSteps }: Tables,
  db: Builder,
  { hash, accountId }: { readonly hash: string; readonly accountId: number },
): Operation<boolean> {
  const isOwn = and(eq(signInSteps.hash, hash), eq(signInSteps.accountId, accountId));
  return yield* hasRow(db.delete(signInSteps).where(isOwn).returning(pick(signInSteps, 'hash')));
}

/** Returns the step of a row, or null when another version wrote it. */
function toStep(row: {
  readonly kind: SignInStep['kind'];
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly isOperator: boolean | null;
  readonly sessionHash: string | null;
}): SignInStep | null {
  const { kind, issuer, subject, isOperator, sessionHash } = row;
  if (kind === 'password') return { kind };
  if (issuer === null || subject === null) return null;
  const provided = { identity: { issuer, subject }, isOperator };
  if (kind !== 'connection') return { kind, ...provided };
  return sessionHash === null ? null : { kind, sessionHash, ...provided };
}
