import { Refused } from '../../errors.ts';
import type { FairQueue } from '../../fair-queue.ts';
import type { Acting, Clock, RandomBytes } from '../../ports.ts';
import type { Account } from '../account.ts';
import { parseNewEmail } from '../email.ts';
import { hashPassword, passwordProblem, strangerIn } from '../password/password.ts';
import type { SignInLinkStore } from '../ports.ts';
import { createSignInTokens, hashToken, isToken, newToken, type SignInTokens } from '../session.ts';
import type { Client } from './sign-in.ts';
import { newStep } from './steps.ts';

/** Lifetime of a one-time link. */
export const signInLinkLifetimeMs = 7 * 86_400_000;

/** Result of redeeming a link: signed in, a second factor needed, or an invalid link. */
type RedeemResult =
  | ({ readonly outcome: 'signed in' } & SignInTokens)
  | { readonly outcome: 'code needed'; readonly proof: string }
  | { readonly outcome: 'gone' };

export type SignInLinks = ReturnType<typeof createSignInLinks>;

/**
 * Issues and redeems one-time links to the panel. Opening a link does not redeem it, because mail
 * programs and chats open links before people do. Setting the password does.
 */
export function createSignInLinks(deps: {
  store: SignInLinkStore;
  passwords: FairQueue;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, passwords, clock, randomBytes } = deps;

  const add = async (acting: Acting | null): Promise<string> => {
    const token = newToken(randomBytes);
    const nowMs = clock.nowMs();
    await store.add(hashToken(token), acting, nowMs + signInLinkLifetimeMs, nowMs);
    return token;
  };

  const find = async (token: string): Promise<{ account: Account | null } | null> =>
    isToken(token) ? store.find(hashToken(token), clock.nowMs()) : null;

  return {
    /** Issues a link to set the account's password, and returns its token. Replaces an earlier link. */
    issue: (acting: Acting): Promise<string> => add(acting),

    /** Issues the link for the first account. Resolves null when an account exists. */
    issueFirst: async (): Promise<string | null> =>
      (await store.isFirstAccountMissing()) ? add(null) : null,

    isFirstAccountMissing: store.isFirstAccountMissing,

    /** Returns the account of a link without redeeming it, or null when it is invalid. */
    find,

    /**
     * Sets the password of the link's account and signs in, unless its second factor is needed.
     * A link replaces the password only, and without one it leaves the password as it is. The link for the
     * first account creates it with this e-mail: an operator whose plan does not expire.
     *
     * @throws ServerBusy, Refused
     */
    redeem: async (
      token: string,
      password: string | null,
      emailText: string,
      { origin, device, signal }: Pick<Client, 'origin' | 'device' | 'signal'>,
    ): Promise<RedeemResult> => {
      const link = await find(token);
      if (link === null) return { outcome: 'gone' };
      const email = link.account?.email ?? parseNewEmail(emailText);
      const problem = password === null ? null : passwordProblem(password, email);
      if (problem !== null) throw new Refused(problem);
      const passwordHash =
        password === null
          ? null
          : await passwords.run(strangerIn(origin, signal), () => hashPassword(password));
      const { tokens, stored } = createSignInTokens(clock, randomBytes, device);
      const step = newStep(randomBytes);
      const redeemed = await store.redeem(hashToken(token), email, passwordHash, stored, step.hash);
      if (redeemed === null) return { outcome: 'gone' };
      return redeemed.hasSecondFactor
        ? { outcome: 'code needed', proof: step.token }
        : { outcome: 'signed in', ...tokens };
    },
  };
}
