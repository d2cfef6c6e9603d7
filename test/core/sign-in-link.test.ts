import { describe, expect, test } from 'bun:test';
import { createPasswordQueue } from '../../src/core/accounts/password.ts';
import { createSignInLinks } from '../../src/core/accounts/sign-in-link.ts';
import { words } from '../support/words.ts';
import { sampleAccount as account } from './sample-account.ts';

const password = 'a few unrelated words';
const client = { origin: '203.0.113.5', device: 'Browser' };

/** Creates links over a store of one link. `redeemed` lists the e-mails of redeemed links. */
function setUp() {
  let nowMs = Date.UTC(2026, 0, 1);
  let stored: { hash: string; accountId: number | null; expiresAtMs: number } | null = null;
  const redeemed: string[] = [];
  const links = createSignInLinks({
    passwords: createPasswordQueue(),
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    store: {
      add: async (hash, accountId, expiresAtMs) => {
        stored = { hash, accountId, expiresAtMs };
      },
      find: async (hash, atMs) => {
        if (stored?.hash !== hash || atMs >= stored.expiresAtMs) return null;
        return { account: stored.accountId === null ? null : account };
      },
      redeem: async (_, email) => {
        redeemed.push(email);
        return { account, hasSecondFactor: false };
      },
      isFirstAccountMissing: async () => true,
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { links, redeemed, pass };
}

test('a link is valid for seven days', async () => {
  const { links, pass } = setUp();
  const token = await links.issue(account.id);
  pass(7 * 86_400_000 - 1);
  expect(await links.find(token)).toEqual({ account });
  pass(1);
  expect(await links.find(token)).toBeNull();
});

describe('redeeming', () => {
  test("an account's link signs in, whatever e-mail is sent", async () => {
    const { links, redeemed } = setUp();
    const token = await links.issue(account.id);
    const result = await links.redeem(token, password, 'ben@example.org', client);
    expect(result).toMatchObject({ outcome: 'signed in' });
    expect(redeemed).toEqual([account.email]);
  });

  test('the link for the first account stores the e-mail in its normal form', async () => {
    const { links, redeemed } = setUp();
    const token = (await links.issueFirst()) ?? '';
    const result = await links.redeem(token, password, ' Anna@Example.org ', client);
    expect(result).toMatchObject({ outcome: 'signed in' });
    expect(redeemed).toEqual([account.email]);
  });

  const guessed = words(`
    password1234 Password123! CHANGEME123 qwertyuiop 1q2w3e4r5t aaaaaaaaaaaa abcabcabcabc
    passwordpassword 0123456789 0987654321 abcdefghijk! asdfghjklzxc Waymark2026!
    ${account.email} ${account.email.toUpperCase()} ${account.email}1
  `);
  test.each([
    ['no e-mail', 'x'.repeat(10), 'not an e-mail address'],
    [account.email, 'x'.repeat(9), 'at least 10'],
    [account.email, 'x'.repeat(257), 'at most 256'],
    ...guessed.map((guess): [string, string, string] => [account.email, guess, 'Choose another']),
  ])('is not done for %s with the password %s', async (email, typed, problem) => {
    const { links, redeemed } = setUp();
    const token = (await links.issueFirst()) ?? '';
    const result = await links.redeem(token, typed, email, client);
    expect(result).toEqual({ outcome: 'problem', message: expect.stringContaining(problem) });
    expect(redeemed).toEqual([]);
  });

  test.each(['my password 1234 is long', 'fk3-92x-qq1', 'waymark runs the menu', '7391528460'])(
    'is done with %s',
    async (own) => {
      const { links } = setUp();
      const token = (await links.issueFirst()) ?? '';
      const result = await links.redeem(token, own, account.email, client);
      expect(result).toMatchObject({ outcome: 'signed in' });
    },
  );

  test('an unknown link fails before the password is hashed', async () => {
    const { links, redeemed } = setUp();
    await links.issue(account.id);
    const result = await links.redeem('f'.repeat(64), password, account.email, client);
    expect(result).toEqual({ outcome: 'gone' });
    expect(redeemed).toEqual([]);
  });
});
