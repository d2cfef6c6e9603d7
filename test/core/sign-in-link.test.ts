import { describe, expect, test } from 'bun:test';
import { createSignInLinks } from '../../src/core/accounts/sign-in-link.ts';

const account = {
  id: 7,
  email: 'anna@example.org',
  isOperator: false,
  planUntilMs: null,
  createdAtMs: 0,
};
const good = 'a few unrelated words';
const nobodysToken = 'f'.repeat(64);

/** Links over a store that keeps one, with a clock that is set by hand and a note of what is used up. */
function world() {
  let nowMs = Date.UTC(2026, 0, 1);
  let kept: { hash: string; accountId: number | null; expiresAtMs: number } | null = null;
  const used: string[] = [];
  const links = createSignInLinks({
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    store: {
      add: async (hash, accountId, expiresAtMs) => {
        kept = { hash, accountId, expiresAtMs };
      },
      find: async (hash, atMs) => {
        if (kept?.hash !== hash || atMs >= kept.expiresAtMs) return null;
        return { account: kept.accountId === null ? null : account };
      },
      redeem: async () => {
        used.push('of an account');
        return account;
      },
      redeemFirst: async (_, { email }) => {
        used.push(email);
        return { ...account, email };
      },
      isEmpty: async () => true,
    },
  });
  return {
    links,
    used,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a link waits seven days to be used', async () => {
  const { links, pass } = world();
  const token = await links.issue(account.id);
  const daysMs = 7 * 86_400_000;
  pass(daysMs - 1);
  expect(await links.find(token)).toEqual({ account });
  pass(1);
  expect(await links.find(token)).toBeNull();
});

describe('a link of an account', () => {
  test('signs in with a password that will do', async () => {
    const { links, used } = world();
    const token = await links.issue(account.id);
    expect(await links.redeem(token, good)).toMatchObject({ outcome: 'signed in' });
    expect(used).toEqual(['of an account']);
  });

  test.each([9, 257])('is not used up by a password of %d characters', async (length) => {
    const password = 'x'.repeat(length);
    const { links, used } = world();
    const token = await links.issue(account.id);
    expect(await links.redeem(token, password)).toMatchObject({
      outcome: 'problem',
      field: 'password',
    });
    expect(used).toEqual([]);
  });
});

describe('the link for the first account', () => {
  test('makes it, under the e-mail as every e-mail is kept', async () => {
    const { links, used } = world();
    const token = (await links.issueFirst()) ?? '';
    expect(await links.redeemFirst(token, ' Anna@Example.org ', good)).toMatchObject({
      outcome: 'signed in',
    });
    expect(used).toEqual([account.email]);
  });

  test.each([
    ['no e-mail', 10, 'email'],
    [account.email, 9, 'password'],
    [account.email, 257, 'password'],
  ])('is not used up by %s with a password of %d characters', async (email, length, field) => {
    const password = 'x'.repeat(length);
    const { links, used } = world();
    const token = (await links.issueFirst()) ?? '';
    expect(await links.redeemFirst(token, email, password)).toMatchObject({
      outcome: 'problem',
      field,
    });
    expect(used).toEqual([]);
  });
});

test('whoever has no link makes nobody hash a password, which is dear', async () => {
  const { links, used } = world();
  await links.issue(account.id);
  expect(await links.redeem(nobodysToken, good)).toEqual({ outcome: 'gone' });
  expect(await links.redeemFirst(nobodysToken, account.email, good)).toEqual({ outcome: 'gone' });
  // The store comes behind the hashing, and would have answered otherwise.
  expect(used).toEqual([]);
});
