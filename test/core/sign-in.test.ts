import { beforeAll, describe, expect, test } from 'bun:test';
import { createPasswordQueue, hashPassword } from '../../src/core/accounts/password/password.ts';
import type { OpenStep, StoredSignIn } from '../../src/core/accounts/ports.ts';
import { type Client, createSignIn } from '../../src/core/accounts/sign-in/sign-in.ts';
import { createSignInSteps } from '../../src/core/accounts/sign-in/steps.ts';
import type { PasswordReason } from '../../src/core/reasons.ts';
import { yieldToEventLoop } from '../../src/lib/event-loop.ts';
import { createMemoryThrottles } from '../../src/limits/memory/throttle.ts';
import { sampleAccount as account } from './sample-account.ts';

const password = 'a few unrelated words';
let passwordHash = '';
beforeAll(async () => {
  // Cheaper than the hashes of the program, so that a test can make many attempts.
  passwordHash = await Bun.password.hash(password, {
    algorithm: 'argon2id',
    memoryCost: 8,
    timeCost: 1,
  });
});

const client = { origin: '203.0.113.5', trustedBrowser: null, device: 'Firefox on Linux' };

/**
 * Creates sign-in over a store of one account, which also answers to anna+1@example.org and so on, and keeps its cheap
 * hash unless it stores upgrades.
 */
