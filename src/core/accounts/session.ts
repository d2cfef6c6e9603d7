import { StoreUnavailable } from '../errors.ts';
import type { Acting, Clock, RandomBytes } from '../ports.ts';
import type { Account } from './account.ts';
import type { Role } from './people/role.ts';
import type { ListedSession, SessionStore, StoredSignIn } from './ports.ts';

/** Idle timeout of a session (OWASP ASVS 5, 7.3.1). */
export const sessionIdleLimitMs = 12 * 3_600_000;
/** Absolute lifetime of a session (OWASP ASVS 5, 7.3.2). */
export const sessionMaxAgeMs = 30 * 86_400_000;
/** How long a confirmation of who uses a session counts. */
export const confirmationLifetimeMs = 10 * 60_000;
/**
 * The maximum age of a session whose person a provider has named.
 * Who leaves there is signed out here within a day.
 */
export const providedSessionMaxAgeMs = 86_400_000;
// Limits writes. The idle timeout is in hours, so the stored last use may be minutes old.
const touchIntervalMs = 5 * 60_000;

const tokenBytes = 32;

/** A valid session of the account panel. */
export interface Session {
  /**
   * The account that is signed in.
   * Password, second factor, sessions and e-mail are always those of this account.
   */
  readonly person: Account;
  /** In whose account the person works: the own one, or one of which the person is a member. */
  readonly entered: Account;
  /** What the person may do in the entered account. */
  readonly role: Role;
  /** Whether the person had entered an account and may not any more: then the own one is entered. */
  readonly hasLostAccount: boolean;
  /** Every form carries it (OWASP, "HMAC-based token pattern"). */
  readonly csrfToken: string;
  /**
   * Whether it was proven a short time ago who uses it.
   * A stolen cookie is not enough for what asks for it.
   */
  readonly isConfirmed: boolean;
  /** When that was proven last. */
  readonly confirmedAtMs: number;
  /** Whether an OpenID Connect provider has named who signed in. */
  readonly isProvided: boolean;
  /** Whether the person has a password that counts. */
  readonly hasPassword: boolean;
}

/**
 * Returns the token of the forms of a session in an account.
 * That of the own account is that of version 1.1, which knows no other one: it refuses the forms of others while it
 * runs beside this version.
 */
export function csrfTokenOf(sessionToken: string, personId: number, accountId: number): string {
  return hashToken(`csrf:${sessionToken}${personId === accountId ? '' : `:${accountId}`}`);
}

export type Sessions = ReturnType<typeof createSessions>;

/** Manages sessions of the account panel. Only the SHA-256 of a token is stored. */
export function createSessions(deps: {
  store: SessionStore;
  clock: Clock;
  /** Whether accounts have passwords. */
  hasPasswords: boolean;
}) {
  const { store, clock } = deps;
  const isTooOld = (
    { createdAtMs, isProvided }: Pick<ListedSession, 'createdAtMs' | 'isProvided'>,
    nowMs: number,
  ) => nowMs - createdAtMs > (isProvided ? providedSessionMaxAgeMs : sessionMaxAgeMs);
  return {
    /** Returns the session of a token, or null when it is unknown or expired. */
    find: async (token: string | null): Promise<Session | null> => {
      if (token === null || !isToken(token)) return null;
      const hash = hashToken(token);
      const session = await store.find(hash);
      if (session === null) return null;
      const nowMs = clock.nowMs();
      const idleMs = nowMs - session.lastSeenAtMs;
      if (idleMs > sessionIdleLimitMs || isTooOld(session, nowMs)) return null;
      if (idleMs >= touchIntervalMs)
        await store.recordUse(hash, nowMs).catch((error: unknown) => {
          // The panel stays readable on a full disk.
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      const { person } = session;
      const hasLostAccount = session.entered === 'lost';
      const { account: entered, role } =
        session.entered === null || session.entered === 'lost'
          ? { account: person, role: 'owner' as const }
          : session.entered;
      const csrfToken = csrfTokenOf(token, person.id, entered.id);
      // The clock of another copy may be ahead.
      const isConfirmed = Math.abs(nowMs - session.confirmedAtMs) <= confirmationLifetimeMs;
      const { isProvided, confirmedAtMs } = session;
      const hasPassword = deps.hasPasswords && session.hasPassword;
      const own = { isConfirmed, confirmedAtMs, isProvided, hasPassword };
      return { person, entered, role, hasLostAccount, csrfToken, ...own };
    },
    /**
     * Sets in whose account the person works from the next request on.
     * Resolves false when that is not allowed.
     */
    enter: (token: string, accountId: number): Promise<boolean> =>
      store.enter(hashToken(token), accountId),
    /** Records that it was proven who uses the session of a token. */
    confirm: async (token: string): Promise<void> =>
      store.recordConfirmation(hashToken(token), clock.nowMs()),
    /** Ends the session of a token. */
    end: async (token: string): Promise<void> => store.remove(hashToken(token)),
    /** Returns the valid sessions of an account, the last used first. */
    list: async (accountId: number, limit: number): Promise<readonly ListedSession[]> => {
      const nowMs = clock.nowMs();
      const sessions = await store.list(accountId, nowMs - sessionIdleLimitMs, limit);
      return sessions.filter((session) => !isTooOld(session, nowMs));
    },
    /** Ends a session of an account, by its hash. */
    endOne: store.removeOf,
    /** Ends all sessions of an account but that of a token, and trusts no other browser any more. */
    endOthers: (acting: Acting, { session, trustedBrowser }: SignInTokens): Promise<void> =>
      store.removeAll(acting, clock.nowMs(), {
        sessionHash: hashToken(session),
        trustedBrowserHash: hashToken(trustedBrowser),
      }),
    /** Signs an account out everywhere. */
    endAll: (acting: Acting): Promise<void> => store.removeAll(acting, clock.nowMs()),
  };
}

/** Lifetime of a trusted-browser token. */
export const trustedBrowserLifetimeMs = 365 * 86_400_000;

/** The tokens that a browser receives at sign-in. */
export interface SignInTokens {
  readonly session: string;
  /** Exempts the browser from the account's shared throttle (OWASP, "device cookies"). */
  readonly trustedBrowser: string;
}

/**
 * Creates the tokens of a sign-in. They are valid once a store has inserted `stored`. The insert also
 * checks that the password has not changed since it was verified.
 */
export function createSignInTokens(
  clock: Clock,
  randomBytes: RandomBytes,
  device: string,
): { readonly tokens: SignInTokens; readonly stored: StoredSignIn } {
  const tokens = { session: newToken(randomBytes), trustedBrowser: newToken(randomBytes) };
  const stored = {
    sessionHash: hashToken(tokens.session),
    trustedBrowserHash: hashToken(tokens.trustedBrowser),
    device,
    atMs: clock.nowMs(),
  };
  return { tokens, stored };
}

/** Generates a token of 256 bits in hexadecimal. */
export function newToken(randomBytes: RandomBytes): string {
  return randomBytes(tokenBytes).toHex();
}

/** Returns whether a text has the format of a token. */
export function isToken(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** Returns the SHA-256 of a token, which is what is stored. */
export function hashToken(token: string): string {
  return Bun.CryptoHasher.hash('sha256', token, 'hex');
}
