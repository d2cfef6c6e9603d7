import { and, eq } from 'drizzle-orm';
import { Refused } from '../core/errors.ts';
import type { Acting } from '../core/ports.ts';
import { type Builder, type Dialect, hasRow, type Operation, pick } from './dialect.ts';

/** Who may change something of an account: its owner, an editor of it, or an operator. A command may change all. */
export type Right = 'owner' | 'editor' | 'operator';

/**
 * Requires that who acts has one of some rights at this moment of the transaction.
 * A route has checked it before, but a session may be older than the right is gone. API keys and planned changes have
 * none of them.
 *
 * @throws Refused
 */
export function* requireRight(
  dialect: Dialect,
  db: Builder,
  { accountId, by }: Acting,
  ...rights: readonly [Right, ...Right[]]
): Operation<void> {
  if (by.kind === 'command') return;
  const isPerson = by.kind === 'person' || by.kind === 'operator';
  const isOwner = isPerson && by.accountId === accountId && rights.includes('owner');
  if (isOwner) return;
  if (
    isPerson &&
    rights.includes('editor') &&
    (yield* isEditor(dialect, db, accountId, by.accountId))
  )
    return;
  const canBeOperator = isPerson && rights.includes('operator');
  if (!canBeOperator || !(yield* isOperator(dialect, db, by.accountId)))
    throw new Refused({ kind: 'no right' });
}

function isOperator(
  { tables: { accounts } }: Dialect,
  db: Builder,
  accountId: number,
): Operation<boolean> {
  const operator = db.select(pick(accounts, 'id')).from(accounts);
  return hasRow(operator.where(and(eq(accounts.id, accountId), eq(accounts.isOperator, true))));
}

function isEditor(
  { tables: { members } }: Dialect,
  db: Builder,
  accountId: number,
  memberId: number,
): Operation<boolean> {
  const editor = db.select(pick(members, 'memberId')).from(members);
  const isMember = and(eq(members.accountId, accountId), eq(members.memberId, memberId));
  return hasRow(editor.where(and(isMember, eq(members.role, 'editor'))));
}
