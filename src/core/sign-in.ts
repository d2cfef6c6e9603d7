import { type Account, parseEmail } from './account.ts';
import { hashPassword, passwordProblem, verifyPassword } from './password.ts';
import type { AccountStore, Clock, RandomBytes } from './ports.ts';
import { remembering } from './remembering.ts';
import { hashToken, isToken, newToken, type Sessions } from './session.ts';
import { makeThrottle } from './throttle.ts';

/** An account with what its password is held against; null when it cannot sign in yet. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string | null;
}

/** Where passwords are read from, and the browsers that know them are kept. */
export interface CredentialStore {
  find(email: string): Promise<Credentials | null>;
  /** Adds a browser and forgets those of the account that were added before an instant. */
  rememberDevice(
    hash: string,
    accountId: number,
    atMs: number,
    forgetBeforeMs: number,
  ): Promise<void>;
  knowsDevice(hash: string, accountId: number): Promise<boolean>;
}

/** What a browser is given that comes in: the token of its session, and one to know it again by. */
export interface Entry {
  readonly token: string;
  readonly device: string;
}

/** What a try to sign in came to. */
export type SignedIn =
  | ({ readonly outcome: 'signed in' } & Entry)
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'wait'; readonly seconds: number };

/** A try to sign in. */
export interface SignInTry {
  readonly email: string;
  readonly password: string;
  /** Names where the try comes from; a whole network where addresses are cheap. */
  readonly origin: string;
  /** Token of a browser that has signed in before, or null. */
  readonly device: string | null;
}

/** How long a browser is known after it has signed in. */
export const deviceLifeMs = 365 * 86_400_000;

// Ten tries at once and one a minute are 1,450 guesses a day against one account. Many people may
// share an address, so it gets more.
const perAccount = { tries: 10, intervalMs: 60_000 };
const perOrigin = { tries: 30, intervalMs: 20_000 };
// argon2id takes 64 MB and a tenth of a second each.
const verifiedAtOnce = 4;
const busySeconds = 2;

export type SignIn = ReturnType<typeof makeSignIn>;

/**
 * Signing in with a password. Guessing is slowed down per account and per origin; a browser that has
 * signed in to the account before has tries of its own, so that nobody locks the owner out by
 * guessing (OWASP, "Slow down online guessing attacks with device cookies").
 */
export function makeSignIn(world: {
  store: CredentialStore;
  accounts: Pick<AccountStore, 'changePassword'>;
  sessions: Sessions;
  clock: Clock;
  randomBytes: RandomBytes;
}) {
  const { store, accounts, sessions, clock, randomBytes } = world;
  const byAccount = makeThrottle(perAccount, clock);
  const byOrigin = makeThrottle(perOrigin, clock);
  let running = 0;
  // What an unknown e-mail's password is held against, so that its answer takes as long.
  const nobody = remembering(async () => hashPassword(newToken(randomBytes)));

  const matches = async (password: string, known: Credentials | null): Promise<boolean> => {
    running++;
    try {
      const decoy = nobody();
      // Begun for a known e-mail too, which has no use for it, so that both take as long.
      decoy.catch(() => {});
      const hash = known?.passwordHash ?? (await decoy);
      const right = await verifyPassword(password, hash);
      return right && known !== null && known.passwordHash !== null;
    } finally {
      running--;
    }
  };

  /** The throttles that a try is taken from. */
  const throttlesOf = async (email: string, { device, origin }: SignInTry, id?: number) => {
    const hash = device !== null && isToken(device) ? hashToken(device) : null;
    if (hash !== null && id !== undefined && (await store.knowsDevice(hash, id)))
      return [{ throttle: byAccount, name: `device ${hash}` }];
    return [
      { throttle: byOrigin, name: origin },
      { throttle: byAccount, name: `account ${email}` },
    ];
  };

  const enter = async (accountId: number): Promise<Entry> => {
    const device = newToken(randomBytes);
    const nowMs = clock.nowMs();
    await store.rememberDevice(hashToken(device), accountId, nowMs, nowMs - deviceLifeMs);
    return { token: await sessions.open(accountId), device };
  };

  return {
    /** Opens a session for someone who has proven who they are by other means, and knows the browser. */
    enter,

    /** Signs in with e-mail and password. Tells nobody which of the two was wrong. */
    withPassword: async (attempt: SignInTry): Promise<SignedIn> => {
      const email = parseEmail(attempt.email);
      const known = email === null ? null : await store.find(email);
      const taken: Awaited<ReturnType<typeof throttlesOf>> = [];
      const giveBack = () => {
        for (const { throttle, name } of taken) throttle.giveBack(name);
      };
      for (const one of await throttlesOf(email ?? '', attempt, known?.account.id)) {
        const seconds = one.throttle.take(one.name);
        if (seconds > 0) {
          giveBack();
          return { outcome: 'wait', seconds };
        }
        taken.push(one);
      }
      if (running >= verifiedAtOnce) {
        giveBack();
        return { outcome: 'wait', seconds: busySeconds };
      }
      if (!(await matches(attempt.password, known)) || known === null) return { outcome: 'wrong' };
      giveBack();
      return { outcome: 'signed in', ...(await enter(known.account.id)) };
    },

    /**
     * Changes a password that is known, signs the account out everywhere and in again here.
     *
     * @returns what the browser is given anew, or what is wrong
     */
    changePassword: async (
      { id, email }: Account,
      present: string,
      next: string,
    ): Promise<Entry | { problem: string; field: 'present' | 'next' }> => {
      const problem = passwordProblem(next);
      if (problem !== null) return { problem, field: 'next' };
      if (next === present)
        return { problem: 'The new password is the same as the current one.', field: 'next' };
      const name = `change ${id}`;
      const seconds = byAccount.take(name);
      if (seconds > 0)
        return { problem: `Too many attempts. Wait ${seconds} seconds.`, field: 'present' };
      if (!(await matches(present, await store.find(email))))
        return { problem: 'The current password is wrong.', field: 'present' };
      byAccount.giveBack(name);
      await accounts.changePassword(id, await hashPassword(next));
      return enter(id);
    },
  };
}
