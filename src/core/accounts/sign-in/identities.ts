import { Refused } from '../../errors.ts';
import type { Acting, Clock, RandomBytes } from '../../ports.ts';
import { type Account, noPlanSince, parseNewEmail } from '../account.ts';
import type { CredentialStore, Credentials, IdentityStore, SignInLinkStore } from '../ports.ts';
import { createSignInTokens, type SignInTokens } from '../session.ts';
import { createProof, isGenuine, textOfProof } from './proof.ts';
import type { Identity, IdentityProvider, ProvidedPerson } from './provider.ts';
import type { Client, RejectedCode, SignIn } from './sign-in.ts';

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
    } & SignInTokens)
  /**
   * The second factor of the account, or the password to connect it, is needed.
   * The proof lets it follow.
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
  | ({ readonly outcome: 'signed in'; readonly account: Account } & SignInTokens)
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
  links: Pick<SignInLinkStore, 'isFirstAccountMissing'>;
  signIn: Pick<SignIn, 'proveOwner'>;
  /** Whether accounts have passwords. If not, the provider decides whose an account is. */
  hasPasswords: boolean;
  /** Whether people without an account get one. */
  signsUp: boolean;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { provider, store, credentials, signIn, hasPasswords, clock, randomBytes } = deps;
  const newTokens = (device: string) => {
    const { tokens, stored } = createSignInTokens(clock, randomBytes, device);
    return { tokens, stored: { ...stored, isProvided: true } };
  };

  /** Asks for more, with a proof that names the identity. */
  const askFor = (
    by: OwnerProof,
    person: ProvidedPerson,
    known: Credentials,
    connects: boolean,
  ): IdentityResult => {
    if (known.proofKey === null) throw new Error('an account without a secret cannot prove more');
    const { issuer, subject, isOperator } = person;
    const { email } = known.account;
    const claim: Claim = { by, connects, issuer, subject, isOperator, email };
    const proof = createProof('identity', JSON.stringify(claim), known.proofKey, clock.nowMs());
    return { outcome: 'more needed', by, connects, proof, account: known.account };
  };

  /** Signs in, or returns `outdated` if something has changed meanwhile. */
  const enter = async (
    person: ProvidedPerson,
    device: string,
    isInvited: boolean,
  ): Promise<IdentityResult | 'outdated'> => {
    const { tokens, stored } = newTokens(device);
    const bound = await store.find(person);
    if (bound !== null) {
      if (bound.hasSecondFactor) return askFor('code', person, bound, false);
      const { account } = bound;
      const isStored = await store.signIn(person, account.id, stored, person.isOperator);
      return isStored ? { outcome: 'signed in', account, isNew: false, ...tokens } : 'outdated';
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
        ? 'outdated'
        : { outcome: 'signed in', account, isNew: true, ...tokens };
    }
    if ((await store.ofAccount(known.account.id)) !== null) return refused('other identity');
    if (hasPasswords && known.hasSecondFactor) return askFor('code', person, known, true);
    if (hasPasswords && known.passwordHash !== null) return askFor('password', person, known, true);
    // Nobody has entered it, or the provider decides. Whoever prepared the account must not stay in.
    const binding = {
      identity: person,
      proofKey: known.proofKey,
      replacesOthers: true,
      atMs: clock.nowMs(),
    };
    const result = await store.bind(onSelf(known.account), binding);
    // The next attempt finds it connected.
    return result === 'bound' ? enter(person, device, isInvited) : 'outdated';
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
      const result = first === 'outdated' ? await enter(person, device, isInvited) : first;
      if (result === 'outdated')
        throw new Error('an identity has changed twice while it signed in');
      return result;
    },

    /** Signs in, and connects the identity if that was asked, once the owner has proven the account. */
    finish: async (attempt: Client & { proof: string; secret: string }): Promise<FinishResult> => {
      const claim = readClaim(attempt.proof);
      const known = claim === null ? null : await credentials.find(claim.email);
      const key = known?.proofKey ?? null;
      const isValid = key !== null && isGenuine('identity', attempt.proof, key, clock.nowMs());
      if (claim === null || known === null || !isValid) return { outcome: 'expired' };
      const { account, hasSecondFactor } = known;
      const { by, connects, issuer, subject, isOperator } = claim;
      // The second factor was turned on since.
      if (by === 'password' && hasSecondFactor) return { outcome: 'expired' };
      const proven = await signIn.proveOwner(known, { ...attempt, by });
      if (proven.outcome !== 'accepted') return proven;
      const { tokens, stored } = newTokens(attempt.device);
      const identity = { issuer, subject };
      if (connects) {
        const binding = { identity, proofKey: key, replacesOthers: false, atMs: clock.nowMs() };
        if ((await store.bind(onSelf(account), binding)) !== 'bound') return { outcome: 'expired' };
      }
      return (await store.signIn(identity, account.id, stored, isOperator))
        ? { outcome: 'signed in', account, ...tokens }
        : { outcome: 'expired' };
    },

    /** Returns the identity of an account, or null. */
    ofAccount: store.ofAccount,

    /** Connects an identity with an account, for its owner. `taken`: one of the two is connected already. */
    connect: async (account: Account, identity: Identity): Promise<'bound' | 'taken'> => {
      const known = await credentials.find(account.email);
      const binding = {
        identity,
        proofKey: known?.proofKey ?? null,
        replacesOthers: false,
        atMs: clock.nowMs(),
      };
      return (await store.bind(onSelf(account), binding)) === 'bound' ? 'bound' : 'taken';
    },

    /**
     * Disconnects an account from its identity, and ends its sessions of the provider.
     * The session with a given hash stays.
     */
    disconnect: (account: Account, keptSessionHash: string): Promise<boolean> =>
      store.remove(onSelf(account), clock.nowMs(), keptSessionHash),
  };
}

/** What a proof says about an identity for which more is asked. */
interface Claim extends Identity, Pick<ProvidedPerson, 'isOperator'> {
  /** Of the account. */
  readonly email: string;
  readonly by: OwnerProof;
  readonly connects: boolean;
}

/** Reads what a proof says, before it is known to be genuine. Returns null if it says nothing. */
function readClaim(proof: string): Claim | null {
  try {
    const read: unknown = JSON.parse(textOfProof(proof));
    // The cast is safe: nothing else of it counts unless it is genuine, and then `askFor` wrote it.
    return typeof Object(read).email === 'string' ? (read as Claim) : null;
  } catch {
    return null;
  }
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

/** Creates the proof that a provider has named an identity to a session. */
export function createConnectProof(
  { issuer, subject }: Identity,
  sessionToken: string,
  nowMs: number,
): string {
  return createProof('connection', JSON.stringify([issuer, subject]), sessionToken, nowMs);
}

/** Returns the identity of a proof of {@link createConnectProof}, or null when it is not genuine. */
export function readConnectProof(
  proof: string,
  sessionToken: string,
  nowMs: number,
): Identity | null {
  if (!isGenuine('connection', proof, sessionToken, nowMs)) return null;
  // The cast is safe: it was written by `createConnectProof`.
  const [issuer, subject] = JSON.parse(textOfProof(proof)) as [string, string];
  return { issuer, subject };
}

/** A change that somebody makes to the own account. */
function onSelf({ id }: Account): Acting {
  return { accountId: id, by: { kind: 'person', accountId: id } };
}
