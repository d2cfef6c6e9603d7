import type { Clock, RandomBytes } from '../../ports.ts';
import type { OpenStep, SignInStepStore } from '../ports.ts';
import { hashToken, isToken, newToken } from '../session.ts';
import { type SignInStep, type StepOf, stepLifetimeMs } from './step.ts';

export type SignInSteps = ReturnType<typeof createSignInSteps>;

/**
 * Keeps what is proven while more is asked for.
 * It is kept on the server: the browser has a random token, which nobody can make up. A step counts once, for ten
 * minutes, and until a password or second factor of its account changes.
 */
export function createSignInSteps(deps: {
  store: SignInStepStore;
  clock: Pick<Clock, 'nowMs'>;
  randomBytes: RandomBytes;
}) {
  const { store, clock, randomBytes } = deps;
  return {
    /** Keeps what a provider has said, and returns the token of the step. */
    begin: async (accountId: number, step: SignInStep): Promise<string> => {
      const { token, hash } = newStep(randomBytes);
      await store.add({ hash, accountId, step, atMs: clock.nowMs() });
      return token;
    },

    /** Keeps that a password was right. `outdated`: it has changed since. */
    beginAfterPassword: async (
      accountId: number,
      verifiedHash: string,
    ): Promise<
      { readonly outcome: 'begun'; readonly token: string } | { readonly outcome: 'outdated' }
    > => {
      const { token, hash } = newStep(randomBytes);
      const row = { hash, accountId, step: { kind: 'password' }, atMs: clock.nowMs() } as const;
      const outcome = await store.add(row, verifiedHash);
      return outcome === 'added' ? { outcome: 'begun', token } : { outcome };
    },

    /** Returns a step of some kinds, or null when it is over, was used, or never began. */
    find: async <Kind extends SignInStep['kind']>(
      token: string,
      ...kinds: readonly Kind[]
    ): Promise<OpenStep<StepOf<Kind>> | null> => {
      const found = isToken(token) ? await store.find(hashToken(token)) : null;
      // The clock of another copy may be ahead, and one that was wrong may have been set back.
      if (found === null || Math.abs(clock.nowMs() - found.beganAtMs) > stepLifetimeMs) return null;
      const isAsked = (open: OpenStep): open is OpenStep<StepOf<Kind>> =>
        kinds.some((kind) => kind === open.step.kind);
      return isAsked(found) ? found : null;
    },
  };
}

/** Creates a step that will be stored with something else, see `SignInLinkStore.redeem`. */
export function newStep(randomBytes: RandomBytes): {
  readonly token: string;
  readonly hash: string;
} {
  const token = newToken(randomBytes);
  return { token, hash: hashToken(token) };
}
