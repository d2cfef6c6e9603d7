import { describe, expect, test } from 'bun:test';
import { createPasswordQueue } from '../../src/core/accounts/password/password.ts';
import { createSignInLinks } from '../../src/core/accounts/sign-in/sign-in-link.ts';
import { addAccount, createFolders, storesOn } from '../stores/folder.ts';
import { acting } from '../stores/rows.ts';
import { words } from '../support/words.ts';

const { newFolder, openIn } = createFolders();
const email = 'anna@example.org';
const password = 'a few unrelated words';
const client = { origin: '203.0.113.5', device: 'Browser' };

/** Creates links over a new database. */
function setUp() {
  let nowMs = Date.UTC(2026, 0, 1);
  const database = openIn(newFolder());
  const { accounts, signInLinks: store } = storesOn(database);
  const links = createSignInLinks({
    store,
    passwords: createPasswordQueue(),
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const emails = async () => (await accounts.search('')).accounts.map((account) => account.email);
  return { links, pass, emails, addAnna: () => addAccount(database, email) };
}

test('a link is valid for seven days', async () => {
  const { links, pass, addAnna } = setUp();
  const token = await links.issue(acting((await addAnna()).accountId));
  pass(7 * 86_400_000 - 1);
  expect(await links.find(token)).toMatchObject({ account: { email } });
  pass(1);
  expect(await links.find(token)).toBeNull();
});

describe('redeeming', () => {
  test("an account's link signs in, whatever e-mail is sent", async () => {
    const { links, emails, addAnna } = setUp();
    const token = await links.issue(acting((await addAnna()).accountId));
    const result = await links.redeem(token, password, 'ben@example.org', client);
    expect(result).toMatchObject({ outcome: 'signed in' });
    expect(await emails()).toEqual([email]);
  });

  test('the link for the first account stores the e-mail in its normal form', async () => {
    const { links, emails } = setUp();
    const token = (await links.issueFirst()) ?? '';
    const result = await links.redeem(token, password, ' Anna@Example.org ', client);
    expect(result).toMatchObject({ outcome: 'signed in' });
    expect(await emails()).toEqual([email]);
  });

  const guessed = words(`
    password1234 Password123! CHANGEME123 qwertyuiop 1q2w3e4r5t aaaaaaaaaaaa abcabcabcabc
    passwordpassword 0123456789 0987654321 abcdefghijk! asdfghjklzxc Waymark2026!
    ${email} ${email.toUpperCase()} ${email}1
  `);
  const { links, emails } = setUp();
  test.each([
    ['no e-mail', 'x'.repeat(10), 'no e-mail address'],
    [email, 'x'.repeat(9), 'password too short'],
    [email, 'x'.repeat(257), 'password too long'],
    ...guessed.map((guess): [string, string, string] => [email, guess, 'guessable password']),
  ])('is not done for %s with the password %s', async (address, typed, problem) => {
    const token = (await links.issueFirst()) ?? '';
    await expect(links.redeem(token, typed, address, client)).rejects.toMatchObject({
      reason: { kind: problem },
    });
    expect(await emails()).toEqual([]);
  });

  test('an unknown link fails before the password is hashed', async () => {
    await links.issueFirst();
    const result = await links.redeem('f'.repeat(64), password, email, client);
    expect(result).toEqual({ outcome: 'gone' });
    expect(await emails()).toEqual([]);
  });

  test.each(['my password 1234 is long', 'fk3-92x-qq1', 'waymark runs the menu', '7391528460'])(
    'is done with %s',
    async (own) => {
      const { links } = setUp();
      const token = (await links.issueFirst()) ?? '';
      const result = await links.redeem(token, own, email, client);
      expect(result).toMatchObject({ outcome: 'signed in' });
    },
  );
});
