import { and, asc, count, desc, eq, gt, lt, max, ne, sql } from 'drizzle-orm';
import { noPlanSince } from '../../core/accounts/account.ts';
import {
  keptInvitationMs,
  maxAccounts,
  maxInvitations,
  maxMembers,
  type PeopleStore,
} from '../../core/accounts/people/ports.ts';
import type { EnteredAccount } from '../../core/accounts/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  type Operation,
  pick,
  rowOf,
  type Statement,
} from '../dialect.ts';
import { requireRight } from '../rights.ts';
import { accountColumns, insertAccount } from './accounts.ts';
import { addSession } from './sign-in.ts';

/** Creates the store of people who may enter accounts. */
export function createPeopleStore(dialect: Dialect): PeopleStore {
  const { tables, all, read, transaction, prepare, locked, lock } = dialect;
  const log = createActivityLog(dialect);
  const { accounts, members, invitations, sessions } = tables;
  const byMember = prepare((db) =>
    db
      .select({ ...accountColumns(tables), role: members.role })
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .where(eq(members.memberId, sql.placeholder('memberId')))
      .orderBy(asc(members.sinceMs), asc(members.accountId))
      .limit(maxAccounts),
  );
  const isMember = (accountId: number, memberId: number) =>
    and(eq(members.accountId, accountId), eq(members.memberId, memberId));
  const isInvitation = (accountId: number, email: string) =>
    and(eq(invitations.accountId, accountId), eq(invitations.email, email));
  function* countOf(rows: Statement<{ rows: number }[]>): Operation<number> {
    return (yield* rowOf(rows))?.rows ?? 0;
  }
  const countMembers = (db: Builder, accountId: number) =>
    countOf(db.select({ rows: count() }).from(members).where(eq(members.accountId, accountId)));
  const accountOf = (db: Builder, email: string) =>
    rowOf(db.select(accountColumns(tables)).from(accounts).where(eq(accounts.email, email)));
  const openInvitation = (db: Builder, hash: string, nowMs: number) =>
    db
      .select({
        account: accountColumns(tables),
        ...pick(invitations, 'email', 'role', 'expiresAtMs'),
      })
      .from(invitations)
      .innerJoin(accounts, eq(accounts.id, invitations.accountId))
      .where(and(eq(invitations.hash, hash), gt(invitations.expiresAtMs, nowMs)));

  /** Returns a member, and keeps the row from changing until the end of the transaction. */
  const findMember = (db: Builder, accountId: number, memberId: number) =>
    rowOf(
      locked(
        db
          .select({ ...pick(accounts, 'email'), ...pick(members, 'role') })
          .from(members)
          .innerJoin(accounts, eq(accounts.id, members.memberId))
          .where(isMember(accountId, memberId)),
      ),
    );

  /** Returns an invitation, and locks the people of its account until the end of the transaction. */
  function* lockInvitation(db: Builder, hash: string, nowMs: number) {
    const seen = yield* rowOf(openInvitation(db, hash, nowMs));
    if (seen === null) return { outcome: 'gone' } as const;
    yield* lock(db, `people of ${seen.account.id}`);
    // Another copy may have redeemed it meanwhile, or deleted the account.
    const invitation = yield* rowOf(locked(openInvitation(db, hash, nowMs)));
    if (invitation === null) return { outcome: 'gone' } as const;
    const isFull = (yield* countMembers(db, invitation.account.id)) >= maxMembers;
    return isFull
      ? ({ outcome: 'too many people' } as const)
      : ({ outcome: 'open', invitation } as const);
  }

  /** Redeems an invitation for a person. */
  function* addMember(
    db: Builder,
    hash: string,
    { account, role }: EnteredAccount,
    person: { readonly id: number; readonly email: string; readonly atMs: number },
  ): Operation<EnteredAccount> {
    yield db.delete(invitations).where(eq(invitations.hash, hash));
    const member = { accountId: account.id, memberId: person.id, role, sinceMs: person.atMs };
    const target = [members.accountId, members.memberId];
    yield db.insert(members).values(member).onConflictDoUpdate({ target, set: { role } });
    const acting = { accountId: account.id, by: { kind: 'person', accountId: person.id } } as const;
    const event = { kind: 'person-joined', subject: person.email, after: role } as const;
    yield* log.record(db, acting, event, person.atMs);
    return { account, role };
  }

  return {
    accountsOf: async (memberId) => {
      const rows = await byMember.all({ memberId });
      return rows.map(({ role, ...account }) => ({ account, role }));
    },
    members: (accountId) =>
      all((db) =>
        db
          .select({
            ...pick(accounts, 'id', 'email'),
            ...pick(members, 'role', 'sinceMs'),
            lastSeenMs: max(sessions.lastSeenAtMs),
          })
          .from(members)
          .innerJoin(accounts, eq(accounts.id, members.memberId))
          .leftJoin(
            sessions,
            and(
              eq(sessions.accountId, members.memberId),
              eq(sessions.enteredAccountId, members.accountId),
            ),
          )
          .where(eq(members.accountId, accountId))
          .groupBy(accounts.id, accounts.email, members.role, members.sinceMs)
          .orderBy(asc(members.sinceMs), asc(accounts.id))
          .limit(maxMembers),
      ),
    invitations: (accountId) =>
      all((db) =>
        db
          .select(pick(invitations, 'email', 'role', 'expiresAtMs'))
          .from(invitations)
          .where(eq(invitations.accountId, accountId))
          .orderBy(desc(invitations.createdAtMs), asc(invitations.email))
          .limit(maxInvitations),
      ),
    invite: (acting, { atMs, ...invitation }) =>
      transaction(function* (db) {
        const { accountId } = acting;
        const { email, role } = invitation;
        yield* lock(db, `people of ${accountId}`);
        yield* requireRight(dialect, db, acting, 'owner');
        const person = yield* accountOf(db, email);
        if (person?.id === accountId) return 'owner';
        const same = db.select(pick(members, 'role')).from(members);
        if (person !== null && (yield* hasRow(same.where(isMember(accountId, person.id)))))
          return 'member';
        if ((yield* countMembers(db, accountId)) >= maxMembers) return 'too many people';
        const isForgotten = lt(invitations.expiresAtMs, atMs - keptInvitationMs);
        yield db.delete(invitations).where(and(eq(invitations.accountId, accountId), isForgotten));
        const others = and(eq(invitations.accountId, accountId), ne(invitations.email, email));
        const invited = db.select({ rows: count() }).from(invitations).where(others);
        if ((yield* countOf(invited)) >= maxInvitations) return 'too many invitations';
        yield db.delete(invitations).where(isInvitation(accountId, email));
        yield db.insert(invitations).values({ ...invitation, accountId, createdAtMs: atMs });
        const event = { kind: 'person-invited', subject: email, after: role } as const;
        yield* log.record(db, acting, event, atMs);
        return 'invited';
      }),
    takeBack: (acting, email, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner');
        const taken = db.delete(invitations).where(isInvitation(acting.accountId, email));
        if (!(yield* hasRow(taken.returning(pick(invitations, 'email'))))) return false;
        yield* log.record(db, acting, { kind: 'invitation-cancelled', subject: email }, atMs);
        return true;
      }),
    changeRole: (acting, memberId, role, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner');
        const member = yield* findMember(db, acting.accountId, memberId);
        if (member === null) return false;
        yield db.update(members).set({ role }).where(isMember(acting.accountId, memberId));
        const change = { subject: member.email, before: member.role, after: role };
        if (role !== member.role)
          yield* log.record(db, acting, { kind: 'role-changed', ...change }, atMs);
        return true;
      }),
    remove: (acting, memberId, atMs) =>
      transaction(function* (db) {
        const { by } = acting;
        const isLeaving = by.kind === 'person' && by.accountId === memberId;
        if (!isLeaving) yield* requireRight(dialect, db, acting, 'owner');
        const member = yield* findMember(db, acting.accountId, memberId);
        if (member === null) return false;
        yield db.delete(members).where(isMember(acting.accountId, memberId));
        const kind = isLeaving ? 'person-left' : 'person-removed';
        yield* log.record(db, acting, { kind, subject: member.email }, atMs);
        return true;
      }),
    findInvitation: (hash, nowMs) =>
      read(function* (db) {
        const invitation = yield* rowOf(openInvitation(db, hash, nowMs));
        if (invitation === null) return null;
        return { ...invitation, person: yield* accountOf(db, invitation.email) };
      }),
    join: (hash, personId, sessionHash, atMs) =>
      transaction(function* (db) {
        yield* lock(db, `accounts of ${personId}`);
        const open = yield* lockInvitation(db, hash, atMs);
        if (open.outcome !== 'open') return open;
        const { invitation } = open;
        const { email } = invitation;
        const accountId = invitation.account.id;
        if ((yield* accountOf(db, email))?.id !== personId) return { outcome: 'other person' };
        // The owner has taken the address of the invitation.
        if (accountId === personId) return { outcome: 'gone' };
        const joined = db.select({ rows: count() }).from(members);
        const others = joined.where(eq(members.memberId, personId));
        if ((yield* countOf(others)) >= maxAccounts) return { outcome: 'too many accounts' };
        const isOwn = and(eq(sessions.hash, sessionHash), eq(sessions.accountId, personId));
        yield db.update(sessions).set({ enteredAccountId: accountId }).where(isOwn);
        const person = { id: personId, email, atMs };
        return { outcome: 'joined', ...(yield* addMember(db, hash, invitation, person)) };
      }),
    createAndJoin: (hash, passwordHash, tokens) =>
      transaction(function* (db) {
        const { atMs } = tokens;
        const open = yield* lockInvitation(db, hash, atMs);
        if (open.outcome !== 'open') return open;
        const { invitation } = open;
        const { email } = invitation;
        yield* lock(db, `account ${email}`);
        const row = { email, passwordHash, planUntilMs: noPlanSince(atMs), createdAtMs: atMs };
        const person = yield* insertAccount(tables, db, row);
        if (person === null) return { outcome: 'other person' };
        const by = { kind: 'person', accountId: person.id } as const;
        const event = { kind: 'account-created' } as const;
        yield* log.record(db, { accountId: person.id, by }, event, atMs);
        yield* addMember(db, hash, invitation, { id: person.id, email, atMs });
        yield* addSession(dialect, db, person.id, tokens);
        return { outcome: 'joined', person };
      }),
  };
}
