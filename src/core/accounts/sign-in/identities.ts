import { Refused } from '../../errors.ts';
import type { Acting, Clock, RandomBytes } from '../../ports.ts';
import { type Account, noPlanSince } from '../account.ts';
import { parseNewEmail } from '../email.ts';
import type {
  CredentialStore,
  Credentials,
  IdentityStore,
  OpenStep,
  SignInLinkStore,
} from '../ports.ts';
import { createSignInTokens, hashToken, type SignInTokens } from '../session.ts';
import type { IdentityProvider, ProvidedPerson } from './provider.ts';
import type { Client, RejectedCode, SignIn } from './sign-in.ts';
import type { StepOf } from './step.ts';
import type { SignInSteps } from './steps.ts';

/** Why somebody whom the provider knows is not let in. */
export type IdentityRefusal =
  /** There is no account with the address, and signing in creates none. */
  | 'no account'
  /** The provider does not vouch for the address, or gives none. */
  | 'unverified'
  /** The account with the address belongs to another identity. */
  | 'other identity'
  /** The first account is created by the link in the log. */
  | 'no first account'
  /** The address cannot be that of an account. */
  | 'no address';

/** What proves that an account is somebody's. */
export type OwnerProof = 'password' | 'code';

export type IdentityResult =
  | ({
      readonly outcome: 'signed in';
      readonly account: Account;
      readonly isNew: boolean;
      /** See `ProvidedSignIn`. */
      readonly isKeptOperator: boolean;
    } & SignInTokens)
  /**
   * The second factor of the account, or the password to connect it, is needed.
   * The proof names the step that lets it follow.
   */
  | {
      readonly outcome: 'more needed';
      readonly by: OwnerProof;
      /** Whether the identity is connected with the account then. */
      readonly connects: boolean;
      readonly proof: string;
      readonly account: Account;
    }
  | { readonly outcome: 'refused'; readonly reason: IdentityRefusal };

export type FinishResult =
  | ({
      readonly outcome: 'signed in';
      readonly account: Account;
      /** Whether the identity was connected with the account. */
      readonly connects: boolean;
      /** See `ProvidedSignIn`. */
      readonly isKeptOperator: boolean;
    } & SignInTokens)
  | { readonly outcome: 'expired' }
  | RejectedCode;

export type Identities = ReturnType<typeof createIdentities>;

/**
 * Signs in people whom an OpenID Connect provider knows.
 * An identity is connected with an account by a verified address, once, and only if the owner of the account proves it;
 * afterwards the identity alone counts.
 */
