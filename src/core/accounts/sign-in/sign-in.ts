import { ServerBusy } from '../../errors.ts';
import { type FairQueue, type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { Clock, RandomBytes } from '../../ports.ts';
import type { PasswordReason } from '../../reasons.ts';
import type { Account } from '../account.ts';
import { storedEmails } from '../email.ts';
import {
  hashPassword,
  isOutdatedHash,
  passwordProblem,
  strangerIn,
  verifyPassword,
} from '../password/password.ts';
import type { CreateThrottle, CredentialStore, Credentials, Throttle } from '../ports.ts';
import type { AcceptedCode, CodeAnswer, SecondFactors } from '../second-factor.ts';
import { createSignInTokens, hashToken, isToken, type SignInTokens } from '../session.ts';
import type { SignInSteps } from './steps.ts';

/** A rejected attempt has the account for the log, if there is one; clients don't see it. */
export type Rejected =
  | { readonly outcome: 'wrong'; readonly account: string | null }
  | { readonly outcome: 'wait'; readonly seconds: number; readonly account: string | null };

/** A rejected code. `unreadable`: see `CodeAnswer`. */
export type RejectedCode =
  | Rejected
  | { readonly outcome: 'unreadable'; readonly account: string | null };

/** Result of a sign-in attempt. The proof lets the second factor follow. */
type SignInResult =
  | ({ readonly outcome: 'signed in' } & SignInTokens)
  | { readonly outcome: 'code needed'; readonly proof: string }
  | Rejected;

/** Result of the second step. `expired`: the password has to be given again. */
type CodeResult =
  | ({ readonly outcome: 'signed in'; readonly account: string } & SignInTokens & AcceptedCode)
  | { readonly outcome: 'expired' }
  | RejectedCode;

/** Result of a confirmation by somebody who is signed in. */
export type Confirmation<Proven = unknown> =
  | ({ readonly outcome: 'confirmed' } & Proven)
  | { readonly outcome: 'rejected'; readonly problem: PasswordReason };

/** Result of a change of the password, with new tokens for the browser. */
type PasswordChange =
  | ({ readonly outcome: 'changed' } & SignInTokens)
  | {
      readonly outcome: 'rejected';
      readonly problem: PasswordReason;
      /** Whose problem it is. */
      readonly field: 'present' | 'next';
    };

/** The answer to a password. */
type PasswordAnswer =
  | { readonly outcome: 'accepted'; readonly hash: string }
  | { readonly outcome: 'wrong' };

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
  steps: SignInSteps;
  secondFactors: Pick<SecondFactors, 'use'>;
  passwords: FairQueue;
  /** Whether passwords count. */
  hasPasswords: boolean;
  createThrottle: CreateThrottle;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, steps, secondFactors, passwords, createThrottle, clock, randomBytes } = deps;
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
   * Verifies a password, and counts a wrong one.
   *
   * @throws ServerBusy
   */
  const verify = async (
    password: string,
    known: Credentials | null,
    limits: readonly Limit[],
    requester: Requester,
  ): Promise<PasswordAnswer> => {
    const hash = known?.passwordHash ?? null;
    const isRight = await passwords.run(requester, () => verifyPassword(password, hash));
    if (isRight && hash !== null) return { outcome: 'accepted', hash };
    await countFailure(limits);
    return { outcome: 'wrong' };
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
   * @throws ServerBusy
   */
  const useCode = (
    accountId: number,
    code: string,
    attemptLimits: readonly Limit[],
    requester: Requester,
  ): Promise<CodeAnswer | { readonly outcome: 'wait'; readonly seconds: number }> =>
    passwords.run(requester, async () => {
      const limits = withCodeLimits(attemptLimits);
      const seconds = await waitSeconds(limits);
      if (seconds > 0) return { outcome: 'wait', seconds };
      const answer = await secondFactors.use(accountId, code);
      if (answer.outcome === 'wrong') await countFailure(limits);
      return answer;
    });

  /** Makes an attempt. If too many wait for their turn, the client is told to wait. */
  const orWait = <T>(account: string | null, attempt: () => Promise<T>): Promise<T | Rejected> =>
    attempt().catch((error: unknown) => {
      if (error instanceof ServerBusy) return { outcome: 'wait', seconds: busySeconds, account };
      throw error;
    });

  /** Returns what limits confirmations by an account that is signed in. */
  const changeLimits = (id: number): Limit[] => [{ throttle: byAccount, name: `change ${id}` }];
  const rejected = (problem: PasswordReason) => ({ outcome: 'rejected', problem }) as const;
  const tooMany = (seconds: number) => rejected({ kind: 'too many attempts', seconds });

  /** Verifies the password of an account that is signed in. @throws ServerBusy */
  const confirm = async (
    { id, email }: Account,
    password: string,
    work?: WorkOptions,
  ): Promise<Confirmation<{ readonly hash: string }>> => {
    const known = await store.find(email);
    const limits = changeLimits(id);
    const seconds = await waitSeconds(limits);
    if (seconds > 0) return tooMany(seconds);
    const answer = await verify(password, known, limits, requesterOf(id, work));
    return answer.outcome === 'accepted'
      ? { outcome: 'confirmed', hash: answer.hash }
      : rejected(wrongCurrentPassword);
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

    /** Confirms a change by the password of the account. @throws ServerBusy */
    confirm: (account: Account, password: string, work?: WorkOptions): Promise<Confirmation> =>
      confirm(account, password, work),

    /** Confirms a change by a code of the account's second factor. @throws ServerBusy */
    confirmCode: async (
      { id }: Account,
      code: string,
      work?: WorkOptions,
    ): Promise<Confirmation> => {
      const answer = await useCode(id, code, changeLimits(id), requesterOf(id, work));
      switch (answer.outcome) {
        case 'accepted':
          return { outcome: 'confirmed' };
        case 'wrong':
          return rejected({ kind: 'wrong second factor' });
        case 'unreadable':
          return rejected({ kind: 'unreadable second factor' });
        case 'wait':
          return tooMany(answer.seconds);
      }
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
        const answer = await verify(attempt.password, known, limits, requester);
        if (known === null || answer.outcome === 'wrong') return { outcome: 'wrong', account };
        const { hash: verifiedHash } = answer;
        const { id, email: ownEmail } = known.account;
        if (known.hasSecondFactor) {
          const step = await steps.beginAfterPassword(id, verifiedHash);
          return step.outcome === 'begun'
            ? { outcome: 'code needed', proof: step.token }
            : { outcome: 'wrong', account };
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
      const open = await steps.find(attempt.proof, 'password');
      if (open === null || !open.known.hasSecondFactor) return { outcome: 'expired' };
      const { known, hash: stepHash } = open;
      const { id, email: account } = known.account;
      const { limits, requester } = await admissionOf(account, attempt, id);
      return orWait<CodeResult>(account, async () => {
        const answer = await useCode(id, attempt.code, limits, requester);
        if (answer.outcome !== 'accepted') return { ...answer, account };
        const { tokens, stored } = createSignInTokens(clock, randomBytes, attempt.device);
        const result = await store.signIn(id, known.passwordHash, stored, null, stepHash);
        return result === 'stored'
          ? { ...answer, outcome: 'signed in', account, ...tokens }
          : { outcome: 'expired' };
      });
    },

    /** Returns the seconds until a network may sign in, or 0. */
    waitSecondsOf: (origin: string): Promise<number> => byOrigin.waitSeconds(origin),
    /** Counts a failed attempt of a network. */
    countFailureOf: (origin: string): Promise<void> => byOrigin.countFailure(origin),

    /**
     * Verifies the password or a code of the second factor.
     * Serves people who are not signed in but have proven something else.
     */
    proveOwner: async (
      known: Credentials,
      attempt: Client & { readonly by: 'password' | 'code'; readonly secret: string },
    ): Promise<{ readonly outcome: 'accepted' } | RejectedCode> => {
      const { id, email: account } = known.account;
      const { limits, requester } = await admissionOf(account, attempt, id);
      const seconds = await waitSeconds(limits);
      if (seconds > 0) return { outcome: 'wait', seconds, account };
      return orWait<{ readonly outcome: 'accepted' } | RejectedCode>(account, async () => {
        const answer =
          attempt.by === 'code'
            ? await useCode(id, attempt.secret, limits, requester)
            : await verify(attempt.secret, known, limits, requester);
        return answer.outcome === 'accepted' ? { outcome: 'accepted' } : { ...answer, account };
      });
    },

    /**
     * Changes a password, ends all sessions of the account and signs this browser in again. Of
     * concurrent changes with the same current password, one succeeds.
     *
     * @param present null for an account without a password
     * @throws ServerBusy
     */
    changePassword: async (
      account: Account,
      present: string | null,
      next: string,
      { device, ...work }: Pick<Client, 'device'> & WorkOptions,
    ): Promise<PasswordChange> => {
      const problem = passwordProblem(next, account.email);
      if (problem !== null) return { ...rejected(problem), field: 'next' };
      if (next === present) return { ...rejected({ kind: 'same password' }), field: 'next' };
      const confirmed =
        present === null
          ? ({ outcome: 'confirmed', hash: null } as const)
          : await confirm(account, present, work);
      if (confirmed.outcome === 'rejected')
        return { ...rejected(confirmed.problem), field: 'present' };
      const requester = requesterOf(account.id, work);
      const nextHash = await passwords.run(requester, () => hashPassword(next));
      const { tokens, stored } = createSignInTokens(clock, randomBytes, device);
      const result = await store.changePassword(account.id, confirmed.hash, nextHash, stored);
      return result === 'changed'
        ? { outcome: 'changed', ...tokens }
        : { ...rejected(wrongCurrentPassword), field: 'present' };
    },
  };
}
