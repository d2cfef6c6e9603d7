import { beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../src/core/accounts/account.ts';
import { hashPassword } from '../../src/core/accounts/password.ts';
import {
  createSessions,
  createSignInTokens,
  hashToken,
  type StoredSignIn,
  sessionIdleLimitMs,
  sessionMaxAgeMs,
} from '../../src/core/accounts/session.ts';
import { createSignIn } from '../../src/core/accounts/sign-in.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { yieldToEventLoop } from '../../src/lib/event-loop.ts';

const password = 'a few unrelated words';
let passwordHash = '';
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

/** Of the same password, so that a test can make many tries; those that verify it take a moment each. */
const quickHash = () =>
  Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 });

/** Sign-in over stores that are Maps, with a clock and a password that are changed by hand. */
function world() {
  let present = passwordHash;
  let nowMs = Date.UTC(2026, 0, 1);
  const account: Account = {
    id: 7,
    email: 'anna@example.org',
    isOperator: false,
    planUntilMs: null,
    createdAtMs: 0,
  };
  const stored = new Map<string, { account: Account; createdAtMs: number; lastSeenAtMs: number }>();
  const devices = new Set<string>();
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const keep = ({ sessionHash, trustedBrowserHash, atMs }: StoredSignIn) => {
    stored.set(sessionHash, { account, createdAtMs: atMs, lastSeenAtMs: atMs });
    devices.add(trustedBrowserHash);
  };
  const setPassword = (hash: string) => {
    present = hash;
    stored.clear();
    devices.clear();
  };
  const open = (): string => {
    const { tokens, stored: added } = createSignInTokens(clock, randomBytes);
    keep(added);
    return tokens.session;
  };
  const sessions = createSessions({
    clock,
    store: {
      find: async (hash) => stored.get(hash) ?? null,
      recordUse: async (hash, atMs) => {
        const known = stored.get(hash);
        if (known) stored.set(hash, { ...known, lastSeenAtMs: atMs });
      },
      remove: async (hash) => {
        stored.delete(hash);
      },
      removeAll: async () => stored.clear(),
    },
  });
  const signIn = createSignIn({
    clock,
    randomBytes,
    store: {
      // By as many names as a test likes to try.
      find: async (email) =>
        /^anna(\+\d+)?@example\.org$/.test(email) ? { account, passwordHash: present } : null,
      signIn: async (_id, verifiedHash, tokens) => {
        if (verifiedHash !== present) return 'outdated';
        keep(tokens);
        return 'stored';
      },
      changePassword: async (_id, verifiedHash, nextHash, tokens) => {
        if (verifiedHash !== present) return 'outdated';
        setPassword(nextHash);
        keep(tokens);
        return 'changed';
      },
      isTrustedBrowser: async (hash) => devices.has(hash),
    },
  });
  const attempt = (over: Partial<Parameters<typeof signIn.withPassword>[0]> = {}) =>
    signIn.withPassword({
      email: account.email,
      password,
      origin: '203.0.113.5',
      trustedBrowser: null,
      ...over,
    });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { account, sessions, open, signIn, attempt, stored, devices, pass, setPassword };
}

describe('a session', () => {
  test('is found by its token, of which only the hash is kept', async () => {
    const { sessions, open, stored, account } = world();
    const token = open();
    expect((await sessions.find(token))?.account).toEqual(account);
    expect([...stored.keys()]).toEqual([hashToken(token)]);
  });

  test('has a token for forms that is not the token of the cookie', async () => {
    const { sessions, open } = world();
    const token = open();
    const found = await sessions.find(token);
    expect(found?.csrfToken).toMatch(/^[0-9a-f]{64}$/);
    expect(await sessions.find(found?.csrfToken ?? '')).toBeNull();
  });

  test('ends when it is idle too long, and is forgotten', async () => {
    const { sessions, open, pass, stored } = world();
    const token = open();
    pass(sessionIdleLimitMs);
    expect(await sessions.find(token)).not.toBeNull();
    pass(sessionIdleLimitMs + 1);
    expect(await sessions.find(token)).toBeNull();
    expect(stored.size).toBe(0);
  });

  test('can be used, and ends, while the database cannot be written', async () => {
    const { account } = world();
    let nowMs = 0;
    let fault = new Error();
    const refuse = () => Promise.reject(fault);
    const sessions = createSessions({
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      store: {
        find: async () => ({ account, createdAtMs: 0, lastSeenAtMs: 0 }),
        recordUse: refuse,
        remove: refuse,
        removeAll: refuse,
      },
    });
    const token = '0'.repeat(64);
    for (const [atMs, found] of [
      [sessionIdleLimitMs, expect.objectContaining({ account })],
      [sessionIdleLimitMs + 1, null],
    ] as const) {
      nowMs = atMs;
      fault = new StoreUnavailable('the disk is full');
      expect(await sessions.find(token)).toEqual(found);
      fault = new Error('no fault of the disk');
      await expect(sessions.find(token)).rejects.toThrow('no fault of the disk');
    }
  });

  test('ends at its age, however busy it is', async () => {
    const { sessions, open, pass } = world();
    const token = open();
    const steps = sessionMaxAgeMs / sessionIdleLimitMs;
    for (let step = 0; step < steps; step++) {
      expect(await sessions.find(token)).not.toBeNull();
      pass(sessionIdleLimitMs);
    }
    expect(await sessions.find(token)).not.toBeNull();
    pass(1);
    expect(await sessions.find(token)).toBeNull();
  });

  test.each(['', 'x', 'A'.repeat(64), '0'.repeat(63)])('has no token such as %p', async (text) => {
    expect(await world().sessions.find(text)).toBeNull();
  });
});

