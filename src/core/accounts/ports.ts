import type { PausedTexts } from '../labels.ts';
import type { Acting, Actor } from '../ports.ts';
import type { Account, ListedAccount } from './account.ts';
import type { MemberRole } from './people/role.ts';
import type { Identity } from './sign-in/provider.ts';
import type { SignInStep } from './sign-in/step.ts';

/** The interfaces that adapters implement for accounts, see `core/ports.ts`. */

/**
 * Stores accounts.
 * A change requires in its transaction that who acts may make it: a command, an operator, or the owner. Otherwise it
 * throws `Refused` with `no right`.
 */
export interface AccountStore {
  /** Creates an account with the plain design. `taken`: another one has the address. */
  create(account: {
    email: string;
    isOperator: boolean;
    planUntilMs: number | null;
    passwordHash: string | null;
    by: Actor;
    atMs: number;
  }): Promise<CreateResult>;
  find(id: number): Promise<ListedAccount | null>;
  findByEmail(email: string): Promise<ListedAccount | null>;
  /** Returns the oldest accounts whose e-mail contains a lower-case text, and the number of all. */
  search(
    text: string,
    limit?: number,
  ): Promise<{ readonly accounts: readonly ListedAccount[]; readonly total: number }>;
  /**
   * Computes the totals of the server in small steps, so that other requests are not delayed.
   * Scans of the last second may be missing.
   */
  totals(): Promise<{ readonly accounts: number; readonly qrs: number; readonly scans: number }>;
  changePlan(acting: Acting, planUntilMs: number | null, atMs: number): Promise<void>;
  /** @param timeZone see `parseTimeZone` */
  changeTimeZone(acting: Acting, timeZone: string, atMs: number): Promise<void>;
  /**
   * Changes the language of the panel for a person. It is no event of the account.
   *
   * @param language its tag, or null for that of the browser
   */
  changeLanguage(accountId: number, language: string | null): Promise<void>;
  /** Returns what the account says on the page of its paused codes. */
  pausedTexts(accountId: number): Promise<PausedTexts>;
  /** Changes what is given. A link must have been checked like a destination. */
  changePausedTexts(acting: Acting, changes: Partial<PausedTexts>, atMs: number): Promise<void>;
  /** Returns whether any account is an operator. True while there is no account yet. */
  hasOperator(): Promise<boolean>;
  /** Takes effect at the account's next request. */
  changeOperator(acting: Acting, isOperator: boolean, atMs: number): Promise<void>;
  /**
   * Changes the password in one transaction that also removes all sessions, trusted browsers and the
   * pending sign-in link of the account.
   */
  changePassword(acting: Acting, passwordHash: string, atMs: number): Promise<void>;
  /**
   * Changes the e-mail address, and ends the pending sign-in link and steps of sign-ins of the account: they were for
   * the address before. Sessions and keys stay.
   */
  changeEmail(acting: Acting, email: string, atMs: number): Promise<'changed' | 'taken'>;
  /**
   * Deletes an account in one transaction, with everything about it that no code needs.
   * Deletes its password, sessions, key, links, saved designs, planned changes, batches and bulk edits, also running
   * ones. With many codes, it ends the batches and bulk edits and does a part of the codes: it is called again until
   * the account is gone.
   *
   * @returns `more` after a part; `last operator` when no other account is one, `no recipient` when there is no
   *   account to give the codes to, `missing` when there is no such account; nothing was changed then
   */
  remove(accountId: number, codes: CodesOfDeleted, atMs: number, by: Actor): Promise<RemovalResult>;
}

/** Result of creating an account. */
type CreateResult =
  | { readonly outcome: 'created'; readonly account: Account }
  | { readonly outcome: 'taken' };

/**
 * What happens to the codes of an account that is deleted.
 * `keep`: they keep redirecting, without an owner. `stop`: their short links respond with 410 for good. Both remove the
 * names and notes. `give`: they belong to another account.
 */
