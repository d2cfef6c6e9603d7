import type { Clock, RandomBytes } from '../ports.ts';
import { type Account, parseEmail } from './account.ts';
import { hashPassword, passwordProblem } from './password.ts';
import { hashToken, isToken, newToken } from './session.ts';
import { type Entry, type KeptEntry, newEntry } from './tokens.ts';

/** How long a link that was handed out waits to be used. */
export const linkLifeMs = 7 * 86_400_000;

/** Where one-time links are kept, by the hash of their token. */
export interface SignInLinkStore {
  /** Adds a link in place of an earlier one of the account; null stands for the first account. */
  add(hash: string, accountId: number | null, expiresAtMs: number): Promise<void>;
  /**
   * What a link is for: an account, or the first account. Null when it was used, has expired, is for an
   * account whose password was changed since, or for the first account and there is one.
   */
  find(hash: string, nowMs: number): Promise<{ account: Account | null } | null>;
  /**
   * Uses a link of an account up: sets the password, ends every session, forgets every known browser and
   * keeps the entry of whoever had the link, in one transaction. Null when the link is gone by then.
   */
  redeem(hash: string, passwordHash: string, entry: KeptEntry): Promise<Account | null>;
  /**
   * Uses the link for the first account up: creates it, an operator, and keeps its first entry. Null when the
   * link is gone by then.
   */
  redeemFirst(
    hash: string,
    first: { email: string; passwordHash: string },
    entry: KeptEntry,
  ): Promise<Account | null>;
  isEmpty(): Promise<boolean>;
}

/** What came of using a link: a way in, a complaint about what was typed, or a dead link. */
export type Redeemed =
  | ({ readonly outcome: 'signed in' } & Entry)
  | {
      readonly outcome: 'problem';
      readonly field: 'email' | 'password';
      readonly message: string;
    }
  | { readonly outcome: 'gone' };

export type SignInLinks = ReturnType<typeof createSignInLinks>;

/**
 * Makes the tokens of one-time links.
 *
 * @returns takes the account whose password the bearer may set, null for the first account; a link of the
 *   same account that was made earlier ends
 */
export function createSignInLinkMaker(world: {
  store: Pick<SignInLinkStore, 'add'>;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, clock, randomBytes } = world;
  return async (accountId: number | null): Promise<string> => {
    const token = newToken(randomBytes);
    await store.add(hashToken(token), accountId, clock.nowMs() + linkLifeMs);
    return token;
  };
}

/**
 * One-time links to the panel. Looking at one does not use it up, because mail programs and chats
 * look at links before people do; setting the password does.
 */
export function createSignInLinks(world: {
  store: SignInLinkStore;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, clock, randomBytes } = world;
  const add = createSignInLinkMaker(world);

  const look = async (token: string): Promise<{ account: Account | null } | null> =>
    isToken(token) ? store.find(hashToken(token), clock.nowMs()) : null;

  return {
    /** A link's token with which its bearer sets the account's password; an earlier one ends. */
    create: (accountId: number): Promise<string> => add(accountId),

    /** The token for the first account, or null when there is an account already. */
    createFirst: async (): Promise<string | null> => ((await store.isEmpty()) ? add(null) : null),

    /** Whether nobody has an account yet, so that the link for the first one is the only way in. */
    isAwaited: (): Promise<boolean> => store.isEmpty(),

    /** What a link is for, without using it up. */
    look,

    /** Sets the password of the account that the link is for, and signs in. */
    redeem: async (token: string, password: string): Promise<Redeemed> => {
      const problem = passwordProblem(password);
      if (problem !== null) return { outcome: 'problem', field: 'password', message: problem };
      // Hashing is dear; whoever has no link does not make us do it.
      if ((await look(token)) === null) return { outcome: 'gone' };
      const passwordHash = await hashPassword(password);
      const { entry, kept } = newEntry(clock, randomBytes);
      const account = await store.redeem(hashToken(token), passwordHash, kept);
      return account === null ? { outcome: 'gone' } : { outcome: 'signed in', ...entry };
    },

    /** Makes the first account, an operator with a plan without end, and signs in. */
    redeemFirst: async (token: string, emailText: string, password: string): Promise<Redeemed> => {
      const email = parseEmail(emailText);
      if (email === null)
        return { outcome: 'problem', field: 'email', message: 'This is not an e-mail address.' };
      const problem = passwordProblem(password);
      if (problem !== null) return { outcome: 'problem', field: 'password', message: problem };
      if ((await look(token)) === null) return { outcome: 'gone' };
      const passwordHash = await hashPassword(password);
      const { entry, kept } = newEntry(clock, randomBytes);
      const account = await store.redeemFirst(hashToken(token), { email, passwordHash }, kept);
      return account === null ? { outcome: 'gone' } : { outcome: 'signed in', ...entry };
    },
  };
}