describe('guessing a password', () => {
  test('is slowed down for the account, whatever address it comes from', async () => {
    const { attempt } = world();
    for (let guess = 0; guess < 10; guess++)
      expect(
        (await attempt({ password: 'wrong guess', origin: `198.51.100.${guess}` })).outcome,
      ).toBe('wrong');
    expect(await attempt({ origin: '198.51.100.99' })).toEqual({ outcome: 'wait', seconds: 60 });
  }, 120_000);

  test('is slowed down for the address, whatever account it is for', async () => {
    const { attempt, setPassword, pass } = world();
    setPassword(await quickHash());
    const guess = (number: number) =>
      attempt({ email: `anna+${number}@example.org`, password: 'wrong guess' });
    for (let number = 0; number < 30; number++)
      expect(await guess(number)).toEqual({ outcome: 'wrong' });
    const wait = { outcome: 'wait', seconds: 20 } as const;
    // However often: what had to wait is taken from no account.
    for (let more = 0; more < 11; more++) expect(await guess(30)).toEqual(wait);
    const elsewhere = { email: 'anna+30@example.org', origin: '203.0.113.6' };
    expect((await attempt(elsewhere)).outcome).toBe('signed in');
    pass(20_000);
    expect(await guess(30)).toEqual({ outcome: 'wrong' });
    expect(await guess(31)).toEqual(wait);
  });

  test('costs the address no try where it is the account that has to wait', async () => {
    const { attempt, setPassword } = world();
    setPassword(await quickHash());
    const guess = (number: number) =>
      attempt({ email: `anna+${number}@example.org`, password: 'wrong guess' });
    for (let tried = 0; tried < 40; tried++)
      expect((await guess(0)).outcome).toBe(tried < 10 ? 'wrong' : 'wait');
    for (let number = 1; number <= 20; number++)
      expect(await guess(number)).toEqual({ outcome: 'wrong' });
    expect(await guess(21)).toEqual({ outcome: 'wait', seconds: 20 });
  });

  test('does not lock out the owner, whose browser is known', async () => {
    const { attempt } = world();
    const owner = await attempt();
    if (owner.outcome !== 'signed in') throw new Error('the owner cannot sign in');
    for (let guess = 0; guess < 10; guess++) await attempt({ password: 'wrong guess' });
    expect((await attempt()).outcome).toBe('wait');
    expect((await attempt({ trustedBrowser: owner.trustedBrowser })).outcome).toBe('signed in');
  }, 120_000);

  test('from a browser that is known is slowed down, too', async () => {
    const { attempt, setPassword } = world();
    setPassword(await quickHash());
    const owner = await attempt();
    if (owner.outcome !== 'signed in') throw new Error('the owner cannot sign in');
    const { trustedBrowser } = owner;
    for (let guess = 0; guess < 10; guess++)
      expect(await attempt({ password: 'wrong guess', trustedBrowser })).toEqual({
        outcome: 'wrong',
      });
    expect(await attempt({ trustedBrowser })).toEqual({ outcome: 'wait', seconds: 60 });
  });

  test('from a browser that only claims to be known is slowed down like any other', async () => {
    const { attempt, setPassword } = world();
    setPassword(await quickHash());
    const madeUp = (guess: number) => String(guess).padStart(64, '0');
    for (let guess = 0; guess < 10; guess++)
      expect(await attempt({ password: 'wrong guess', trustedBrowser: madeUp(guess) })).toEqual({
        outcome: 'wrong',
      });
    expect(await attempt({ trustedBrowser: madeUp(10) })).toEqual({ outcome: 'wait', seconds: 60 });
  });

  test('goes on at one a minute', async () => {
    const { attempt, pass } = world();
    for (let guess = 0; guess < 10; guess++) await attempt({ password: 'wrong guess' });
    pass(60_000);
    expect((await attempt({ password: 'wrong guess' })).outcome).toBe('wrong');
    expect((await attempt()).outcome).toBe('wait');
    pass(60_000);
    expect((await attempt()).outcome).toBe('signed in');
  }, 120_000);

  test('makes the server verify four at once, and what it had no time for costs no try', async () => {
    const { attempt } = world();
    const guess = () => attempt({ password: 'wrong guess' });
    const six = await Promise.all([guess(), guess(), guess(), guess(), guess(), guess()]);
    const wrong = { outcome: 'wrong' } as const;
    const wait = { outcome: 'wait', seconds: 2 } as const;
    expect(six).toEqual([wrong, wrong, wrong, wrong, wait, wait]);
    for (let left = 6; left > 0; left--) expect((await guess()).outcome).toBe('wrong');
    expect(await guess()).toEqual({ outcome: 'wait', seconds: 60 });
  }, 120_000);

  test('answers alike for an e-mail that nobody has', async () => {
    const { attempt } = world();
    expect(await attempt({ email: 'nobody@example.org' })).toEqual({ outcome: 'wrong' });
    expect(await attempt({ email: 'no e-mail' })).toEqual({ outcome: 'wrong' });
  }, 120_000);
});

