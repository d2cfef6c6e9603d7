import { type Clock, type RandomBytes, StoreUnavailable } from '../ports.ts';
import type { Account } from './account.ts';

/** A session ends when it was not used for this long (OWASP ASVS 5, 7.3.1) … */
export const idleLimitMs = 12 * 3_600_000;
/** … and at this age, however busy it is (7.3.2). */
export const absoluteLimitMs = 30 * 86_400_000;
// The idle limit is counted in hours, so a write every few minutes is exact enough.
const noteUseEveryMs = 5 * 60_000;

const tokenBytes = 32;

/** What is kept of a session: never the token that opens it. */
export interface StoredSession {
  readonly account: Account;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

/** Where sessions are found. One begins where an entry is kept, see `newEntry`. */
export interface SessionStore {
  find(hash: string): Promise<StoredSession | null>;
  touch(hash: string, atMs: number): Promise<void>;
  remove(hash: string): Promise<void>;
  /** Ends every session of an account and forgets the browsers it is known to. */
  removeAll(accountId: number): Promise<void>;
}

/** Someone who is signed in to the panel. */
export interface Session {
  readonly account: Account;
  /** Goes into every form; whoever cannot read our pages cannot know it. */
  readonly csrfToken: string;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions of the account panel. Only the SHA-256 of a token is kept. */
export function createSessions({ store, clock }: { store: SessionStore; clock: Clock }) {
  return {
    /** The session of a token, or null when there is none or its time is over. */
    find: async (token: string | null): Promise<Session | null> => {
      if (token === null || !isToken(token)) return null;
      const hash = hashToken(token);
      const session = await store.find(hash);
      if (session === null) return null;
      const nowMs = clock.nowMs();
      const idleMs = nowMs - session.lastSeenAtMs;
      if (idleMs > idleLimitMs || nowMs - session.createdAtMs > absoluteLimitMs) {
        await ifWritable(store.remove(hash));
        return null;
      }
      if (idleMs >= noteUseEveryMs) await ifWritable(store.touch(hash, nowMs));
      return { account: session.account, csrfToken: hashToken(`csrf:${token}`) };
    },
    /** Ends the session of a token. The cookie may be stolen: it opens nothing any more. */
    end: async (token: string): Promise<void> => store.remove(hashToken(token)),
    /** Signs an account out everywhere. */
    endAll: (accountId: number): Promise<void> => store.removeAll(accountId),
  };
}

/** A note that can be made another time: while the disk is full the panel can still be read. */
async function ifWritable(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** 256 bits from a cryptographic source, in hexadecimal. */
export function newToken(randomBytes: RandomBytes): string {
  return randomBytes(tokenBytes).toHex();
}

/** Whether a text is spelled like a token; anything else is not worth a look-up. */
export function isToken(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** What is kept of a token: its SHA-256, which is enough for 256 random bits. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}
