import { formatCount } from '../../lib/numbers.ts';
import type { Clock, RandomBytes } from '../ports.ts';
import { type Account, parseEmail } from './account.ts';
import { hashPassword, isOutdatedHash, passwordProblem, verifyPassword } from './password.ts';
import type { CreateThrottle, CredentialStore, Credentials, Throttle } from './ports.ts';
import { createSignInTokens, hashToken, isToken, type SignInTokens } from './session.ts';

/** Result of a sign-in attempt. A rejected one has the account for the log, if there is one; clients don't see it. */
type SignInResult =
  | ({ readonly outcome: 'signed in' } & SignInTokens)
  | { readonly outcome: 'wrong'; readonly account: string | null }
  | { readonly outcome: 'wait'; readonly seconds: number; readonly account: string | null };

/** A sign-in attempt. */
interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The client's network: an IPv4 address, or an IPv6 prefix. */
  readonly origin: string;
  /** Trusted-browser token, or null. */
  readonly trustedBrowser: string | null;
}

// Allows 1,450 guesses a day against one account, and a few more in parallel. An address may be shared
// by many people.
const perAccount = { burst: 10, intervalMs: 60_000 };
const perOrigin = { burst: 30, intervalMs: 20_000 };
// One is verified at a time, and takes some 30 ms. The others wait, up to this number.
const maxPendingVerifications = 8;
const busySeconds = 2;

/** A throttle that limits an attempt, and the attempt's name in it. */
interface Limit {
  readonly throttle: Throttle;
  readonly name: string;
}

const wrongCurrentPassword = {
  problem: 'The current password is wrong.',
  field: 'present',
} as const;

export type SignIn = ReturnType<typeof createSignIn>;

/**
 * Signs in with a password. Attempts are throttled per account and per origin. A trusted browser has a
 * throttle of its own, so that guessing does not lock the owner out (OWASP, "Slow down online guessing
 * attacks with device cookies").
 */
export function createSignIn(deps: {
  store: CredentialStore;
  createThrottle: CreateThrottle;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, createThrottle, clock, randomBytes } = deps;
  const byAccount = createThrottle('account', perAccount);
  const byOrigin = createThrottle('origin', perOrigin);
  let running = 0;

  const limitsOf = async (
    email: string,
    { trustedBrowser, origin }: SignInAttempt,
    accountId?: number,
  ): Promise<Limit[]> => {
    const hash =
      trustedBrowser !== null && isToken(trustedBrowser) ? hashToken(trustedBrowser) : null;
    if (hash !== null && accountId !== undefined && (await store.isTrustedBrowser(hash, accountId)))
      return [{ throttle: byAccount, name: `browser ${hash}` }];
    return [
      { throttle: byOrigin, name: origin },
      { throttle: byAccount, name: `account ${email}` },
    ];
  };

  /** Returns the seconds until an attempt is allowed, or 0. */
  const waitSeconds = async (limits: readonly Limit[]): Promise<number> => {
    const waits = await Promise.all(limits.map(({ throttle, name }) => throttle.waitSeconds(name)));
    return Math.max(...waits);
  };
  /** To be called without a pause before the verification, which changes it. */
  const busyWaitSeconds = () => (running >= maxPendingVerifications ? busySeconds : 0);

  /** Verifies a password. Returns the matching hash, or counts a failure and returns null. */
  const verify = async (
    password: string,
    known: Credentials | null,
    limits: readonly Limit[],
  ): Promise<string | null> => {
    running++;
    try {
      const hash = known?.passwordHash ?? null;
      if (await verifyPassword(password, hash)) return hash;
      await Promise.all(limits.map(({ throttle, name }) => throttle.countFailure(name)));
      return null;
    } finally {
      running--;
    }
  };

  return {
    /** Signs in. `wrong` does not reveal whether the e-mail or the password was wrong. */
    withPassword: async (attempt: SignInAttempt): Promise<SignInResult> => {
      const email = parseEmail(attempt.email);
      const known = email === null ? null : await store.find(email);
      const limits = await limitsOf(email ?? '', attempt, known?.account.id);
      const seconds = Math.max(await waitSeconds(limits), busyWaitSeconds());
      const account = known?.account.email ?? null;
      if (seconds > 0) return { outcome: 'wait', seconds, account };
      const verifiedHash = await verify(attempt.password, known, limits);
      if (known === null || verifiedHash === null) return { outcome: 'wrong', account };
      const { id } = known.account;
      const { tokens, stored } = createSignInTokens(clock, randomBytes);
      const upgradedHash = isOutdatedHash(verifiedHash)
        ? await hashPassword(attempt.password)
        : null;
      let result = await store.signIn(id, verifiedHash, stored, upgradedHash);
      if (result === 'outdated') {
        // The same sign-in may have been sent twice, and the first has upgraded the hash.
        const { passwordHash = null } = (await store.find(known.account.email)) ?? {};
        if (passwordHash !== null && (await verifyPassword(attempt.password, passwordHash)))
          result = await store.signIn(id, passwordHash, stored, null);
      }
      return result === 'stored'
        ? { outcome: 'signed in', ...tokens }
        : { outcome: 'wrong', account };
    },

    /**
     * Changes a password, ends all sessions of the account and signs this browser in again. Of
     * concurrent changes with the same current password, one succeeds.
     *
     * @returns new tokens for this browser, or the problem of one of the passwords
     */
    changePassword: async (
      { id, email }: Account,
      present: string,
      next: string,
    ): Promise<SignInTokens | { problem: string; field: 'present' | 'next' }> => {
      const problem = passwordProblem(next);
      if (problem !== null) return { problem, field: 'next' };
      if (next === present)
        return { problem: 'The new password is the same as the current one.', field: 'next' };
      const known = await store.find(email);
      const limits = [{ throttle: byAccount, name: `change ${id}` }];
      const seconds = Math.max(await waitSeconds(limits), busyWaitSeconds());
      if (seconds > 0)
        return {
          problem: `Too many attempts. Wait ${formatCount(seconds, 'second')}.`,
          field: 'present',
        };
      const verifiedHash = await verify(present, known, limits);
      if (verifiedHash === null) return wrongCurrentPassword;
      const nextHash = await hashPassword(next);
      const { tokens, stored } = createSignInTokens(clock, randomBytes);
      const result = await store.changePassword(id, verifiedHash, nextHash, stored);
      return result === 'changed' ? tokens : wrongCurrentPassword;
    },
  };
}