describe('a change of password', () => {
  test('asks for the present one', async () => {
    const { signIn, account } = world();
    expect(await signIn.changePassword(account, 'not the present', 'the next password')).toEqual({
      problem: 'The current password is wrong.',
      field: 'present',
    });
  });

  test('asks for another one, of a length that will do', async () => {
    const { signIn, account } = world();
    expect(await signIn.changePassword(account, password, password)).toEqual({
      problem: 'The new password is the same as the current one.',
      field: 'next',
    });
    expect(await signIn.changePassword(account, password, 'too short')).toMatchObject({
      field: 'next',
    });
  });

  test('slows guesses of the present one down', async () => {
    const { signIn, account, setPassword, pass } = world();
    setPassword(await quickHash());
    const change = (present: string) =>
      signIn.changePassword(account, present, 'the next password');
    for (let guess = 0; guess < 10; guess++)
      expect(await change('wrong guess')).toMatchObject({ field: 'present' });
    expect(await change(password)).toEqual({
      problem: 'Too many attempts. Wait 60 seconds.',
      field: 'present',
    });
    pass(60_000);
    expect(await change(password)).toHaveProperty('session');
  });

  test('costs no try, so that one slip more is no wait', async () => {
    const { signIn, account, setPassword } = world();
    setPassword(await quickHash());
    const change = (present: string, next: string) => signIn.changePassword(account, present, next);
    for (let guess = 0; guess < 9; guess++) await change('wrong guess', 'the next password');
    expect(await change(password, 'the next password')).toHaveProperty('session');
    expect(await change('the next password', 'and another one')).toHaveProperty('session');
  });

  test('ends every other session', async () => {
    const { signIn, sessions, open, account } = world();
    const elsewhere = open();
    const changed = await signIn.changePassword(account, password, 'the next password');
    if (!('session' in changed)) throw new Error(changed.problem);
    expect(await sessions.find(elsewhere)).toBeNull();
    expect(await sessions.find(changed.session)).not.toBeNull();
  });

  test('leaves the browser known, so that guesses of others do not hold it up', async () => {
    const { signIn, account, attempt } = world();
    const changed = await signIn.changePassword(account, password, 'the next password');
    if (!('session' in changed)) throw new Error(changed.problem);
    for (let guess = 0; guess < 10; guess++) await attempt({ password: 'wrong guess' });
    const next = { password: 'the next password' };
    expect((await attempt(next)).outcome).toBe('wait');
    expect((await attempt({ ...next, trustedBrowser: changed.trustedBrowser })).outcome).toBe(
      'signed in',
    );
  });

  test('shuts out whoever is just signing in with the one before', async () => {
    const { attempt, setPassword, stored, devices } = world();
    const signingIn = attempt();
    // The hash is read by now, and verifying the password takes some 100 ms.
    await yieldToEventLoop();
    setPassword('changed while the password was verified');
    expect(await signingIn).toEqual({ outcome: 'wrong' });
    expect([stored.size, devices.size]).toEqual([0, 0]);
  });

  test('is not undone by another one that proves the one before, too', async () => {
    const { signIn, account, sessions, attempt } = world();
    const change = async (next: string) => {
      const changed = await signIn.changePassword(account, password, next);
      return { next, changed };
    };
    const both = await Promise.all([change('the next password'), change('another password')]);
    for (const { next, changed } of both) {
      const isMade = 'session' in changed;
      if (isMade) expect(await sessions.find(changed.session)).not.toBeNull();
      if (!isMade)
        expect(changed).toEqual({ problem: 'The current password is wrong.', field: 'present' });
      expect((await attempt({ password: next })).outcome).toBe(isMade ? 'signed in' : 'wrong');
    }
    expect(both.filter(({ changed }) => 'session' in changed)).toHaveLength(1);
  });
});
