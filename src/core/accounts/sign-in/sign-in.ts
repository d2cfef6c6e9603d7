import { ServerBusy } from '../../errors.ts';
import { type FairQueue, type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { Clock, RandomBytes } from '../../ports.ts';
import type { PasswordReason } from '../../reasons.ts';
import { type Account, storedEmails } from '../account.ts';
import {
  hashPassword,
  isOutdatedHash,
  passwordProblem,
  strangerIn,
  verifyPassword,
} from '../password/password.ts';
import type { CreateThrottle, CredentialStore, Credentials, Throttle } from '../ports.ts';
import type { AcceptedCode, SecondFactors } from '../second-factor.ts';
import { createSignInTokens, hashToken, isToken, type SignInTokens } from '../session.ts';
import { createProof, isGenuine, textOfProof } from './proof.ts';

/** A rejected attempt has the account for the log, if there is one; clients don't see it. */
export type Rejected =
  | { readonly outcome: 'wrong'; readonly account: string | null }
  | { readonly outcome: 'wait'; readonly seconds: number; readonly account: string | null };

/** Result of a sign-in attempt. The proof lets the second factor follow. */
type SignInResult =
  | ({ readonly outcome: 'signed in' } & SignInTokens)
  | { readonly outcome: 'code needed'; readonly proof: string }
  | Rejected;

/**
 * Result of the second step.
 * `expired`: the password has to be given again. `unreadable`: see `SecondFactors.use`.
 */
type CodeResult =
  | ({ readonly outcome: 'signed in'; readonly account: string } & SignInTokens & AcceptedCode)
  | { readonly outcome: 'expired' }
  | { readonly outcome: 'unreadable'; readonly account: string }
  | Rejected;

/** Who makes an attempt. */
export interface Client {
  /** The client's network: an IPv4 address, or an IPv6 prefix. */
  readonly origin: string;
  /** Trusted-browser token, or null. */
  readonly trustedBrowser: string | null;
  /** Browser and system, for the list of sessions. */
  readonly device: string;
  /** Aborted when the client has gone. */
  readonly signal?: AbortSignal;
}

/** A sign-in attempt. */
interface SignInAttempt extends Client {
  readonly email: string;
  readonly password: string;
}

// Allows 1,450 guesses a day against one account, and a few more in parallel. An address may be shared
// by many people.
const perAccount = { burst: 10, intervalMs: 60_000 };
const perOrigin = { burst: 30, intervalMs: 20_000 };
/**
 * Further limits of codes of the second factor.
 * Who guesses them has the password, and three of a million codes are right at a time. The longer they guess,
 * the slower it gets: a month has 340 guesses, which are right with 0.1 %.
 */
const perCode = [
  { burst: 30, intervalMs: 20 * 60_000 },
  { burst: 100, intervalMs: 3 * 3_600_000 },
] as const;
const busySeconds = 2;

/** A throttle that limits an attempt, and the attempt's name in it. */
interface Limit {
  readonly throttle: Throttle;
  readonly name: string;
}

const wrongCurrentPassword = { kind: 'wrong current password' } as const satisfies PasswordReason;

export type SignIn = ReturnType<typeof createSignIn>;

/**
 * Signs in with a password. Attempts are throttled per account and per origin. A trusted browser has a
 * throttle of its own, so that guessing does not lock the owner out (OWASP, "Slow down online guessing
 * attacks with device cookies"). It waits in the queue of its account, others in that of their network.
 */
export function createSignIn(deps: {
  store: CredentialStore;
  secondFactors: Pick<SecondFactors, 'use'>;
  passwords: FairQueue;
  /** Whether passwords count. */
  hasPasswords: boolean;
  createThrottle: CreateThrottle;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, secondFactors, passwords, createThrottle, clock, randomBytes } = deps;
  const { hasPasswords } = deps;
  const byAccount = createThrottle('account', perAccount);
  const byOrigin = createThrottle('origin', perOrigin);
  const byCodes = perCode.map((limits, index) => createThrottle(`codes ${index + 1}`, limits));

  /** Returns what limits an attempt, and in whose turn the password is verified. */
  const admissionOf = async (
    email: string,
    { trustedBrowser, origin, signal }: Client,
    accountId?: number,
  ): Promise<{ limits: Limit[]; requester: Requester }> => {
    const hash =
      trustedBrowser !== null && isToken(trustedBrowser) ? hashToken(trustedBrowser) : null;
    if (
      hash !== null &&
      accountId !== undefined &&
      (await store.browserSinceMs(hash, accountId)) !== null
    )
      return {
        limits: [{ throttle: byAccount, name: `browser ${hash}` }],
        requester: requesterOf(accountId, signal && { signal }),
      };
    return {
      limits: [
        { throttle: byOrigin, name: origin },
        { throttle: byAccount, name: `account ${email}` },
      ],
      requester: strangerIn(origin, signal),
    };
  };

  /** Returns the seconds until an attempt is allowed, or 0. */
  const waitSeconds = async (limits: readonly Limit[]): Promise<number> => {
    const waits = await Promise.all(limits.map(({ throttle, name }) => throttle.waitSeconds(name)));
    return Math.max(...waits);
  };

  /**
   * Verifies a password.
   * Returns the matching hash, or counts a failure and returns null.
   *
   * @throws ServerBusy
   */
  const verify = async (
    password: string,
    known: Credentials | null,
    limits: readonly Limit[],
    requester: Requester,
  ): Promise<string | null> => {
    const hash = known?.passwordHash ?? null;
    if (await passwords.run(requester, () => verifyPassword(password, hash))) return hash;
    await countFailure(limits);
    return null;
  };

  const countFailure = async (limits: readonly Limit[]): Promise<void> => {
    await Promise.all(limits.map(({ throttle, name }) => throttle.countFailure(name)));
  };

  /** Adds the limits of codes to those of an attempt. */
  const withCodeLimits = (limits: readonly Limit[]): Limit[] => [
    ...limits,
    ...limits
      .filter(({ throttle }) => throttle === byAccount)
      .flatMap(({ name }) => byCodes.map((throttle) => ({ throttle, name }))),
  ];

  /**
   * Uses a code of the second factor, in the turn of passwords.
   * Guesses that are sent at once are counted one by one.
   *
   * @param attemptLimits those of a password
   * @returns the seconds to wait, or null for a wrong code, which is counted
   * @throws ServerBusy
   */
  const useCode = (
    accountId: number,
    code: string,
    attemptLimits: readonly Limit[],
    requester: Requester,
  ): Promise<AcceptedCode | 'unreadable' | number | null> =>
    passwords.run(requester, async () => {
      const limits = withCodeLimits(attemptLimits);
      const seconds = await waitSeconds(limits);
      if (seconds > 0) return seconds;
      const accepted = await secondFactors.use(accountId, code);
      if (accepted === null) await countFailure(limits);
      return accepted;
    });

  /** Makes an attempt. If too many wait for their turn, the client is told to wait. */
  const orWait = <T>(account: string | null, attempt: () => Promise<T>): Promise<T | Rejected> =>
    attempt().catch((error: unknown) => {
      if (error instanceof ServerBusy) return { outcome: 'wait', seconds: busySeconds, account };
      throw error;
    });

  /** Returns what limits confirmations by an account that is signed in. */
  const changeLimits = (id: number): Limit[] => [{ throttle: byAccount, name: `change ${id}` }];
  const tooMany = (seconds: number) => ({ kind: 'too many attempts', seconds }) as const;

  /** Verifies the password of an account that is signed in. @throws ServerBusy */
  const confirm = async (
    { id, email }: Account,
    password: string,
    work?: WorkOptions,
  ): Promise<{ hash: string } | { problem: PasswordReason }> => {
    const known = await store.find(email);
    const limits = changeLimits(id);
    const seconds = await waitSeconds(limits);
    if (seconds > 0) return { problem: tooMany(seconds) };
    const hash = await verify(password, known, limits, requesterOf(id, work));
    return hash === null ? { problem: wrongCurrentPassword } : { hash };
  };

  return {
    /**
     * Returns what confirms who is signed in: the second factor if it is on, else the password.
     * Null without both.
     */
    confirmedBy: async ({ email }: Account): Promise<'code' | 'password' | null> => {
      const known = await store.find(email);
      if (known?.hasSecondFactor) return 'code';
      return hasPasswords && known !== null && known.passwordHash !== null ? 'password' : null;
    },

    /**
     * Confirms a change by the password of the account. Returns what is wrong with it, or null.
     *
     * @throws ServerBusy
     */
    confirm: async (
      account: Account,
      password: string,
      work?: WorkOptions,
    ): Promise<PasswordReason | null> => {
      const result = await confirm(account, password, work);
      return 'problem' in result ? result.problem : null;
    },

    /**
     * Confirms a change by a code of the account's second factor. Returns what is wrong with it, or null.
     *
     * @throws ServerBusy
     */
    confirmCode: async (
      { id }: Account,
      code: string,
      work?: WorkOptions,
    ): Promise<PasswordReason | null> => {
      const used = await useCode(id, code, changeLimits(id), requesterOf(id, work));
      if (used === null) return { kind: 'wrong second factor' };
      if (used === 'unreadable') return { kind: 'unreadable second factor' };
      return typeof used === 'number' ? tooMany(used) : null;
    },

    /** Signs in. `wrong` does not reveal whether the e-mail or the password was wrong. */
    withPassword: async (attempt: SignInAttempt): Promise<SignInResult> => {
      const emails = storedEmails(attempt.email);
      const tried = await Promise.all(
        emails.map(async (email) => ({ email, known: await store.find(email) })),
      );
      const found = tried.find(({ known }) => known !== null) ?? tried[0];
      const { email, known } = found ?? { email: '', known: null };
      const account = known?.account.email ?? null;
      const { limits, requester } = await admissionOf(email, attempt, known?.account.id);
      const seconds = await waitSeconds(limits);
      if (seconds > 0) return { outcome: 'wait', seconds, account };
      return orWait<SignInResult>(account, async () => {
        const verifiedHash = await verify(attempt.password, known, limits, requester);
        if (known === null || verifiedHash === null) return { outcome: 'wrong', account };
        const { id, email: ownEmail } = known.account;
        if (known.hasSecondFactor) {
          const proof = createPasswordProof(ownEmail, verifiedHash, clock.nowMs());
          return { outcome: 'code needed', proof };
        }
        const { tokens, stored } = createSignInTokens(clock, randomBytes, attempt.device);
        const upgradedHash = isOutdatedHash(verifiedHash)
          ? await passwords.run(requester, () => hashPassword(attempt.password))
          : null;
        let result = await store.signIn(id, verifiedHash, stored, upgradedHash);
        if (result === 'outdated') {
          // The same sign-in may have been sent twice, and the first has upgraded the hash.
          const { passwordHash = null } = (await store.find(ownEmail)) ?? {};
          const isRight = () => verifyPassword(attempt.password, passwordHash);
          if (passwordHash !== null && (await passwords.run(requester, isRight)))
            result = await store.signIn(id, passwordHash, stored, null);
        }
        return result === 'stored'
          ? { outcome: 'signed in', ...tokens }
          : { outcome: 'wrong', account };
      });
    },

    /** Signs in with a code of the second factor, once the password was right. */
    withCode: async (attempt: Client & { proof: string; code: string }): Promise<CodeResult> => {
      const known = await store.find(textOfProof(attempt.proof));
      const key = known?.proofKey ?? null;
      const isValid = key !== null && isGenuine('password', attempt.proof, key, clock.nowMs());
      if (known === null || !isValid || !known.hasSecondFactor) return { outcome: 'expired' };
      const { id, email: account } = known.account;
      const { limits, requester } = await admissionOf(account, attempt, id);
      return orWait<CodeResult>(account, async () => {
        const used = await useCode(id, attempt.code, limits, requester);
        if (used === null) return { outcome: 'wrong', account };
        if (used === 'unreadable') return { outcome: 'unreadable', account };
        if (typeof used === 'number') return { outcome: 'wait', seconds: used, account };
        const { tokens, stored } = createSignInTokens(clock, randomBytes, attempt.device);
        const result = await store.signIn(id, known.passwordHash, stored, null);
        return result === 'stored'
          ? { outcome: 'signed in', account, ...tokens, ...used }
          : { outcome: 'expired' };
      });
    },

    /** Returns the seconds until a network may sign in, or 0. */
    waitSecondsOf: (origin: string): Promise<number> => byOrigin.waitSeconds(origin),
    /** Counts a failed attempt of a network. */
    countFailureOf: (origin: string): Promise<void> => byOrigin.countFailure(origin),

    /**
     * Verifies the password or a code of the second factor, and returns null if it is right.
     * Serves people who are not signed in but have proven something else.
     */
    proveOwner: async (
      known: Credentials,
      attempt: Client & { readonly by: 'password' | 'code'; readonly secret: string },
    ): Promise<Rejected | null> => {
      const { id, email: account } = known.account;
      const { limits, requester } = await admissionOf(account, attempt, id);
      const seconds = await waitSeconds(limits);
      if (seconds > 0) return { outcome: 'wait', seconds, account };
      return orWait<Rejected | null>(account, async () => {
        const proven =
          attempt.by === 'code'
            ? await useCode(id, attempt.secret, limits, requester)
            : await verify(attempt.secret, known, limits, requester);
        if (typeof proven === 'number') return { outcome: 'wait', seconds: proven, account };
        return proven === null ? { outcome: 'wrong', account } : null;
      });
    },

    /**
     * Changes a password, ends all sessions of the account and signs this browser in again. Of
     * concurrent changes with the same current password, one succeeds.
     *
     * @param present null for an account without a password
     * @returns new tokens for this browser, or the problem of one of the passwords
     * @throws ServerBusy
     */
    changePassword: async (
      account: Account,
      present: string | null,
      next: string,
      { device, ...work }: Pick<Client, 'device'> & WorkOptions,
    ): Promise<SignInTokens | { problem: PasswordReason; field: 'present' | 'next' }> => {
      const problem = passwordProblem(next, account.email);
      if (problem !== null) return { problem, field: 'next' };
      if (next === present) return { problem: { kind: 'same password' }, field: 'next' };
      const confirmed = present === null ? { hash: null } : await confirm(account, present, work);
      if ('problem' in confirmed) return { ...confirmed, field: 'present' };
      const requester = requesterOf(account.id, work);
      const nextHash = await passwords.run(requester, () => hashPassword(next));
      const { tokens, stored } = createSignInTokens(clock, randomBytes, device);
      const result = await store.changePassword(account.id, confirmed.hash, nextHash, stored);
      return result === 'changed' ? tokens : { problem: wrongCurrentPassword, field: 'present' };
    },
  };
}

/**
 * Creates the proof that the password of an account, or its link, was right.
 * It is valid while the second factor is asked for.
 *
 * @param key see `Credentials.proofKey`
 */
export function createPasswordProof(email: string, key: string, nowMs: number): string {
  return createProof('password', email, key, nowMs);
}