export type CodesOfDeleted =
  | { readonly kind: 'keep' | 'stop' }
  | { readonly kind: 'give'; readonly to: number; readonly by: Actor };

export type RemovalResult = 'removed' | 'more' | 'missing' | 'last operator' | 'no recipient';

/** The stored form of an account's API key. */
export interface ApiKeyRecord {
  /** Also names the rate window. */
  readonly hash: string;
  readonly lastFour: string;
  /** The key that was replaced, while it works beside this one. It may have expired. */
  readonly former: { readonly lastFour: string; readonly untilMs: number } | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A key as lists show it, without its secret. */
export interface ListedKey extends Pick<ApiKeyRecord, 'lastFour' | 'createdAtMs' | 'lastUsedAtMs'> {
  /** Of its account. */
  readonly email: string;
}

/** The account of a valid key. */
interface KeyOwner {
  readonly account: Account;
  /** Hash of the account's newest key, which names the rate window of the one that it replaces as well. */
  readonly currentHash: string;
}

export interface ApiKeyStore {
  /** Sets the account's key, which replaces any earlier one. */
  replace(
    acting: Acting,
    hash: string,
    lastFour: string,
    atMs: number,
    options?: KeyReplacement,
  ): Promise<KeyResult>;
  /** Ends the key that was replaced before its time. Resolves false when there was none. */
  endFormer(acting: Acting, atMs: number): Promise<boolean>;
  /** Removes the account's keys. Resolves false when there was none. */
  revoke(acting: Acting, atMs: number): Promise<boolean>;
  /** Returns the account of a valid key. Sees all changes that were committed before the call. */
  findOwner(hash: string, nowMs: number): Promise<KeyOwner | null>;
  findByAccount(accountId: number): Promise<ApiKeyRecord | null>;
  /** Returns the keys of all accounts, in the order of their e-mail addresses. */
  list(): Promise<ListedKey[]>;
  /** Records the last use of the account's key. May be written later. */
  recordUse(accountId: number, atMs: number): void;
}

/** How a key replaces another one. */
interface KeyReplacement {
  /** When the key was created that is expected there; null for none. Any when left out. */
  readonly expectedMs?: number | null;
  /** Counts the new key, and rejects it if there were too many. Without it, the key is not counted. */
  readonly limit?: KeyLimit;
  /** Until when the replaced key works beside the new one. An earlier one ends at once. */
  readonly formerUntilMs?: number | null;
}

/**
 * Result of setting a key. `outdated`: the earlier one is not the expected one.
 * Unless it is `replaced`, nothing was changed.
 */
export type KeyResult =
  | { readonly outcome: 'replaced' | 'outdated' }
  | {
      readonly outcome: 'too many';
      /** When the next one is possible. */
      readonly nextAtMs: number;
    };

/** How many keys may be generated for an account in a sliding window. */
export interface KeyLimit {
  readonly count: number;
  readonly windowMs: number;
}

/** A sliding window per API key. */
export interface RateLimiter {
  /**
   * Counts a request if it fits the window, in one step. A rejected request is not counted.
   *
   * @param key names the window, such as the hash of an API key
   */
  admit(key: string): Promise<RateDecision>;
  /** Returns the number of requests in the window without counting one. */
  used(key: string): Promise<number>;
}

export interface RateDecision {
  readonly admitted: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
  /** Whole seconds until the oldest counted request leaves the window, at least 1. */
  readonly resetSeconds: number;
}

/** Admits requests of API keys. */
export interface KeyAdmission {
  /**
   * Returns the account of a valid key, and counts the request if it fits the window of the key; null for another key.
   * A replaced key has the window of the one that follows it. Sees all changes that were committed before the call.
   */
  admit(hash: string, nowMs: number): Promise<KeyRequest | null>;
  /** Returns the number of requests in the window of a key without counting one. */
  used(hash: string): Promise<number>;
}

/** A request with a valid key. */
interface KeyRequest {
  readonly account: Account;
  readonly decision: RateDecision;
}

/** Limits that all copies of a server count together. They reject with StoreUnavailable while that is not possible. */
export interface SharedLimits {
  /** @param limit requests per minute and key */
  createAdmission(limit: number): KeyAdmission;
  readonly createThrottle: CreateThrottle;
  /** Removes what limits nothing any more. */
  clean(): Promise<void>;
}

/**
 * A limiter of failed attempts per name, such as an account or an address.
 * The caller asks `waitSeconds` before an attempt and reports failures.
 */
export interface Throttle {
  /** Returns the seconds until the next attempt is allowed, or 0. */
  waitSeconds(name: string): Promise<number>;
  /** Counts a failed attempt. */
  countFailure(name: string): Promise<void>;
}

interface ThrottleLimits {
  /** Failures that are allowed at once. */
  readonly burst: number;
  /** Time after which one more is allowed. */
  readonly intervalMs: number;
}

/** Creates a throttle. Throttles of different kinds count separately. */
export type CreateThrottle = (kind: string, limits: ThrottleLimits) => Throttle;

/** A stored session. The token itself is not stored. */
interface StoredSession {
  /** The account that is signed in. */
  readonly person: Account;
  /** The account that the person has entered; null for the own one. */
  readonly entered: EnteredAccount | 'lost' | null;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  /** When it was last proven who uses it: at the sign-in, or since. */
  readonly confirmedAtMs: number;
  /** Whether an OpenID Connect provider has named who signed in. */
  readonly isProvided: boolean;
  /** Whether the person has a password. */
  readonly hasPassword: boolean;
}

/** The account of somebody else, and what a person may do in it. */
export interface EnteredAccount {
  readonly account: Account;
  readonly role: MemberRole;
}

/** A session in the list of its account. */
export interface ListedSession
  extends Omit<StoredSession, 'person' | 'entered' | 'confirmedAtMs' | 'hasPassword'> {
  /** SHA-256 of the token. */
  readonly hash: string;
  /** Browser and system, such as `Firefox on Linux`; empty if an earlier version began it. */
  readonly device: string;
}

/** Stores sessions by the hash of their token. `CredentialStore` and `SignInLinkStore` add them. */
export interface SessionStore {
  /**
   * Sees all changes of members that were committed before the call.
   * `lost`: the person may no longer enter it.
   */
  find(hash: string): Promise<StoredSession | null>;
  /**
   * Sets in whose account the person works.
   *
   * @returns false when the person is no member of it; nothing was changed then
   */
  enter(hash: string, accountId: number): Promise<boolean>;
  recordUse(hash: string, atMs: number): Promise<void>;
  recordConfirmation(hash: string, atMs: number): Promise<void>;
  remove(hash: string): Promise<void>;
  /** Returns the sessions of an account that were used last since `usedSinceMs`, the newest use first. */
  list(accountId: number, usedSinceMs: number, limit: number): Promise<readonly ListedSession[]>;
  /** Removes a session if it is the account's. */
  removeOf(accountId: number, hash: string): Promise<void>;
  /** Removes all sessions and trusted browsers of an account, but those of `kept`. */
  removeAll(
    acting: Acting,
    atMs: number,
    kept?: Pick<StoredSignIn, 'sessionHash' | 'trustedBrowserHash'>,
  ): Promise<void>;
}

/**
 * The stored form of sign-in tokens. A store that adds them also removes sessions older than
 * `sessionMaxAgeMs` and trusted browsers older than `trustedBrowserLifetimeMs`.
 */
export interface StoredSignIn {
  readonly sessionHash: string;
  readonly trustedBrowserHash: string;
  readonly device: string;
  readonly atMs: number;
  /** Whether an OpenID Connect provider has named who signs in. */
  readonly isProvided?: boolean;
}

/** An account with its password hash; null while it has no password. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string | null;
  readonly hasSecondFactor: boolean;
}

/** A step to store, see `SignInStep`. */
export interface NewSignInStep {
  /** Of the token. */
  readonly hash: string;
  readonly accountId: number;
  readonly step: SignInStep;
  readonly atMs: number;
}

/** A step that is under way. */
export interface OpenStep<Step extends SignInStep = SignInStep> {
  /** Names it where it is used up. */
  readonly hash: string;
  readonly step: Step;
  /** The account that it is about, as it is now. */
  readonly known: Credentials;
  readonly beganAtMs: number;
}

/**
 * Stores steps of sign-ins.
 * What changes a password or a second factor removes those of its account.
 */
export interface SignInStepStore {
  /** @param verifiedHash hash of the password that was proven. If it has changed, nothing is stored */
  add(step: NewSignInStep, verifiedHash?: string): Promise<'added' | 'outdated'>;
  /** Returns a step, which may be over. */
  find(hash: string): Promise<OpenStep | null>;
}

/**
 * Stores credentials.
 * Verifying a password takes time, so each write checks in its transaction that the verified hash is still the
 * account's; null if it has none. If not, it stores nothing and resolves `outdated`.
 */
export interface CredentialStore {
  find(email: string): Promise<Credentials | null>;
  /**
   * Adds a session and a trusted browser.
   *
   * @param upgradedHash replaces the verified hash of the same password; null keeps it
   * @param stepHash the step that is used up: it must not have ended
   */
  signIn(
    accountId: number,
    verifiedHash: string | null,
    tokens: StoredSignIn,
    upgradedHash: string | null,
    stepHash?: string,
  ): Promise<'stored' | 'outdated'>;
  /** Changes the password as `AccountStore.changePassword` does, and adds a session. */
  changePassword(
    accountId: number,
    verifiedHash: string | null,
    nextHash: string,
    tokens: StoredSignIn,
  ): Promise<'changed' | 'outdated'>;
  /** Returns when a trusted browser signed in, which gave it its token; null for another browser. */
  browserSinceMs(hash: string, accountId: number): Promise<number | null>;
}

/** An identity that is connected with an account. */
export interface StoredIdentity extends Identity {
  readonly boundAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** How an identity is connected with an account. */
export interface Binding {
  readonly identity: Identity;
  /** The step that is used up: it must not have ended. Null for none. */
  readonly stepHash: string | null;
  /** The secrets that the owner had: they must not have changed. Any when left out. */
  readonly known?: Pick<Credentials, 'passwordHash' | 'hasSecondFactor'>;
  /** Whether the password, sessions, trusted browsers and links of the account end. */
  readonly replacesOthers: boolean;
  readonly atMs: number;
}

/** Result of adding the session of a provider. */
type ProvidedSignIn =
  | {
      readonly outcome: 'stored';
      /** Whether the account stays an operator's against its groups, because there is no other. */
      readonly isKeptOperator: boolean;
    }
  | { readonly outcome: 'outdated' };

/**
 * Stores identities of an OpenID Connect provider.
 * An account has one at most, and an identity one account.
 */
export interface IdentityStore {
  /** Returns the account that an identity is connected with. */
  find(identity: Identity): Promise<Credentials | null>;
  ofAccount(accountId: number): Promise<StoredIdentity | null>;
  /**
   * Adds a session to the account of an identity.
   * The other sessions of the account end if it becomes an operator's. The only operator stays one.
   *
   * @param isOperator null leaves it as it is
   * @param stepHash the step that is used up
   * @returns `outdated` when the two are not connected any more, or the step has ended
   */
  signIn(
    identity: Identity,
    accountId: number,
    tokens: StoredSignIn,
    isOperator: boolean | null,
    stepHash?: string,
  ): Promise<ProvidedSignIn>;
  /**
   * Connects an identity, in one transaction.
   * `taken`: one of the two is connected. `outdated`: the step has ended, or the secrets have changed.
   */
  bind(acting: Acting, binding: Binding): Promise<'bound' | 'taken' | 'outdated'>;
  /** Creates an account with an identity and a session. Null when the address or the identity is taken. */
  signUp(
    person: Identity & {
      readonly email: string;
      readonly isOperator: boolean | null;
      readonly planUntilMs: number | null;
    },
    tokens: StoredSignIn,
  ): Promise<Account | null>;
  /**
   * Removes the identity of an account and its sessions of the provider, but one.
   * Resolves false when there was none.
   *
   * @param keptSessionHash null for none
   */
  remove(acting: Acting, atMs: number, keptSessionHash: string | null): Promise<boolean>;
}

/** Stores one-time links by the hash of their token. */
export interface SignInLinkStore {
  /** Adds a link, replacing an earlier one of the account. Null means the link for the first account. */
  add(hash: string, acting: Acting | null, expiresAtMs: number, atMs: number): Promise<void>;
  /**
   * Returns the account of a link, or `account: null` for the first account's. Returns null when the
   * link was used, has expired, the password has changed since, or the first account exists.
   */
  find(hash: string, nowMs: number): Promise<{ account: Account | null } | null>;
  /**
   * Redeems a link in one transaction: sets the password of its account as
   * `AccountStore.changePassword` does, or creates the first account as an operator. Adds a session,
   * or a step of the kind `password` if the account has a second factor. Resolves null when the link
   * is no longer valid.
   *
   * @param email e-mail of the first account; not used for another one
   * @param passwordHash null leaves the password as it is
   */
  redeem(
    hash: string,
    email: string,
    passwordHash: string | null,
    tokens: StoredSignIn,
    stepHash: string,
  ): Promise<Pick<Credentials, 'account' | 'hasSecondFactor'> | null>;
  /** Returns whether there is no account yet. */
  isFirstAccountMissing(): Promise<boolean>;
}

/** Seals secrets of second factors with a key that no backup of the database has. */
export interface SecretBox {
  /** Returns the form of a secret that is stored: the secret itself while the server has no key. */
  seal(accountId: number, secret: string): Promise<string>;
  /** Returns the secret, or null if it was sealed with another key. */
  open(accountId: number, stored: string): Promise<string | null>;
}

/** The secret of an account's second factor as it is stored. */
export interface StoredSecret {
  readonly accountId: number;
  readonly secret: string;
}

/** A stored second factor. Its secret is needed to verify codes, so it is not hashed. */
interface StoredSecondFactor {
  /** In base32, or sealed by a {@link SecretBox}. */
  readonly secret: string;
  readonly recoveryHashes: readonly string[];
}

/** Stores the second factors of accounts. */
export interface SecondFactorStore {
  find(accountId: number): Promise<StoredSecondFactor | null>;
  /**
   * Turns it on.
   *
   * @param step of the code that confirmed it
   * @returns false when it is on
   */
  add(
    accountId: number,
    secret: string,
    step: number,
    recoveryHashes: readonly string[],
    atMs: number,
  ): Promise<boolean>;
  /** Uses the code of a time step. Resolves false when one of this or a later step was used. */
  useStep(accountId: number, secret: string, step: number): Promise<boolean>;
  /** Replaces the stored form of a secret, if it is still the same. */
  replaceSecret(accountId: number, from: string, to: string): Promise<boolean>;
  /** Removes a recovery code. `wrong`: there is no such code. */
  useRecoveryCode(
    accountId: number,
    hash: string,
    atMs: number,
  ): Promise<
    { readonly outcome: 'used'; readonly codesLeft: number } | { readonly outcome: 'wrong' }
  >;
  replaceRecoveryCodes(accountId: number, hashes: readonly string[], atMs: number): Promise<void>;
  /** Turns it off. Resolves false when it was. */
  remove(acting: Acting, atMs: number): Promise<boolean>;
}