function setUp({ hasSecondFactor = false, storesUpgrades = false } = {}) {
  let currentHash = passwordHash;
  let nowMs = Date.UTC(2026, 0, 1);
  const sessions = new Set<string>();
  const trustedBrowsers = new Set<string>();
  const add = ({ sessionHash, trustedBrowserHash }: StoredSignIn) => {
    sessions.add(sessionHash);
    trustedBrowsers.add(trustedBrowserHash);
  };
  const setPassword = (hash: string) => {
    currentHash = hash;
    steps.clear();
    sessions.clear();
    trustedBrowsers.clear();
  };
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const steps = new Map<string, OpenStep>();
  const knownOf = () => ({ account, passwordHash: currentHash, hasSecondFactor });
  const signIn = createSignIn({
    steps: createSignInSteps({
      store: {
        add: async ({ hash, step, atMs }, verifiedHash) => {
          if (verifiedHash !== currentHash) return 'outdated';
          steps.set(hash, { hash, step, known: knownOf(), beganAtMs: atMs });
          return 'added';
        },
        find: async (hash) => steps.get(hash) ?? null,
      },
      clock,
      randomBytes,
    }),
    passwords: createPasswordQueue(),
    hasPasswords: true,
    clock,
    createThrottle: createMemoryThrottles(clock),
    randomBytes,
    secondFactors: {
      use: async (_, code) =>
        code === '123456'
          ? { outcome: 'accepted', recoveryCodesLeft: null }
          : { outcome: code === 'sealed' ? 'unreadable' : 'wrong' },
    },
    store: {
      find: async (email) => (/^anna(\+\d+)?@example\.org$/.test(email) ? knownOf() : null),
      signIn: async (_id, verifiedHash, tokens, upgradedHash, stepHash) => {
        if (verifiedHash !== currentHash) return 'outdated';
        if (stepHash !== undefined && !steps.delete(stepHash)) return 'outdated';
        if (storesUpgrades) currentHash = upgradedHash ?? currentHash;
        add(tokens);
        return 'stored';
      },
      changePassword: async (_id, verifiedHash, nextHash, tokens) => {
        if (verifiedHash !== currentHash) return 'outdated';
        setPassword(nextHash);
        add(tokens);
        return 'changed';
      },
      browserSinceMs: async (hash) => (trustedBrowsers.has(hash) ? nowMs : null),
    },
  });
  const attempt = (changes: Partial<Parameters<typeof signIn.withPassword>[0]> = {}) =>
    signIn.withPassword({
      email: account.email,
      password,
      ...client,
      ...changes,
    });
  type Changes = Parameters<typeof attempt>[0];
  return {
    attempt,
    sessions,
    trustedBrowsers,
    setPassword,
    hash: () => currentHash,
    guess: (changes: Changes = {}) => attempt({ password: 'wrong guess', ...changes }),
    trust: async (): Promise<string> => {
      const result = await attempt();
      if (result.outcome !== 'signed in') throw new Error(`sign-in: ${result.outcome}`);
      return result.trustedBrowser;
    },
    change: (current: string, next: string) =>
      signIn.changePassword(account, current, next, { device: client.device }),
    prove: async (changes: Changes = {}): Promise<string> => {
      const result = await attempt(changes);
      if (result.outcome !== 'code needed') throw new Error(`sign-in: ${result.outcome}`);
      return result.proof;
    },
    enter: (proof: string, code = '123456', changes: Partial<Client> = {}) =>
      signIn.withCode({ ...client, proof, code, ...changes }),
    confirmCode: (code: string) => signIn.confirmCode(account, code),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const signedIn = { outcome: 'signed in' } as const;
const wrong = { outcome: 'wrong', account: account.email } as const;
const wait = (seconds: number) => ({ outcome: 'wait', seconds, account: account.email }) as const;

describe('guesses of a password', () => {
  test('are limited per account for all origins, then to one a minute', async () => {
    const { attempt, guess, pass } = setUp();
    for (let at = 0; at < 10; at++)
      expect(await guess({ origin: `198.51.100.${at}` })).toEqual(wrong);
    expect(await attempt({ origin: '198.51.100.99' })).toEqual(wait(60));
    pass(60_000);
    expect(await guess()).toEqual(wrong);
    expect(await attempt()).toEqual(wait(60));
    pass(60_000);
    expect(await attempt()).toMatchObject(signedIn);
  });

  test('are limited per origin for all accounts', async () => {
    const { attempt, guess, pass } = setUp();
    const emailOf = (at: number) => ({ email: `anna+${at}@example.org` });
    for (let at = 0; at < 30; at++) expect(await guess(emailOf(at))).toEqual(wrong);
    // A rejected attempt counts against no account.
    for (let more = 0; more < 11; more++) expect(await guess(emailOf(30))).toEqual(wait(20));
    const elsewhere = await attempt({ ...emailOf(30), origin: '203.0.113.6' });
    expect(elsewhere).toMatchObject(signedIn);
    pass(20_000);
    expect(await guess(emailOf(30))).toEqual(wrong);
    expect(await guess(emailOf(31))).toEqual(wait(20));
  });

  test('do not count against the origin while the account has to wait', async () => {
    const { guess } = setUp();
    for (let at = 0; at < 40; at++) expect(await guess()).toEqual(at < 10 ? wrong : wait(60));
    for (let at = 1; at <= 20; at++)
      expect(await guess({ email: `anna+${at}@example.org` })).toEqual(wrong);
    expect(await guess({ email: 'anna+21@example.org' })).toEqual(wait(20));
  });

  test('do not lock out a trusted browser, which has a limit of its own', async () => {
    const { attempt, guess, trust } = setUp();
    const trustedBrowser = await trust();
    for (let at = 0; at < 10; at++) await guess();
    expect(await attempt()).toEqual(wait(60));
    expect(await attempt({ trustedBrowser })).toMatchObject(signedIn);
    for (let at = 0; at < 10; at++) expect(await guess({ trustedBrowser })).toEqual(wrong);
    expect(await attempt({ trustedBrowser })).toEqual(wait(60));
  });

  test('are limited per account with made-up tokens of trusted browsers', async () => {
    const { attempt, guess } = setUp();
    const madeUp = (at: number) => ({ trustedBrowser: String(at).padStart(64, '0') });
    for (let at = 0; at < 10; at++) expect(await guess(madeUp(at))).toEqual(wrong);
    expect(await attempt(madeUp(10))).toEqual(wait(60));
  });

  test('wait for each other, 16 at most, and a rejected one does not count', async () => {
    const { guess } = setUp();
    const results = await Promise.all(Array.from({ length: 20 }, () => guess()));
    expect(results).toEqual([...Array(17).fill(wrong), wait(2), wait(2), wait(2)]);
    // Seven more than ten.
    expect(await guess()).toEqual(wait(8 * 60));
  });

  /** Starts attempts at once. `end` ends those that wait, whose client has gone: they are not verified. */
  const flood = (
    count: number,
    attempt: (at: number, signal: AbortSignal) => Promise<{ outcome: string }>,
  ) => {
    const flooder = new AbortController();
    const outcomes: string[] = [];
    const attempts = Array.from({ length: count }, (_, at) =>
      attempt(at, flooder.signal).then(({ outcome }) => outcomes.push(outcome)),
    );
    const end = async () => {
      flooder.abort();
      await Promise.all(attempts);
    };
    return { answered: (as: string) => outcomes.filter((one) => one === as).length, end };
  };

  test.each([
    ['from one address', () => '198.51.100.1'],
    ['from many prefixes of a network', (at: number) => `2001:db8:1:${at.toString(16)}::/64`],
    ['from many networks', (at: number) => `2001:db8:${at.toString(16)}:0::/64`],
  ])('%s never delay or refuse other sign-ins', async (_, originOf) => {
    const { attempt, guess, trust } = setUp();
    const trustedBrowser = await trust();
    const { answered, end } = flood(60, (at, signal) =>
      guess({ email: `anna+${at}@example.org`, origin: originOf(at), signal }),
    );
    for (const result of await Promise.all([attempt({ trustedBrowser }), attempt()]))
      expect(result).toMatchObject(signedIn);
    // In their turn, each of them waited for few of the others.
    expect(answered('wrong')).toBeLessThan(9);
    await end();
  });

  test('right ones of one account neither', async () => {
    const { attempt, trust } = setUp();
    const trustedBrowser = await trust();
    const { answered, end } = flood(30, (_, signal) => attempt({ origin: '198.51.100.1', signal }));
    expect(await attempt({ trustedBrowser })).toMatchObject(signedIn);
    expect(answered('signed in')).toBeLessThan(5);
    await end();
  });

  test('get the same response for an unknown e-mail', async () => {
    const { attempt } = setUp();
    const unknown = { ...wrong, account: null };
    expect(await attempt({ email: 'ben@example.org' })).toEqual(unknown);
    expect(await attempt({ email: 'no e-mail' })).toEqual(unknown);
  });
});

test('the hash of an earlier version is replaced at the first sign-in, also for a form that was sent twice', async () => {
  const { attempt, guess, hash } = setUp({ storesUpgrades: true });
  expect(await guess()).toEqual(wrong);
  expect(hash()).toBe(passwordHash);
  const twice = await Promise.all([attempt(), attempt()]);
  expect(twice.map(({ outcome }) => outcome)).toEqual(['signed in', 'signed in']);
  expect(hash()).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  const upgraded = hash();
  expect(await attempt()).toMatchObject(signedIn);
  expect(hash()).toBe(upgraded);
});

describe('a hash that no version made', () => {
  // A verification would take memory and time as the hash says.
  test.each([
    ['more memory', (hash: string) => hash.replace('m=8,', 'm=524288,')],
    ['more passes', (hash: string) => hash.replace('t=1,', 't=4000000,')],
    ['more lanes', (hash: string) => hash.replace('p=1$', 'p=64$')],
    ['less memory than there can be', (hash: string) => hash.replace('m=8,', 'm=1,')],
    ['broken base64', (hash: string) => hash.replace(/.$/, '/')],
    ['a long salt', (hash: string) => hash.replace(/\$(?=[^$]*$)/, `${'A'.repeat(1e6)}$`)],
    ['bcrypt', () => `$2b$31$${'a'.repeat(53)}`],
    ['nothing', () => ''],
  ])('%s is never right', async (_, change) => {
    const { attempt, setPassword } = setUp();
    setPassword(change(passwordHash));
    expect(await attempt()).toEqual(wrong);
  });

  test('the profile of earlier versions is right', async () => {
    const { attempt, setPassword } = setUp();
    setPassword(await Bun.password.hash(password, 'argon2id'));
    expect(await attempt()).toMatchObject(signedIn);
  });
});

describe('a change of password', () => {
  const next = 'the next password';
  const wrongCurrent = {
    outcome: 'rejected',
    problem: { kind: 'wrong current password' },
    field: 'present',
  } as const;

  test('requires the current password and a different one that is long enough', async () => {
    const { change } = setUp();
    expect(await change('not the current', next)).toEqual(wrongCurrent);
    expect(await change(password, password)).toEqual({
      outcome: 'rejected',
      problem: { kind: 'same password' },
      field: 'next',
    });
    expect(await change(password, 'too short')).toMatchObject({
      problem: { kind: 'password too short', minLength: 10 },
    });
    expect(await change(password, 'Password1234')).toMatchObject({
      problem: { kind: 'guessable password' },
      field: 'next',
    });
  });

  test('limits guesses of the current password', async () => {
    const { change, pass } = setUp();
    for (let at = 0; at < 10; at++) expect(await change('wrong guess', next)).toEqual(wrongCurrent);
    const problem = { kind: 'too many attempts', seconds: 60 } as const;
    expect(await change(password, next)).toEqual({
      outcome: 'rejected',
      problem,
      field: 'present',
    });
    pass(60_000);
    expect(await change(password, next)).toHaveProperty('session');
  });

  test('does not count as a guess when it succeeds', async () => {
    const { change } = setUp();
    for (let at = 0; at < 9; at++) await change('wrong guess', next);
    expect(await change(password, next)).toHaveProperty('session');
    expect(await change(next, 'and another one')).toHaveProperty('session');
  });

  test('keeps the browser trusted', async () => {
    const { attempt, guess, change } = setUp();
    const changed = await change(password, next);
    if (changed.outcome === 'rejected') throw new Error(changed.problem.kind);
    for (let at = 0; at < 10; at++) await guess();
    const { trustedBrowser } = changed;
    expect(await attempt({ password: next, trustedBrowser })).toMatchObject(signedIn);
  });

  test('rejects a concurrent sign-in with the previous password', async () => {
    const { attempt, setPassword, sessions, trustedBrowsers } = setUp();
    setPassword(await hashPassword(password));
    const changed = await hashPassword('changed while the password was verified');
    const signingIn = attempt();
    // The stored hash has been read, and verifying it takes some 30 ms.
    await yieldToEventLoop();
    setPassword(changed);
    expect(await signingIn).toEqual(wrong);
    expect([sessions.size, trustedBrowsers.size]).toEqual([0, 0]);
  });

  test('succeeds once for concurrent changes with the same current password', async () => {
    const { change } = setUp();
    const both = await Promise.all([change(password, next), change(password, 'another password')]);
    expect(both.filter(({ outcome }) => outcome === 'changed')).toHaveLength(1);
    expect(both).toContainEqual(wrongCurrent);
  });
});

describe('a second factor', () => {
  const setUpFactor = () => setUp({ hasSecondFactor: true });

  test('needs a proof of the password that is neither old, nor used, nor made up', async () => {
    const { enter, prove, pass, setPassword } = setUpFactor();
    const proof = await prove();
    for (const madeUp of ['', account.email, proof.slice(1), `${proof} `, proof.toUpperCase()])
      expect(await enter(madeUp)).toEqual({ outcome: 'expired' });
    pass(10 * 60_000);
    expect(await enter(proof)).toMatchObject(signedIn);
    // Each counts once.
    expect(await enter(proof)).toEqual({ outcome: 'expired' });
    const old = await prove();
    pass(10 * 60_000 + 1);
    expect(await enter(old)).toEqual({ outcome: 'expired' });
    // The clock is set back.
    const ofFuture = await prove();
    pass(-10 * 60_000 - 1);
    expect(await enter(ofFuture)).toEqual({ outcome: 'expired' });
    const newest = await prove();
    setPassword(await hashPassword(password));
    expect(await enter(newest)).toEqual({ outcome: 'expired' });
  });

  test('is of no use for an account that has none', async () => {
    const proof = await setUpFactor().prove();
    expect(await setUp().enter(proof)).toEqual({ outcome: 'expired' });
  });

  test('is limited together with passwords, also for guesses at once', async () => {
    const { attempt, guess, enter, prove, pass } = setUpFactor();
    const proof = await prove();
    for (let at = 0; at < 4; at++) await guess({ origin: `198.51.100.${at}` });
    const guesses = Array.from({ length: 9 }, (_, at) =>
      enter(proof, '000000', { origin: `198.51.100.${at}` }),
    );
    expect(await Promise.all(guesses)).toEqual([
      ...Array(6).fill(wrong),
      ...Array(3).fill(wait(60)),
    ]);
    expect(await enter(proof)).toEqual(wait(60));
    expect(await attempt()).toEqual(wait(60));
    pass(60_000);
    expect(await enter(proof)).toMatchObject(signedIn);
  });

  test('does not lock out a trusted browser', async () => {
    const { enter, prove } = setUpFactor();
    const proof = await prove();
    const entered = await enter(proof);
    if (entered.outcome !== 'signed in') throw new Error(entered.outcome);
    const next = await prove();
    for (let at = 0; at < 10; at++) await enter(next, '000000');
    expect(await enter(next)).toEqual(wait(60));
    const { trustedBrowser } = entered;
    expect(await enter(next, '123456', { trustedBrowser })).toMatchObject(signedIn);
  });

  test('is guessed ever more slowly, the longer it goes on', async () => {
    const { attempt, enter, pass } = setUpFactor();
    const dayMs = 24 * 3_600_000;
    let waitedMs = 0;
    const guessesIn = async (days: number) => {
      let guesses = 0;
      for (const endMs = waitedMs + days * dayMs; waitedMs < endMs; ) {
        // Whoever guesses has the password, and many addresses.
        const origin = `198.51.100.${guesses % 250}`;
        const first = await attempt({ origin });
        const result =
          first.outcome === 'code needed' ? await enter(first.proof, '000000', { origin }) : first;
        if (result.outcome === 'wrong') guesses++;
        else if (result.outcome === 'wait') {
          pass(result.seconds * 1000);
          waitedMs += result.seconds * 1000;
        } else throw new Error(result.outcome);
      }
      return guesses;
    };
    const perDay = [
      await guessesIn(1),
      await guessesIn(1),
      await guessesIn(27),
      await guessesIn(1),
    ];
    expect(perDay[0]).toBeLessThanOrEqual(110);
    expect(perDay[3]).toBeLessThanOrEqual(9);
    expect(perDay.reduce((sum, guesses) => sum + guesses)).toBeLessThanOrEqual(350);
  });

  test('is limited where it confirms a change', async () => {
    const { confirmCode } = setUpFactor();
    const rejected = (problem: PasswordReason) => ({ outcome: 'rejected', problem }) as const;
    for (let at = 0; at < 10; at++)
      expect(await confirmCode('000000')).toEqual(rejected({ kind: 'wrong second factor' }));
    const tooMany = { kind: 'too many attempts', seconds: 60 } as const;
    expect(await confirmCode('123456')).toEqual(rejected(tooMany));
  });
});
