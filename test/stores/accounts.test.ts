import { describe, expect, test } from 'bun:test';
import {
  type StoredSignIn,
  sessionMaxAgeMs,
  trustedBrowserLifetimeMs,
} from '../../src/core/accounts/session.ts';
import type { CredentialStore } from '../../src/core/accounts/sign-in.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import { createAccountStore } from '../../src/sqlite/accounts/accounts.ts';
import {
  addSession,
  createCredentialStore,
  createSessionStore,
  createSignInLinkStore,
} from '../../src/sqlite/accounts/sign-in.ts';
import type { Store } from '../../src/sqlite/database/open.ts';
import { createDesignStore } from '../../src/sqlite/designs/designs.ts';
import { addAccount, createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();
const noon = Date.UTC(2026, 5, 1, 12);

/** Creates the stored tokens of a sign-in: a session and a trusted browser of the same hash. */
const tokens = (hash: string, atMs = noon): StoredSignIn => ({
  sessionHash: hash,
  trustedBrowserHash: hash,
  atMs,
});

/** Adds a session and a trusted browser. */
const addTokens = (database: Store, accountId: number, signIn: StoredSignIn) =>
  database.transaction((transaction) => addSession(transaction, accountId, signIn));

describe('accounts', () => {
  test('finds by id and by a part of the e-mail, the oldest first', async () => {
    const database = openIn(newFolder());
    const directory = createAccountStore(database);
    const emails = ['anna@example.com', 'ben@example.org', 'cleo_@example.com'];
    for (const email of emails) await addAccount(database, email);
    const found = async (text: string, limit = 10) => {
      const { accounts, total } = await directory.search(text, limit);
      return { emails: accounts.map(({ email }) => email), total };
    };
    expect(await found('')).toEqual({ emails, total: 3 });
    expect(await found('', 2)).toEqual({ emails: emails.slice(0, 2), total: 3 });
    expect(await found('.com')).toEqual({
      emails: emails.filter((email) => email.endsWith('.com')),
      total: 2,
    });
    expect(await found('_@')).toEqual({ emails: ['cleo_@example.com'], total: 1 });
    expect(await found('%')).toEqual({ emails: [], total: 0 });
    const [anna] = (await directory.search('anna', 1)).accounts;
    expect(await directory.find(anna?.id ?? 0)).toEqual(anna ?? null);
    expect(await directory.find(99)).toBeNull();
  });
});

describe('sessions', () => {
  test('are removed for one account only', async () => {
    const database = openIn(newFolder());
    const anna = await addAccount(database, 'anna@example.com');
    const ben = await addAccount(database, 'ben@example.com');
    const sessions = createSessionStore(database);
    const credentials = createCredentialStore(database);
    addTokens(database, anna.accountId, tokens('a'));
    addTokens(database, ben.accountId, tokens('b'));
    expect(await credentials.isTrustedBrowser('a', anna.accountId)).toBe(true);
    expect(await credentials.isTrustedBrowser('a', ben.accountId)).toBe(false);
    await sessions.removeAll(anna.accountId);
    expect(await sessions.find('a')).toBeNull();
    expect((await sessions.find('b'))?.account.email).toBe('ben@example.com');
    expect(await credentials.isTrustedBrowser('a', anna.accountId)).toBe(false);
    expect(await credentials.isTrustedBrowser('b', ben.accountId)).toBe(true);
  });
});

describe('a verified password', () => {
  const setUp = async () => {
    const database = openIn(newFolder());
    const { accountId } = await addAccount(database, 'anna@example.com');
    const accounts = createAccountStore(database);
    await accounts.changePassword(accountId, 'first');
    return {
      database,
      accountId,
      accounts,
      credentials: createCredentialStore(database),
      sessions: createSessionStore(database),
    };
  };
  const passwordOf = async (credentials: CredentialStore) =>
    (await credentials.find('anna@example.com'))?.passwordHash;

  test('adds a session while it is the current one', async () => {
    const { accountId, accounts, credentials, sessions } = await setUp();
    expect(await credentials.signIn(accountId, 'first', tokens('in'), null)).toBe('stored');
    expect((await sessions.find('in'))?.account.id).toBe(accountId);
    expect(await credentials.isTrustedBrowser('in', accountId)).toBe(true);
    await accounts.changePassword(accountId, 'second');
    expect(await credentials.signIn(accountId, 'first', tokens('late'), null)).toBe('outdated');
    for (const hash of ['in', 'late']) {
      expect(await sessions.find(hash)).toBeNull();
      expect(await credentials.isTrustedBrowser(hash, accountId)).toBe(false);
    }
  });

  test('gets a new hash of the same password at a sign-in, and all sessions stay', async () => {
    const { accountId, credentials, sessions } = await setUp();
    await credentials.signIn(accountId, 'first', tokens('before'), null);
    expect(await credentials.signIn(accountId, 'first', tokens('now'), 'again')).toBe('stored');
    expect(await passwordOf(credentials)).toBe('again');
    for (const hash of ['before', 'now'])
      expect((await sessions.find(hash))?.account.id).toBe(accountId);
    expect(await credentials.signIn(accountId, 'first', tokens('late'), 'x')).toBe('outdated');
    expect(await passwordOf(credentials)).toBe('again');
  });

  test('belongs to its account', async () => {
    const { database, credentials, sessions } = await setUp();
    const ben = await addAccount(database, 'ben@example.com');
    expect(await credentials.signIn(ben.accountId, 'first', tokens('in'), null)).toBe('outdated');
    expect(await sessions.find('in')).toBeNull();
  });

  test('is changed once, which ends all other sessions', async () => {
    const { accountId, credentials, sessions } = await setUp();
    await credentials.signIn(accountId, 'first', tokens('elsewhere'), null);
    const change = (next: string) =>
      credentials.changePassword(accountId, 'first', next, tokens(`by ${next}`));
    expect(await change('second')).toBe('changed');
    expect(await change('third')).toBe('outdated');
    expect(await passwordOf(credentials)).toBe('second');
    const found = await Promise.all(
      ['elsewhere', 'by second', 'by third'].map((hash) => sessions.find(hash)),
    );
    expect(found.map((session) => session !== null)).toEqual([false, true, false]);
    expect(await credentials.isTrustedBrowser('by second', accountId)).toBe(true);
  });
});

test.each(['sessions', 'trusted browsers'])(
  'expired %s are removed at the next sign-in',
  async (kind) => {
    const database = openIn(newFolder());
    const { accountId } = await addAccount(database, 'anna@example.com');
    const sessions = createSessionStore(database);
    const credentials = createCredentialStore(database);
    const lifetimeMs = kind === 'sessions' ? sessionMaxAgeMs : trustedBrowserLifetimeMs;
    addTokens(database, accountId, tokens('expired', noon - lifetimeMs - 1));
    addTokens(database, accountId, tokens('valid', noon - lifetimeMs));
    addTokens(database, accountId, tokens('new'));
    const isStored = async (hash: string) =>
      kind === 'sessions'
        ? (await sessions.find(hash)) !== null
        : credentials.isTrustedBrowser(hash, accountId);
    const stored = await Promise.all(['expired', 'valid', 'new'].map(isStored));
    expect(stored).toEqual([false, true, true]);
  },
);

describe('one-time links', () => {
  test('create the first account once', async () => {
    const database = openIn(newFolder());
    const links = createSignInLinkStore(database);
    await links.add('earlier', null, noon + 10);
    await links.add('first', null, noon + 10);
    expect(await links.find('earlier', noon)).toBeNull();
    expect(await links.find('first', noon)).toEqual({ account: null });
    expect(
      await links.redeem('first', 'anna@example.com', 'hash', tokens('late', noon + 10)),
    ).toBeNull();
    const created = await links.redeem('first', 'anna@example.com', 'hash', tokens('in'));
    expect(created).toMatchObject({
      email: 'anna@example.com',
      isOperator: true,
      planUntilMs: null,
    });
    expect((await createSessionStore(database).find('in'))?.account.email).toBe('anna@example.com');
    // Codes need a design.
    expect((await createDesignStore(database).findDefault(created?.id ?? 0)).design).toEqual(
      plainDesign,
    );
    expect(await links.isFirstAccountMissing()).toBe(false);
    await links.add('second', null, noon + 10);
    expect(await links.find('second', noon)).toBeNull();
    expect(await links.redeem('second', 'anna@example.com', 'hash', tokens('again'))).toBeNull();
  });

  test('set a password once, before they expire, and only the newest', async () => {
    const database = openIn(newFolder());
    const { accountId } = await addAccount(database, 'anna@example.com');
    const links = createSignInLinkStore(database);
    const sessions = createSessionStore(database);
    addTokens(database, accountId, tokens('stolen'));
    await links.add('earlier', accountId, noon + 10);
    await links.add('newest', accountId, noon + 10);
    expect(await links.redeem('earlier', 'x@example.com', 'hash', tokens('by earlier'))).toBeNull();
    expect(
      await links.redeem('newest', 'x@example.com', 'hash', tokens('late', noon + 10)),
    ).toBeNull();
    expect(await links.redeem('newest', 'x@example.com', 'hash', tokens('in'))).toMatchObject({
      id: accountId,
    });
    expect(await links.redeem('newest', 'x@example.com', 'hash', tokens('again'))).toBeNull();
    expect((await createCredentialStore(database).find('anna@example.com'))?.passwordHash).toBe(
      'hash',
    );
    const hashes = ['by earlier', 'late', 'in', 'again', 'stolen'];
    const found = await Promise.all(hashes.map((hash) => sessions.find(hash)));
    expect(hashes.filter((_, index) => found[index] !== null)).toEqual(['in']);
  });

  test.each(['by an operator', 'by the account holder'])(
    'end when the password is changed %s, and those of other accounts stay',
    async (by) => {
      const database = openIn(newFolder());
      const { accountId } = await addAccount(database, 'anna@example.com');
      const ben = await addAccount(database, 'ben@example.com');
      const links = createSignInLinkStore(database);
      const accounts = createAccountStore(database);
      await accounts.changePassword(accountId, 'first');
      await links.add('before', accountId, noon + 10);
      await links.add('of ben', ben.accountId, noon + 10);
      if (by === 'by an operator') await accounts.changePassword(accountId, 'second');
      if (by === 'by the account holder')
        await createCredentialStore(database).changePassword(
          accountId,
          'first',
          'second',
          tokens('in'),
        );
      expect(await links.find('before', noon)).toBeNull();
      expect(await links.redeem('before', 'x@example.com', 'third', tokens('before'))).toBeNull();
      expect(await links.find('of ben', noon)).not.toBeNull();
      await links.add('after', accountId, noon + 10);
      expect(await links.redeem('after', 'x@example.com', 'third', tokens('after'))).toMatchObject({
        id: accountId,
      });
    },
  );

  test('stay valid after a rejected password change', async () => {
    const database = openIn(newFolder());
    const { accountId } = await addAccount(database, 'anna@example.com');
    const links = createSignInLinkStore(database);
    await links.add('waiting', accountId, noon + 10);
    const credentials = createCredentialStore(database);
    expect(await credentials.changePassword(accountId, 'wrong', 'next', tokens('in'))).toBe(
      'outdated',
    );
    expect(await links.find('waiting', noon)).not.toBeNull();
  });
});

test('totals are sums of several steps', async () => {
  const database = openIn(newFolder());
  await addAccount(database, 'anna@example.com');
  const { totals } = createAccountStore(database);
  expect(await totals()).toEqual({ accounts: 1, qrs: 0, scans: 0 });
  database.$client.run('INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (30000, 3, 0)');
  expect(await totals()).toMatchObject({ scans: 3 });
  database.$client.run(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) ' +
      'INSERT INTO scan_counters (qr_id, scans, last_scan) SELECT i, 2, 0 FROM n',
  );
  expect(await totals()).toMatchObject({ scans: 50_003 });
});