export function createIdentities(deps: {
  /** Null where no provider is set. */
  provider: IdentityProvider | null;
  store: IdentityStore;
  credentials: Pick<CredentialStore, 'find'>;
  steps: SignInSteps;
  links: Pick<SignInLinkStore, 'isFirstAccountMissing'>;
  signIn: Pick<SignIn, 'proveOwner'>;
  /** Whether accounts have passwords. If not, the provider decides whose an account is. */
  hasPasswords: boolean;
  /** Whether people without an account get one. */
  signsUp: boolean;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { provider, store, credentials, steps, signIn, hasPasswords, clock, randomBytes } = deps;
  const newTokens = (device: string) => {
    const { tokens, stored } = createSignInTokens(clock, randomBytes, device);
    return { tokens, stored: { ...stored, isProvided: true } };
  };

  /** Keeps what the provider has said, and asks for more. */
  const askFor = async (
    by: OwnerProof,
    person: ProvidedPerson,
    { account }: Credentials,
    connects: boolean,
  ): Promise<IdentityResult> => {
    const kind = connects ? 'new identity' : 'identity';
    const proof = await steps.begin(account.id, { kind, ...providedOf(person) });
    return { outcome: 'more needed', by, connects, proof, account };
  };

  /** Signs in, or returns `outdated` if something has changed meanwhile. */
  const enter = async (
    person: ProvidedPerson,
    device: string,
    isInvited: boolean,
  ): Promise<IdentityResult | { readonly outcome: 'outdated' }> => {
    const { tokens, stored } = newTokens(device);
    const bound = await store.find(person);
    if (bound !== null) {
      if (bound.hasSecondFactor) return askFor('code', person, bound, false);
      const { account } = bound;
      const result = await store.signIn(person, account.id, stored, person.isOperator);
      if (result.outcome === 'outdated') return result;
      const { isKeptOperator } = result;
      return { outcome: 'signed in', account, isNew: false, isKeptOperator, ...tokens };
    }
    const { email } = person;
    if (email === null || !person.isEmailVerified) return refused('unverified');
    const known = await credentials.find(email);
    if (known === null) {
      if (!deps.signsUp && !isInvited) return refused('no account');
      if (await deps.links.isFirstAccountMissing()) return refused('no first account');
      // Somebody who is invited works in the accounts of others.
      const planUntilMs = deps.signsUp ? null : noPlanSince(clock.nowMs());
      const address = newAddress(email);
      if (address === null) return refused('no address');
      const account = await store.signUp({ ...person, email: address, planUntilMs }, stored);
      return account === null
        ? { outcome: 'outdated' }
        : { outcome: 'signed in', account, isNew: true, isKeptOperator: false, ...tokens };
    }
    if ((await store.ofAccount(known.account.id)) !== null) return refused('other identity');
    if (hasPasswords && known.hasSecondFactor) return askFor('code', person, known, true);
    if (hasPasswords && known.passwordHash !== null) return askFor('password', person, known, true);
    // Nobody has entered it, or the provider decides. Whoever prepared the account must not stay in.
    const binding = {
      identity: person,
      stepHash: null,
      known,
      replacesOthers: true,
      atMs: clock.nowMs(),
    };
    const result = await store.bind(onSelf(known.account), binding);
    // The next attempt finds it connected.
    return result === 'bound' ? enter(person, device, isInvited) : { outcome: 'outdated' };
  };

  return {
    provider,

    /**
     * Signs in somebody whom the provider has named.
     *
     * @param isInvited whether the address has an invitation: then the person gets an account without a plan
     */
    enter: async (
      person: ProvidedPerson,
      device: string,
      isInvited: boolean,
    ): Promise<IdentityResult> => {
      const first = await enter(person, device, isInvited);
      const result = first.outcome === 'outdated' ? await enter(person, device, isInvited) : first;
      if (result.outcome === 'outdated')
        throw new Error('an identity has changed twice while it signed in');
      return result;
    },

    /** Signs in, and connects the identity if that was asked, once the owner has proven the account. */
    finish: async (attempt: Client & { proof: string; secret: string }): Promise<FinishResult> => {
      const open = await steps.find(attempt.proof, 'identity', 'new identity');
      if (open === null) return { outcome: 'expired' };
      const { known, step, hash: stepHash } = open;
      const { account } = known;
      const connects = step.kind === 'new identity';
      // The operator has turned it off since.
      if (!connects && !known.hasSecondFactor) return { outcome: 'expired' };
      const by = known.hasSecondFactor ? 'code' : 'password';
      const proven = await signIn.proveOwner(known, { ...attempt, by });
      if (proven.outcome !== 'accepted') return proven;
      const { tokens, stored } = newTokens(attempt.device);
      const { identity, isOperator } = step;
      if (connects) {
        const atMs = clock.nowMs();
        const binding = { identity, stepHash, known, replacesOthers: false, atMs };
        if ((await store.bind(onSelf(account), binding)) !== 'bound') return { outcome: 'expired' };
      }
      const used = connects ? undefined : stepHash;
      const result = await store.signIn(identity, account.id, stored, isOperator, used);
      return result.outcome === 'stored'
        ? { ...result, outcome: 'signed in', account, connects, ...tokens }
        : { outcome: 'expired' };
    },

    /** Returns the identity of an account, or null. */
    ofAccount: store.ofAccount,

    /** Keeps whom the provider has named to a session, until it connects that identity. Returns the proof. */
    offer: (account: Account, sessionToken: string, who: ProvidedPerson): Promise<string> => {
      const step = { kind: 'connection', sessionHash: hashToken(sessionToken) } as const;
      return steps.begin(account.id, { ...step, ...providedOf(who) });
    },

    /** Returns what was offered to a session, or null when it is over or was connected. */
    findOffer: async (
      account: Account,
      sessionToken: string,
      proof: string,
    ): Promise<OpenStep<StepOf<'connection'>> | null> => {
      const open = await steps.find(proof, 'connection');
      const isOwn =
        open?.known.account.id === account.id && open.step.sessionHash === hashToken(sessionToken);
      return isOwn ? open : null;
    },

    /**
     * Connects what {@link findOffer} has found, for the owner of the account, who has confirmed it.
     * `taken`: one of the two is connected already. `outdated`: the offer is over.
     */
    connect: ({
      hash: stepHash,
      known,
      step: { identity },
    }: OpenStep<StepOf<'connection'>>): Promise<'bound' | 'taken' | 'outdated'> => {
      const binding = { identity, stepHash, known, replacesOthers: false, atMs: clock.nowMs() };
      return store.bind(onSelf(known.account), binding);
    },

    /**
     * Disconnects an account from its identity, and ends its sessions of the provider.
     * The session with a given hash stays.
     */
    disconnect: (account: Account, keptSessionHash: string): Promise<boolean> =>
      store.remove(onSelf(account), clock.nowMs(), keptSessionHash),
  };
}

/** Returns what a step keeps of what a provider says. */
function providedOf({ issuer, subject, isOperator }: ProvidedPerson) {
  return { identity: { issuer, subject }, isOperator };
}

function refused(reason: IdentityRefusal): IdentityResult {
  return { outcome: 'refused', reason };
}

/** Returns an address in the form of new accounts, or null. */
function newAddress(email: string): string | null {
  try {
    return parseNewEmail(email);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** A change that somebody makes to the own account. */
function onSelf({ id }: Account): Acting {
  return { accountId: id, by: { kind: 'person', accountId: id } };
}
