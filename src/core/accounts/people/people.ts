import { Refused } from '../../errors.ts';
import type { FairQueue } from '../../fair-queue.ts';
import type { Acting, Clock, RandomBytes } from '../../ports.ts';
import type { Account } from '../account.ts';
import { hashPassword, passwordProblem, strangerIn } from '../password/password.ts';
import { createSignInTokens, hashToken, isToken, newToken, type SignInTokens } from '../session.ts';
import type { Client } from '../sign-in/sign-in.ts';
import {
  type CreateAndJoinResult,
  type Invitation,
  type JoinResult,
  type Member,
  maxAccounts,
  maxInvitations,
  maxMembers,
  type NotInvited,
  type NotJoined,
  type OpenInvitation,
  type PeopleStore,
} from './ports.ts';
import type { MemberRole } from './role.ts';

/** Lifetime of an invitation. */
export const invitationLifetimeMs = 7 * 86_400_000;

/** An invitation that was just made, with its token, which is not stored. */
export interface NewLink extends Invitation {
  readonly token: string;
}

/** Result of accepting an invitation with an account. `gone`: the invitation is over. */
type Joining = Extract<JoinResult, { readonly outcome: 'joined' }> | { readonly outcome: 'gone' };

/**
 * Result of accepting an invitation without an account. `gone`: the invitation is over. `has account`: there is an
 * account of its address, whose owner signs in to accept.
 */
type NewMember =
  | (Extract<CreateAndJoinResult, { readonly outcome: 'joined' }> & SignInTokens)
  | { readonly outcome: 'gone' | 'has account' };

export type People = ReturnType<typeof createPeople>;

/**
 * Manages who may enter an account beside its owner.
 * An invitation is a one-time link for one e-mail address. It never signs in to an account that exists, nor sets its
 * password: who is signed in as that account accepts it.
 */
export function createPeople(deps: {
  store: PeopleStore;
  passwords: FairQueue;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, passwords, clock, randomBytes } = deps;

  const find = async (token: string): Promise<OpenInvitation | null> =>
    isToken(token) ? store.findInvitation(hashToken(token), clock.nowMs()) : null;

  return {
    /** Returns the accounts that a person may enter beside the own one. */
    accountsOf: store.accountsOf,

    /** Returns who may enter an account beside its owner, and who is invited. */
    list: async (accountId: number) => ({
      members: await store.members(accountId),
      invitations: await store.invitations(accountId),
    }),

    /**
     * Invites somebody to an account, in place of an earlier invitation of the same address.
     *
     * @param email in its stored form
     * @throws Refused
     */
    invite: async (acting: Acting, email: string, role: MemberRole): Promise<NewLink> => {
      const token = newToken(randomBytes);
      const atMs = clock.nowMs();
      const invitation = { email, role, expiresAtMs: atMs + invitationLifetimeMs };
      const row = { ...invitation, hash: hashToken(token), atMs };
      const result = await store.invite(acting, row);
      if (result !== 'invited') throw notInvited(result, email);
      return { ...invitation, token };
    },

    /** Ends an invitation. Resolves false when there is none for the address. */
    takeBack: (acting: Acting, email: string): Promise<boolean> =>
      store.takeBack(acting, email, clock.nowMs()),

    /** Changes what a member may do. Resolves false for somebody who is none. */
    changeRole: (acting: Acting, memberId: number, role: MemberRole): Promise<boolean> =>
      store.changeRole(acting, memberId, role, clock.nowMs()),

    /** Removes a member, who may be leaving. Resolves false for somebody who is none. */
    remove: (acting: Acting, memberId: number): Promise<boolean> =>
      store.remove(acting, memberId, clock.nowMs()),

    /** Returns an invitation without redeeming it, or null when it is over. */
    find,

    /**
     * Accepts an invitation as the person who is signed in.
     * The session enters the account.
     *
     * @throws Refused when it is for somebody else
     */
    join: async (token: string, person: Account, sessionToken: string): Promise<Joining> => {
      const hash = hashToken(token);
      const joined = await store.join(hash, person.id, hashToken(sessionToken), clock.nowMs());
      switch (joined.outcome) {
        case 'joined':
          return joined;
        case 'gone':
          return { outcome: 'gone' };
        case 'other person':
        case 'too many people':
        case 'too many accounts':
          throw notJoined(joined.outcome);
      }
    },

    /**
     * Accepts an invitation of a person without an account.
     * Creates one with a password, without a plan, and signs in.
     *
     * @throws ServerBusy, Refused
     */
    createAndJoin: async (
      token: string,
      password: string,
      { origin, device, signal }: Pick<Client, 'origin' | 'device' | 'signal'>,
    ): Promise<NewMember> => {
      const invitation = await find(token);
      if (invitation === null) return { outcome: 'gone' };
      if (invitation.person !== null) return { outcome: 'has account' };
      const problem = passwordProblem(password, invitation.email);
      if (problem !== null) throw new Refused(problem);
      const passwordHash = await passwords.run(strangerIn(origin, signal), () =>
        hashPassword(password),
      );
      const { tokens, stored } = createSignInTokens(clock, randomBytes, device);
      const joined = await store.createAndJoin(hashToken(token), passwordHash, stored);
      switch (joined.outcome) {
        case 'joined':
          return { ...joined, ...tokens };
        case 'gone':
          return { outcome: 'gone' };
        case 'other person':
          return { outcome: 'has account' };
        case 'too many people':
          throw notJoined(joined.outcome);
      }
    },
  };
}

function notInvited(result: NotInvited, email: string): Refused {
  switch (result) {
    case 'owner':
      return new Refused({ kind: 'invited owner', email });
    case 'member':
      return new Refused({ kind: 'invited member', email });
    case 'too many people':
      return new Refused({ kind: 'too many people', max: maxMembers });
    case 'too many invitations':
      return new Refused({ kind: 'too many invitations', max: maxInvitations });
  }
}

function notJoined(result: Exclude<NotJoined, 'gone'>): Refused {
  switch (result) {
    case 'other person':
      return new Refused({ kind: 'invitation of somebody else' });
    case 'too many people':
      return new Refused({ kind: 'too many people', max: maxMembers });
    case 'too many accounts':
      return new Refused({ kind: 'too many accounts', max: maxAccounts });
  }
}

/** Returns the address with which an invited person joins. */
export function joinLink(publicUrl: string, { token }: NewLink): string {
  return `${publicUrl}/account/join/${token}`;
}

/** Returns the members of an account and its owner, who comes first. */
export function withOwner(
  { id, email, createdAtMs }: Account,
  members: readonly Member[],
): readonly (Omit<Member, 'role' | 'lastSeenMs'> & { readonly role: MemberRole | 'owner' })[] {
  return [{ id, email, role: 'owner', sinceMs: createdAtMs }, ...members];
}
