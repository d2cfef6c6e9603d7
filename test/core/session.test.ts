import { describe, expect, test } from 'bun:test';
import {
  confirmationLifetimeMs,
  createSessions,
  hashToken,
  newToken,
  providedSessionMaxAgeMs,
  sessionIdleLimitMs,
  sessionMaxAgeMs,
} from '../../src/core/accounts/session.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { sampleAccount as person } from './sample-account.ts';

/** Creates sessions over a store of one session, created at 0. */
function setUp(writeError: Error | null = null, isProvided = false) {
  let nowMs = 0;
  let lastSeenAtMs = 0;
  let confirmedAtMs = 0;
  const token = newToken((length) => crypto.getRandomValues(new Uint8Array(length)));
  const sessions = createSessions({
    hasPasswords: true,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    store: {
      find: async (hash) =>
        hash === hashToken(token)
          ? {
              ...{ person, entered: null, createdAtMs: 0, lastSeenAtMs, confirmedAtMs },
              ...{ isProvided, hasPassword: true },
            }
          : null,
      enter: async () => false,
      recordUse: async (_, atMs) => {
        if (writeError !== null) throw writeError;
        lastSeenAtMs = atMs;
      },
      recordConfirmation: async (_, atMs) => {
        confirmedAtMs = atMs;
      },
      remove: async () => {},
      list: async () => [],
      removeOf: async () => {},
      removeAll: async () => {},
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { sessions, token, pass };
}

describe('a session', () => {
  test('has a CSRF token that is not the token of the session', async () => {
    const { sessions, token } = setUp();
    const session = await sessions.find(token);
    expect(session).toEqual({
      ...{ person, entered: person, role: 'owner', hasLostAccount: false, isConfirmed: true },
      ...{ confirmedAtMs: expect.any(Number), isProvided: false, hasPassword: true },
      csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await sessions.find(session?.csrfToken ?? '')).toBeNull();
  });

  test('is confirmed by signing in, for ten minutes, and again', async () => {
    const { sessions, token, pass } = setUp();
    const isConfirmed = async () => (await sessions.find(token))?.isConfirmed;
    pass(confirmationLifetimeMs);
    expect(await isConfirmed()).toBe(true);
    pass(1);
    expect(await isConfirmed()).toBe(false);
    await sessions.confirm(token);
    expect(await isConfirmed()).toBe(true);
  });

  test('is not confirmed by a clock that was far ahead', async () => {
    const { sessions, token, pass } = setUp();
    await sessions.confirm(token);
    // That of another copy may be a little ahead.
    pass(-confirmationLifetimeMs);
    expect((await sessions.find(token))?.isConfirmed).toBe(true);
    pass(-1);
    expect((await sessions.find(token))?.isConfirmed).toBe(false);
  });

  test('expires after the idle timeout', async () => {
    const { sessions, token, pass } = setUp();
    pass(sessionIdleLimitMs);
    expect(await sessions.find(token)).not.toBeNull();
    pass(sessionIdleLimitMs + 1);
    expect(await sessions.find(token)).toBeNull();
  });

  test('expires at its maximum age when it is in use', async () => {
    const { sessions, token, pass } = setUp();
    for (let ageMs = 0; ageMs < sessionMaxAgeMs; ageMs += sessionIdleLimitMs) {
      expect(await sessions.find(token)).not.toBeNull();
      pass(sessionIdleLimitMs);
    }
    expect(await sessions.find(token)).not.toBeNull();
    pass(1);
    expect(await sessions.find(token)).toBeNull();
  });

  test('of a provider expires after a day in use', async () => {
    const { sessions, token, pass } = setUp(null, true);
    pass(sessionIdleLimitMs);
    expect(await sessions.find(token)).not.toBeNull();
    pass(providedSessionMaxAgeMs - sessionIdleLimitMs);
    expect(await sessions.find(token)).not.toBeNull();
    pass(1);
    expect(await sessions.find(token)).toBeNull();
  });

  test('can be used while the database cannot be written', async () => {
    const { sessions, token, pass } = setUp(new StoreUnavailable('disk full'));
    pass(sessionIdleLimitMs);
    expect(await sessions.find(token)).not.toBeNull();
    const broken = setUp(new Error('a defect'));
    broken.pass(sessionIdleLimitMs);
    await expect(broken.sessions.find(broken.token)).rejects.toThrow('a defect');
  });
});
