import type { Acting } from '../../ports.ts';
import type { Account } from '../account.ts';
import type { EnteredAccount, StoredSignIn } from '../ports.ts';
import type { MemberRole } from './role.ts';

/** A person who may enter an account of somebody else. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: MemberRole;
  readonly sinceMs: number;
  /** When the person was last in this account; null if no session is in it. */
  readonly lastSeenMs: number | null;
}

/** An invitation to an account. Its token is not stored. */
export interface Invitation {
  /** In its stored form. */
  readonly email: string;
  readonly role: MemberRole;
  /** It may be over. */
  readonly expiresAtMs: number;
}

/** An invitation that can be accepted. */
export interface OpenInvitation extends Invitation {
  readonly account: Account;
  /** The account of the invited person; null if there is none yet. */
  readonly person: Account | null;
}

/** An invitation to store. */
export interface NewInvitation extends Invitation {
  /** Of the token. */
  readonly hash: string;
  readonly atMs: number;
}

/** Why an invitation was not made, or not accepted. */
export type NotInvited = 'owner' | 'member' | 'too many people' | 'too many invitations';
export type NotJoined = 'gone' | 'other person' | 'too many people' | 'too many accounts';

/** Result of accepting an invitation. */
export type JoinResult =
  | ({ readonly outcome: 'joined' } & EnteredAccount)
  | { readonly outcome: NotJoined };

/** Result of accepting an invitation without an account. */
export type CreateAndJoinResult =
  | { readonly outcome: 'joined'; readonly person: Account }
  | { readonly outcome: Exclude<NotJoined, 'too many accounts'> };

/**
 * Stores who may enter which account. A member has an account, and is none of the own one.
 * Only the owner and commands change that, which each change requires in its transaction: it throws `Refused` with
 * `no right` otherwise.
 */
export interface PeopleStore {
  /** Returns the accounts that a person may enter beside the own one, in the order of joining. */
  accountsOf(personId: number): Promise<readonly EnteredAccount[]>;
  /** Returns the members of an account, in the order of joining. */
  members(accountId: number): Promise<readonly Member[]>;
  /** Returns the invitations of an account, the newest first. Some may be over. */
  invitations(accountId: number): Promise<readonly Invitation[]>;
  /** Adds an invitation, in place of one to the same address. */
  invite(acting: Acting, invitation: NewInvitation): Promise<'invited' | NotInvited>;
  /** Removes an invitation. Resolves false when there is none. */
  takeBack(acting: Acting, email: string, atMs: number): Promise<boolean>;
  /** Changes what a member may do. Resolves false for somebody who is none. */
  changeRole(acting: Acting, memberId: number, role: MemberRole, atMs: number): Promise<boolean>;
  /**
   * Removes a member, who leaves if it is who acts.
   * Takes effect at the next request of the member. Resolves false for somebody who is none.
   */
  remove(acting: Acting, memberId: number, atMs: number): Promise<boolean>;
  findInvitation(hash: string, nowMs: number): Promise<OpenInvitation | null>;
  /** Redeems an invitation for a person whose address it names, whose session enters the account. */
  join(hash: string, personId: number, sessionHash: string, atMs: number): Promise<JoinResult>;
  /**
   * Redeems an invitation for a person without an account.
   * Creates one without a plan, and a session of it that has entered the account of the invitation.
   */
  createAndJoin(
    hash: string,
    passwordHash: string,
    tokens: StoredSignIn,
  ): Promise<CreateAndJoinResult>;
}

/** How long an invitation that has ended is listed, so that it can be made anew. */
export const keptInvitationMs = 30 * 86_400_000;
/** How many people may enter an account beside its owner. */
export const maxMembers = 100;
/** How many accounts of others a person may enter. The menu of every page has them. */
export const maxAccounts = 100;
/** How many invitations an account may have, those that are over included. */
export const maxInvitations = 50;
