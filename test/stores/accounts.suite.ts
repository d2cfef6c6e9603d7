import { describe, expect, test } from 'bun:test';
import type {
  CodesOfDeleted,
  CredentialStore,
  StoredSignIn,
} from '../../src/core/accounts/ports.ts';
import { sessionMaxAgeMs, trustedBrowserLifetimeMs } from '../../src/core/accounts/session.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import type { Stores } from '../../src/core/storage.ts';
import { noLabels } from '../core/sample-qr.ts';
import { newQr } from './qr-store.suite.ts';

const noon = Date.UTC(2026, 5, 1, 12);

/** Creates the stored tokens of a sign-in: a session and a trusted browser of the same hash. */
const tokens = (hash: string, atMs = noon): StoredSignIn => ({
  sessionHash: hash,
  trustedBrowserHash: hash,
  device: 'Firefox on Linux',
  atMs,
});

/** Creates an account with the plain design and a password of the hash `initial`. */
async function addAccount({ accounts }: Stores, email: string): Promise<{ accountId: number }> {
  const created = await accounts.create({
    email,
    isOperator: false,
    planUntilMs: null,
    passwordHash: 'initial',
    atMs: 0,
  });
  if (created === 'taken') throw new Error(`${email} is taken`);
  return { accountId: created.id };
}

/** Adds a session and a trusted browser to an account with its first password. */
const addTokens = ({ credentials }: Stores, accountId: number, signIn: StoredSignIn) =>
  credentials.signIn(accountId, 'initial', signIn, null);

/**
 * Tests of the stores of accounts, sessions, passwords and one-time links, for every adapter.
 *
 * @param open returns the stores of an empty database
 */
