import { memoize } from '../../lib/memoize.ts';
import type { Clock, RandomBytes } from '../ports.ts';
import { type Account, parseEmail } from './account.ts';
import { hashPassword, passwordProblem, verifyPassword } from './password.ts';
import { hashToken, isToken, newToken } from './session.ts';
import { createThrottle } from './throttle.ts';
import { type Entry, type KeptEntry, newEntry } from './tokens.ts';

/** An account with what its password is held against; null when it cannot sign in yet. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string | null;
}

/**
 * Where passwords are read from, and those come in who know them. Verifying one takes a while, so each write
 * looks once more, in its own transaction: `outdated` when the verified hash is no longer the account's, and
 * then nothing was stored.
 */
export interface CredentialStore {
  find(email: string): Promise<Credentials | null>;
  /** Keeps an entry of the account. */
  enter(accountId: number, verifiedHash: string, entry: KeptEntry): Promise<'entered' | 'outdated'>;
  /** Changes the password, see `AccountStore.changePassword`, and keeps an entry for whoever did. */
  changePassword(
    accountId: number,
    verifiedHash: string,
    nextHash: string,
    entry: KeptEntry,
  ): Promise<'changed' | 'outdated'>;
  knowsDevice(hash: string, accountId: number): Promise<boolean>;
}

/** What a try to sign in came to. */
export type SignedIn =
  | ({ readonly outcome: 'signed in' } & Entry)
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'wait'; readonly seconds: number };

/** A try to sign in. */
export interface SignInTry {
  readonly email: string;
  readonly password: string;
  /** Names where the try comes from; a whole network where addresses are cheap. */
  readonly origin: string;
  /** Token of a browser that has signed in before, or null. */
  readonly device: string | null;
}

// Ten tries at once and one a minute are 1,450 guesses a day against one account. Many people may
// share an address, so it gets more.
const perAccount = { tries: 10, intervalMs: 60_000 };
const perOrigin = { tries: 30, intervalMs: 20_000 };
// argon2id takes 64 MB and a tenth of a second each.
const verifiedAtOnce = 4;
const busySeconds = 2;

const wrongPresent = { problem: 'The current password is wrong.', field: 'present' } as const;

export type SignIn = ReturnType<typeof createSignIn>;

/**
 * Signing in with a password. Guessing is slowed down per account and per origin; a browser that has
 * signed in to the account before has tries of its own, so that nobody locks the owner out by
 * guessing (OWASP, "Slow down online guessing attacks with device cookies").
 */
export function createSignIn(world: {
  store: CredentialStore;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, clock, randomBytes } = world;
  const byAccount = createThrottle(perAccount, clock);
  const byOrigin = createThrottle(perOrigin, clock);
  let running = 0;
  // What an unknown e-mail's password is held against, so that its answer takes as long.
  const nobody = memoize(async () => hashPassword(newToken(randomBytes)));

  /** The hash that a password was found to be of; null when it is wrong. */
  const verify = async (password: string, known: Credentials | null): Promise<string | null> => {
    running++;
    try {
      const decoy = nobody();
      // Begun for a known e-mail too, which has no use for it, so that both take as long.
      decoy.catch(() => {});
      const hash = known?.passwordHash ?? (await decoy);
      const right = await verifyPassword(password, hash);
      return right ? (known?.passwordHash ?? null) : null;
    } finally {
      running--;
    }
  };

  /** The throttles that a try is taken from. */
  const throttlesOf = async (email: string, { device, origin }: SignInTry, id?: number) => {
    const hash = device !== null && isToken(device) ? hashToken(device) : null;
    if (hash !== null && id !== undefined && (await store.knowsDevice(hash, id)))
      return [{ throttle: byAccount, name: `device ${hash}` }];
    return [
      { throttle: byOrigin, name: origin },
      { throttle: byAccount, name: `account ${email}` },
    ];
  };

  return {
    /**
     * Signs in with e-mail and password. Tells nobody which of the two was wrong; a password that was changed
     * while it was verified is.
     */
    withPassword: async (attempt: SignInTry): Promise<SignedIn> => {
      const email = parseEmail(attempt.email);
      const known = email === null ? null : await store.find(email);
      const taken: Awaited<ReturnType<typeof throttlesOf>> = [];
      const giveBack = () => {
        for (const { throttle, name } of taken) throttle.giveBack(name);
      };
      for (const one of await throttlesOf(email ?? '', attempt, known?.account.id)) {
        const seconds = one.throttle.take(one.name);
        if (seconds > 0) {
          giveBack();
          return { outcome: 'wait', seconds };
        }
        taken.push(one);
      }
      if (running >= verifiedAtOnce) {
        giveBack();
        return { outcome: 'wait', seconds: busySeconds };
      }
      const verifiedHash = await verify(attempt.password, known);
      if (known === null || verifiedHash === null) return { outcome: 'wrong' };
      giveBack();
      const { entry, kept } = newEntry(clock, randomBytes);
      const came = await store.enter(known.account.id, verifiedHash, kept);
      return came === 'entered' ? { outcome: 'signed in', ...entry } : { outcome: 'wrong' };
    },

    /**
     * Changes a password that is known, signs the account out everywhere and in again here. Of changes at
     * the same time that prove the same password, one is made.
     *
     * @returns what the browser is given anew, or what is wrong
     */
    changePassword: async (
      { id, email }: Account,
      present: string,
      next: string,
    ): Promise<Entry | { problem: string; field: 'present' | 'next' }> => {
      const problem = passwordProblem(next);
      if (problem !== null) return { problem, field: 'next' };
      if (next === present)
        return { problem: 'The new password is the same as the current one.', field: 'next' };
      const name = `change ${id}`;
      const seconds = byAccount.take(name);
      if (seconds > 0)
        return { problem: `Too many attempts. Wait ${seconds} seconds.`, field: 'present' };
      const verifiedHash = await verify(present, await store.find(email));
      if (verifiedHash === null) return wrongPresent;
      byAccount.giveBack(name);
      const nextHash = await hashPassword(next);
      const { entry, kept } = newEntry(clock, randomBytes);
      const came = await store.changePassword(id, verifiedHash, nextHash, kept);
      return came === 'changed' ? entry : wrongPresent;
    },
  };
}