export function accountStoresSuite(name: string, open: () => Promise<Stores>): void {
  describe(name, () => {
    describe('accounts', () => {
      test('finds by id and by a part of the e-mail, the oldest first', async () => {
        const stores = await open();
        const directory = stores.accounts;
        const emails = ['anna@example.com', 'ben@example.org', 'cleo_@example.com'];
        for (const email of emails) await addAccount(stores, email);
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

    describe('a deleted account', () => {
      const codeOf = async (stores: Stores, code: string) => {
        const found = await stores.flags.find(code);
        const owner = await stores.accounts.findByEmail(found?.owner ?? '');
        const qr = owner && (await stores.qrs.find(owner.id, code));
        return { owner: owner?.email, status: qr?.status, name: qr?.name, qr };
      };
      const setUp = async () => {
        const stores = await open();
        const { accountId } = await addAccount(stores, 'gone@example.com');
        const other = await addAccount(stores, 'other@example.com');
        const design = { ...plainDesign, foreground: '#112233' };
        const designId = await stores.designs.add(accountId, design, 1);
        const unusedId = await stores.designs.add(accountId, design, 2);
        await stores.savedDesigns.save(accountId, 'Mine', design, 3);
        for (const code of ['00000001', '00000002'])
          await stores.qrs.insert(newQr({ accountId, designId }, { code, name: 'Secret' }), null);
        await stores.qrs.changeStatus(accountId, '00000002', 'active', 'paused');
        await stores.qrs.changeDestination(accountId, '00000001', 'https://example.com/b', 4);
        await stores.keys.replace(accountId, 'key', 'last', 5);
        await addTokens(stores, accountId, tokens('session'));
        const rows = [{ row: 1, ...noLabels, destination: 'https://a.example/', problem: null }];
        const digest = new Uint8Array(32);
        const batch = { accountId, designId, state: 'running', digest, rows } as const;
        const batchId = await stores.batches.add({
          ...batch,
          atMs: 6,
          leaseUntilMs: 0,
          notices: [],
        });
        const change = { kind: 'pause' } as const;
        const bulkEditId = await stores.bulkEdits.begin(accountId, change, 7);
        const { qr } = await codeOf(stores, '00000001');
        const edit = { qrId: qr?.id ?? 0, code: '00000001', before: 'active', after: 'paused' };
        const remove = (codes: CodesOfDeleted) => stores.accounts.remove(accountId, codes, 8);
        return {
          ...{ stores, accountId, other, design, designId, unusedId, batchId, bulkEditId },
          edit: { ...edit, needsRecheck: false },
          remove,
        };
      };

      test('is gone with all that is about it, and its batches and bulk edits end', async () => {
        const { stores, accountId, designId, unusedId, batchId, bulkEditId, edit, remove } =
          await setUp();
        expect(await remove({ kind: 'keep' })).toBe('removed');
        expect(await remove({ kind: 'keep' })).toBe('missing');
        expect(await stores.accounts.find(accountId)).toBeNull();
        expect(await stores.accounts.findByEmail('gone@example.com')).toBeNull();
        expect(await stores.accounts.search('')).toMatchObject({ total: 1 });
        expect(await stores.accounts.totals()).toMatchObject({ accounts: 1, qrs: 2 });
        expect(await stores.sessions.find('session')).toBeNull();
        expect(await stores.keys.findOwner('key', 1)).toBeNull();
        expect(await stores.credentials.find('gone@example.com')).toBeNull();
        expect(await stores.savedDesigns.list(accountId)).toEqual([]);
        expect(await stores.designs.find(unusedId)).toEqual(plainDesign);
        const row = newQr({ accountId, designId });
        expect(await stores.batches.createQr(batchId, 1, row, false)).toBe('decided');
        expect(await stores.batches.renew(batchId, 9)).toBe(false);
        expect(await stores.bulkEdits.apply(bulkEditId, [edit], 9)).toEqual([]);
        const adding = stores.qrs.insert(row, null);
        expect(adding).rejects.toThrow('This account has been deleted.');
        await adding.catch(() => {});
        const again = await addAccount(stores, 'gone@example.com');
        expect(again.accountId).not.toBe(accountId);
      });

      test('leaves its codes as they are to nobody, without names and former destinations', async () => {
        const { stores, design, designId, remove } = await setUp();
        const { qr: before } = await codeOf(stores, '00000001');
        await remove({ kind: 'keep' });
        const { qr, ...rest } = await codeOf(stores, '00000001');
        expect(rest).toEqual({ owner: 'nobody', status: 'active', name: null });
        expect(qr).toMatchObject({ destination: 'https://example.com/b', image: before?.image });
        expect(await codeOf(stores, '00000002')).toMatchObject({ status: 'paused' });
        expect(await stores.qrs.formerDestinations(qr?.id ?? 0, 10)).toEqual([]);
        expect(await stores.designs.find(designId)).toEqual(design);
        expect((await stores.qrs.listPage(qr?.accountId ?? 0, 10, 0)).total).toBe(2);
      });

      test('stops its codes, which have no destination and no image any more', async () => {
        const { stores, designId, remove } = await setUp();
        await remove({ kind: 'stop' });
        const { qr, ...rest } = await codeOf(stores, '00000001');
        expect(rest).toEqual({ owner: 'nobody', status: 'stopped', name: null });
        expect(qr).toMatchObject({ destination: '', image: null });
        expect(await stores.designs.find(designId)).toEqual(plainDesign);
        expect(await stores.flags.after(0, 10)).toEqual([]);
      });

      test('gives its codes, names and designs to another account', async () => {
        const { stores, accountId, other, design, designId, remove } = await setUp();
        for (const to of [accountId, 99])
          expect(await remove({ kind: 'give', to })).toBe('no recipient');
        expect((await stores.qrs.listPage(accountId, 10, 0)).total).toBe(2);
        const { qr: before } = await codeOf(stores, '00000001');
        expect(await remove({ kind: 'give', to: other.accountId })).toBe('removed');
        const { qr, ...rest } = await codeOf(stores, '00000001');
        expect(rest).toEqual({ owner: 'other@example.com', status: 'active', name: 'Secret' });
        expect(qr).toEqual(before && { ...before, accountId: other.accountId });
        expect(await stores.qrs.formerDestinations(qr?.id ?? 0, 10)).toHaveLength(1);
        expect(await stores.designs.find(designId)).toEqual(design);
        expect((await stores.qrs.listPage(other.accountId, 10, 0)).total).toBe(2);
        // They can be given on.
        const third = await addAccount(stores, 'third@example.com');
        const next = { kind: 'give', to: third.accountId } as const;
        expect(await stores.accounts.remove(other.accountId, next, 9)).toBe('removed');
        expect(await codeOf(stores, '00000002')).toMatchObject({ owner: 'third@example.com' });
        expect(await stores.designs.find(designId)).toEqual(design);
      });

      test('with many codes goes in parts, and can be deleted again in between', async () => {
        const { stores, accountId, other, design, designId, remove } = await setUp();
        const count = 201;
        for (let at = 3; at <= count; at++) {
          const code = String(at).padStart(8, '0');
          await stores.qrs.insert(newQr({ accountId, designId }, { code }), null);
        }
        const totalOf = async (id: number) => (await stores.qrs.listPage(id, 1, 0)).total;
        const give = { kind: 'give', to: other.accountId } as const;
        expect(await remove(give)).toBe('more');
        const [left, given] = [await totalOf(accountId), await totalOf(other.accountId)];
        expect([left + given, left > 0, given > 0]).toEqual([count, true, true]);
        expect(await stores.accounts.find(accountId)).toMatchObject({ qrs: left });
        let result = await remove({ kind: 'stop' });
        while (result === 'more') result = await remove({ kind: 'stop' });
        expect(result).toBe('removed');
        expect(await stores.designs.find(designId)).toEqual(design);
        const kept = await stores.qrs.listPage(other.accountId, count, 0);
        expect([kept.total, kept.qrs.length]).toEqual([given, given]);
        const nobody = await stores.accounts.findByEmail('nobody');
        expect(await totalOf(nobody?.id ?? 0)).toBe(left);
      });

      test('is not the last operator', async () => {
        const { stores, accountId, other, remove } = await setUp();
        await stores.accounts.changeOperator(accountId, true);
        expect(await remove({ kind: 'stop' })).toBe('last operator');
        await stores.accounts.changeOperator(other.accountId, true);
        expect(await remove({ kind: 'stop' })).toBe('removed');
      });
    });

    test('a replaced API key works until a time, in the window of the new one', async () => {
      const stores = await open();
      const { keys } = stores;
      const { accountId } = await addAccount(stores, 'keys@example.com');
      const ownerOf = async (hash: string, nowMs: number) => {
        const owner = await keys.findOwner(hash, nowMs);
        return owner && [owner.account.id, owner.currentHash];
      };
      const replace = (hash: string, untilMs: number | null) =>
        keys.replace(accountId, hash, hash.slice(-4), 1, undefined, untilMs);
      // There is nothing to replace yet.
      await replace('key 0001', 100);
      expect((await keys.findByAccount(accountId))?.former).toBeNull();
      await replace('key 0002', 100);
      expect(await keys.findByAccount(accountId)).toMatchObject({
        lastFour: '0002',
        former: { lastFour: '0001', untilMs: 100 },
      });
      for (const hash of ['key 0001', 'key 0002'])
        expect(await ownerOf(hash, 99)).toEqual([accountId, 'key 0002']);
      expect(await ownerOf('key 0001', 100)).toBeNull();
      expect(await ownerOf('key 0002', 100)).toEqual([accountId, 'key 0002']);
      // Two keys are the most.
      await replace('key 0003', 200);
      expect(await ownerOf('key 0001', 99)).toBeNull();
      expect(await ownerOf('key 0002', 150)).toEqual([accountId, 'key 0003']);
      expect([await keys.endFormer(accountId), await keys.endFormer(accountId)]).toEqual([
        true,
        false,
      ]);
      expect([await ownerOf('key 0002', 150), await ownerOf('key 0003', 150)]).toEqual([
        null,
        [accountId, 'key 0003'],
      ]);
      await replace('key 0004', 200);
      await replace('key 0005', null);
      expect(await ownerOf('key 0004', 150)).toBeNull();
      await replace('key 0006', 200);
      await keys.revoke(accountId);
      expect([await ownerOf('key 0005', 150), await ownerOf('key 0006', 150)]).toEqual([
        null,
        null,
      ]);
    });

    test('an account can be renamed to a free address', async () => {
      const stores = await open();
      const { accountId } = await addAccount(stores, 'old@example.com');
      await addAccount(stores, 'taken@example.com');
      await addTokens(stores, accountId, tokens('session'));
      expect(await stores.accounts.changeEmail(accountId, 'taken@example.com')).toBe('taken');
      expect(await stores.accounts.changeEmail(accountId, 'new@example.com')).toBe('changed');
      expect((await stores.sessions.find('session'))?.account.email).toBe('new@example.com');
      expect(await stores.accounts.findByEmail('old@example.com')).toBeNull();
    });

    describe('sessions', () => {
      test('of others are removed for one account only', async () => {
        const stores = await open();
        const anna = await addAccount(stores, 'anna@example.com');
        const ben = await addAccount(stores, 'ben@example.com');
        const sessions = stores.sessions;
        const credentials = stores.credentials;
        for (const hash of ['a', 'mine']) await addTokens(stores, anna.accountId, tokens(hash));
        await addTokens(stores, ben.accountId, tokens('b'));
        expect(await credentials.isTrustedBrowser('a', anna.accountId)).toBe(true);
        expect(await credentials.isTrustedBrowser('a', ben.accountId)).toBe(false);
        await sessions.removeAll(anna.accountId, tokens('mine'));
        expect(await sessions.find('a')).toBeNull();
        expect((await sessions.find('mine'))?.account.id).toBe(anna.accountId);
        expect(await credentials.isTrustedBrowser('mine', anna.accountId)).toBe(true);
        expect((await sessions.find('b'))?.account.email).toBe('ben@example.com');
        expect(await credentials.isTrustedBrowser('a', anna.accountId)).toBe(false);
        expect(await credentials.isTrustedBrowser('b', ben.accountId)).toBe(true);
        await sessions.removeAll(anna.accountId);
        expect(await sessions.find('mine')).toBeNull();
      });
    });

    test('sessions are listed, the last used first, and removed by their account', async () => {
      const stores = await open();
      const { sessions } = stores;
      const anna = await addAccount(stores, 'anna@example.com');
      const ben = await addAccount(stores, 'ben@example.com');
      for (const [hash, atMs] of [
        ['old', 10],
        ['idle', 20],
        ['new', 30],
      ] as const)
        await addTokens(stores, anna.accountId, tokens(hash, atMs));
      await addTokens(stores, ben.accountId, tokens('of ben', 40));
      await sessions.recordUse('old', 50);
      const list = (sinceMs: number, limit = 10) => sessions.list(anna.accountId, sinceMs, limit);
      expect(await list(30)).toEqual([
        { hash: 'old', device: 'Firefox on Linux', createdAtMs: 10, lastSeenAtMs: 50 },
        { hash: 'new', device: 'Firefox on Linux', createdAtMs: 30, lastSeenAtMs: 30 },
      ]);
      const hashes = async () => (await list(0)).map(({ hash }) => hash);
      expect(await hashes()).toEqual(['old', 'new', 'idle']);
      expect(await list(0, 1)).toHaveLength(1);
      await sessions.removeOf(anna.accountId, 'of ben');
      await sessions.removeOf(anna.accountId, 'old');
      expect(await hashes()).toEqual(['new', 'idle']);
      expect(await sessions.find('of ben')).not.toBeNull();
    });

    describe('a second factor', () => {
      const secret = 'A'.repeat(32);
      const setUp = async () => {
        const stores = await open();
        const { accountId } = await addAccount(stores, 'anna@example.com');
        const isOn = async () => [
          (await stores.accounts.find(accountId))?.hasSecondFactor,
          (await stores.credentials.find('anna@example.com'))?.hasSecondFactor,
        ];
        return { stores, accountId, factors: stores.secondFactors, isOn };
      };

      test('is turned on once, and off', async () => {
        const { accountId, factors, isOn } = await setUp();
        expect([await factors.find(accountId), ...(await isOn())]).toEqual([null, false, false]);
        expect(await factors.remove(accountId)).toBe(false);
        expect(await factors.add(accountId, secret, 7, ['one', 'two'])).toBe(true);
        expect(await factors.add(accountId, 'B'.repeat(32), 8, [])).toBe(false);
        expect(await factors.find(accountId)).toEqual({ secret, recoveryHashes: ['one', 'two'] });
        expect(await isOn()).toEqual([true, true]);
        expect(await factors.remove(accountId)).toBe(true);
        expect([await factors.find(accountId), ...(await isOn())]).toEqual([null, false, false]);
      });

      test('accepts each step and recovery code once', async () => {
        const { stores, accountId, factors } = await setUp();
        expect(await factors.useStep(accountId, secret, 9)).toBe(false);
        await factors.add(accountId, secret, 7, ['one', 'two']);
        const use = (step: number) => factors.useStep(accountId, secret, step);
        const steps = [await use(7), await use(8), await use(8), await use(7), await use(9)];
        expect(steps).toEqual([false, true, false, false, true]);
        expect(await factors.useStep(accountId, 'B'.repeat(32), 10)).toBe(false);
        const ben = await addAccount(stores, 'ben@example.com');
        const recover = (hash: string, id = accountId) => factors.useRecoveryCode(id, hash);
        expect(await recover('one', ben.accountId)).toBeNull();
        expect([await recover('three'), await recover('one'), await recover('one')]).toEqual([
          null,
          1,
          null,
        ]);
        await factors.replaceRecoveryCodes(accountId, ['four']);
        expect([await recover('two'), await recover('four'), await recover('')]).toEqual([
          null,
          0,
          null,
        ]);
      });

      test('stays after a one-time link, which then signs nobody in', async () => {
        const { stores, accountId, factors, isOn } = await setUp();
        await factors.add(accountId, secret, 7, []);
        await stores.signInLinks.add('link', accountId, noon + 10);
        const redeemed = await stores.signInLinks.redeem('link', '', 'next', tokens('in'));
        expect(redeemed).toMatchObject({ account: { id: accountId }, hasSecondFactor: true });
        expect(await stores.sessions.find('in')).toBeNull();
        expect(await stores.credentials.isTrustedBrowser('in', accountId)).toBe(false);
        expect(await isOn()).toEqual([true, true]);
        expect((await stores.credentials.find('anna@example.com'))?.passwordHash).toBe('next');
      });
    });

    describe('a verified password', () => {
      const setUp = async () => {
        const stores = await open();
        const { accountId } = await addAccount(stores, 'anna@example.com');
        const accounts = stores.accounts;
        await accounts.changePassword(accountId, 'first');
        return {
          stores,
          accountId,
          accounts,
          credentials: stores.credentials,
          sessions: stores.sessions,
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
        const { stores, credentials, sessions } = await setUp();
        const ben = await addAccount(stores, 'ben@example.com');
        expect(await credentials.signIn(ben.accountId, 'first', tokens('in'), null)).toBe(
          'outdated',
        );
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
        const stores = await open();
        const { accountId } = await addAccount(stores, 'anna@example.com');
        const sessions = stores.sessions;
        const credentials = stores.credentials;
        const lifetimeMs = kind === 'sessions' ? sessionMaxAgeMs : trustedBrowserLifetimeMs;
        await addTokens(stores, accountId, tokens('expired', noon - lifetimeMs - 1));
        await addTokens(stores, accountId, tokens('valid', noon - lifetimeMs));
        await addTokens(stores, accountId, tokens('new'));
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
        const stores = await open();
        const links = stores.signInLinks;
        await links.add('earlier', null, noon + 10);
        await links.add('first', null, noon + 10);
        expect(await links.find('earlier', noon)).toBeNull();
        expect(await links.find('first', noon)).toMatchObject({ account: null });
        expect(
          await links.redeem('first', 'anna@example.com', 'hash', tokens('late', noon + 10)),
        ).toBeNull();
        const created = await links.redeem('first', 'anna@example.com', 'hash', tokens('in'));
        expect(created?.account).toMatchObject({
          email: 'anna@example.com',
          isOperator: true,
          planUntilMs: null,
        });
        expect((await stores.sessions.find('in'))?.account.email).toBe('anna@example.com');
        // Codes need a design.
        expect((await stores.designs.findDefault(created?.account.id ?? 0)).design).toEqual(
          plainDesign,
        );
        expect(await links.isFirstAccountMissing()).toBe(false);
        await links.add('second', null, noon + 10);
        expect(await links.find('second', noon)).toBeNull();
        expect(
          await links.redeem('second', 'anna@example.com', 'hash', tokens('again')),
        ).toBeNull();
      });

      test('set a password once, before they expire, and only the newest', async () => {
        const stores = await open();
        const { accountId } = await addAccount(stores, 'anna@example.com');
        const links = stores.signInLinks;
        const sessions = stores.sessions;
        await addTokens(stores, accountId, tokens('stolen'));
        await links.add('earlier', accountId, noon + 10);
        await links.add('newest', accountId, noon + 10);
        expect(
          await links.redeem('earlier', 'x@example.com', 'hash', tokens('by earlier')),
        ).toBeNull();
        expect(
          await links.redeem('newest', 'x@example.com', 'hash', tokens('late', noon + 10)),
        ).toBeNull();
        expect(await links.redeem('newest', 'x@example.com', 'hash', tokens('in'))).toMatchObject({
          account: { id: accountId },
        });
        expect(await links.redeem('newest', 'x@example.com', 'hash', tokens('again'))).toBeNull();
        expect((await stores.credentials.find('anna@example.com'))?.passwordHash).toBe('hash');
        const hashes = ['by earlier', 'late', 'in', 'again', 'stolen'];
        const found = await Promise.all(hashes.map((hash) => sessions.find(hash)));
        expect(hashes.filter((_, index) => found[index] !== null)).toEqual(['in']);
      });

      test.each(['by an operator', 'by the account holder'])(
        'end when the password is changed %s, and those of other accounts stay',
        async (by) => {
          const stores = await open();
          const { accountId } = await addAccount(stores, 'anna@example.com');
          const ben = await addAccount(stores, 'ben@example.com');
          const links = stores.signInLinks;
          const accounts = stores.accounts;
          await accounts.changePassword(accountId, 'first');
          await links.add('before', accountId, noon + 10);
          await links.add('of ben', ben.accountId, noon + 10);
          if (by === 'by an operator') await accounts.changePassword(accountId, 'second');
          if (by === 'by the account holder')
            await stores.credentials.changePassword(accountId, 'first', 'second', tokens('in'));
          expect(await links.find('before', noon)).toBeNull();
          expect(
            await links.redeem('before', 'x@example.com', 'third', tokens('before')),
          ).toBeNull();
          expect(await links.find('of ben', noon)).not.toBeNull();
          await links.add('after', accountId, noon + 10);
          expect(
            await links.redeem('after', 'x@example.com', 'third', tokens('after')),
          ).toMatchObject({ account: { id: accountId } });
        },
      );

      test('stay valid after a rejected password change', async () => {
        const stores = await open();
        const { accountId } = await addAccount(stores, 'anna@example.com');
        const links = stores.signInLinks;
        await links.add('waiting', accountId, noon + 10);
        const credentials = stores.credentials;
        expect(await credentials.changePassword(accountId, 'wrong', 'next', tokens('in'))).toBe(
          'outdated',
        );
        expect(await links.find('waiting', noon)).not.toBeNull();
      });
    });
  });
}
