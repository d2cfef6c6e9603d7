import { beforeEach, describe, expect, test } from 'bun:test';
import type { CodesOfDeleted, StoredSignIn } from '../../src/core/accounts/ports.ts';
import { sessionMaxAgeMs, trustedBrowserLifetimeMs } from '../../src/core/accounts/session.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import {
  acting,
  addOwner,
  beginBulkEdit,
  command,
  newBatch,
  newLink,
  newQr,
  newRow,
  newSignIn,
  noon,
  totalOf,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const tokens = (hash: string, atMs = noon) => newSignIn(hash, atMs);

/** Tests of the stores of accounts, sessions, passwords and one-time links, for every adapter. */
export function accountStoresSuite({ name, stores, empty }: DatabaseUnderTest): void {
  const { accounts, credentials, designs, flags, keys, qrs, sessions } = stores;
  const { savedDesigns, secondFactors, signInLinks: links } = stores;

  const newAccount = async (name: string) => {
    const fields = { email: `${name}@example.com`, passwordHash: 'initial' };
    return (await addOwner(stores, fields)).accountId;
  };
  const signIn = (id: number, hash: string, atMs?: number, password = 'initial') =>
    credentials.signIn(id, password, tokens(hash, atMs), null);
  /** Returns those of the hashes that have a session. */
  const withSession = async (...hashes: string[]) => {
    const found = await Promise.all(hashes.map((hash) => sessions.find(hash)));
    return hashes.filter((_, at) => found[at] !== null);
  };
  const passwordOf = async (name: string) =>
    (await credentials.find(`${name}@example.com`))?.passwordHash;

  describe(`${name}: accounts`, () => {
    beforeEach(empty);

    test('are found by id and by a part of the e-mail, the oldest first', async () => {
      const emails = ['anna@example.com', 'ben@example.org', 'cleo_@example.com'];
      for (const email of emails) await addOwner(stores, { email });
      const found = async (text: string, limit = 10) => {
        const { accounts: list, total } = await accounts.search(text, limit);
        return { emails: list.map(({ email }) => email), total };
      };
      expect(await found('')).toEqual({ emails, total: 3 });
      expect(await found('', 2)).toEqual({ emails: emails.slice(0, 2), total: 3 });
      expect(await found('.com')).toEqual({
        emails: emails.filter((email) => email.endsWith('.com')),
        total: 2,
      });
      expect(await found('_@')).toEqual({ emails: ['cleo_@example.com'], total: 1 });
      expect(await found('%')).toEqual({ emails: [], total: 0 });
      const [anna] = (await accounts.search('anna', 1)).accounts;
      expect(await accounts.find(anna?.id ?? 0)).toEqual(anna ?? null);
      expect(await accounts.find(987_654)).toBeNull();
    });

    test('can be renamed to a free address', async () => {
      const id = await newAccount('old');
      await newAccount('taken');
      await signIn(id, 'session');
      expect(await accounts.changeEmail(acting(id), 'taken@example.com', noon)).toBe('taken');
      expect(await accounts.changeEmail(acting(id), 'new@example.com', noon)).toBe('changed');
      expect((await sessions.find('session'))?.person.email).toBe('new@example.com');
      expect(await accounts.findByEmail('old@example.com')).toBeNull();
    });

    test('that gets another address loses the link that was sent to the one before', async () => {
      const id = await newAccount('linked');
      await links.add('link', acting(id), noon + 1000, noon);
      expect(await links.find('link', noon)).not.toBeNull();
      await accounts.changeEmail(acting(id), 'other@example.com', noon);
      expect(await links.find('link', noon)).toBeNull();
    });
  });

  describe(`${name}: a deleted account`, () => {
    beforeEach(empty);

    const codeOf = async (code: string) => {
      const found = await flags.find(code);
      const owner = await accounts.findByEmail(found?.owner ?? '');
      const qr = owner && (await qrs.find(owner.id, code));
      return { owner: owner?.email, status: qr?.status, name: qr?.name, qr };
    };
    const totalIn = (id: number) => totalOf(stores, id);
    const setUp = async () => {
      const accountId = await newAccount('gone');
      const other = await newAccount('other');
      const design = { ...plainDesign, foreground: '#112233' };
      const designId = await designs.add(acting(accountId), design, 1);
      const unusedId = await designs.add(acting(accountId), design, 2);
      await savedDesigns.save(acting(accountId), 'Mine', design, 3);
      for (const code of ['a0000001', 'a0000002'])
        await qrs.insert(newQr({ accountId, designId }, { code, name: 'Secret' }), null, command);
      await qrs.changeStatus(acting(accountId), 'a0000002', 'active', 'paused', noon);
      await qrs.changeDestination(acting(accountId), 'a0000001', 'https://example.com/b', 4);
      await keys.replace(acting(accountId), 'key', 'last', 5);
      await signIn(accountId, 'session');
      const remove = (codes: CodesOfDeleted) =>
        accounts.remove(accountId, codes, 8, { kind: 'command' });
      return { accountId, other, design, designId, unusedId, remove };
    };

    test('is gone with all that is about it, and its batches and bulk edits end', async () => {
      const { accountId, designId, unusedId, remove } = await setUp();
      const batch = newBatch({ accountId, designId }, { rows: [newRow(1)] });
      const batchId = await stores.batches.add(batch);
      const qrId = (await codeOf('a0000001')).qr?.id ?? 0;
      const edit = { qrId, code: 'a0000001', before: 'active', after: 'paused' };
      const edits = [{ ...edit, needsRecheck: false }];
      const bulkEditId = await beginBulkEdit(stores, acting(accountId), { kind: 'pause' }, edits);
      expect(await remove({ kind: 'keep' })).toBe('removed');
      expect(await remove({ kind: 'keep' })).toBe('missing');
      expect(await accounts.find(accountId)).toBeNull();
      expect(await accounts.findByEmail('gone@example.com')).toBeNull();
      expect(await accounts.search('')).toMatchObject({ total: 1 });
      expect(await accounts.totals()).toMatchObject({ accounts: 1, qrs: 2 });
      expect(await sessions.find('session')).toBeNull();
      expect(await keys.findOwner('key', 1)).toBeNull();
      expect(await credentials.find('gone@example.com')).toBeNull();
      expect(await savedDesigns.list(accountId)).toEqual([]);
      expect(await designs.find(unusedId)).toEqual(plainDesign);
      const row = newQr({ accountId, designId });
      expect(await stores.batches.createQr(batchId, 1, row, false)).toBe('decided');
      expect(await stores.batches.renew(batchId, 0, 9)).toBe(false);
      expect(await stores.bulkEdits.pending(bulkEditId, 0, 9)).toEqual([]);
      expect(await stores.bulkEdits.make(bulkEditId, edits, [], 9)).toEqual([]);
      expect(await stores.bulkEdits.leaseUnfinished(noon, noon + 1)).toBeNull();
      await expect(qrs.insert(row, null, command)).rejects.toMatchObject({
        reason: { kind: 'account deleted' },
      });
      expect(await newAccount('gone')).not.toBe(accountId);
    });

    test('leaves its codes as they are to nobody, without names and former destinations', async () => {
      const { design, designId, remove } = await setUp();
      const { qr: before } = await codeOf('a0000001');
      await remove({ kind: 'keep' });
      const { qr, ...rest } = await codeOf('a0000001');
      expect(rest).toEqual({ owner: 'nobody', status: 'active', name: null });
      expect(qr).toMatchObject({ destination: 'https://example.com/b', image: before?.image });
      expect(await codeOf('a0000002')).toMatchObject({ status: 'paused' });
      expect(await qrs.formerDestinations(qr?.id ?? 0, 10)).toEqual([]);
      expect(await designs.find(designId)).toEqual(design);
      expect(await totalIn(qr?.accountId ?? 0)).toBe(2);
    });

    test('stops its codes, which have no destination and no image any more', async () => {
      const { designId, remove } = await setUp();
      await remove({ kind: 'stop' });
      const { qr, ...rest } = await codeOf('a0000001');
      expect(rest).toEqual({ owner: 'nobody', status: 'stopped', name: null });
      expect(qr).toMatchObject({ destination: '', image: null });
      expect(await designs.find(designId)).toEqual(plainDesign);
      expect(await flags.after(0, 10)).toEqual([]);
    });

    test('gives its codes, names and designs to another account', async () => {
      const { accountId, other, design, designId, remove } = await setUp();
      for (const to of [accountId, 987_654])
        expect(await remove({ kind: 'give', to, by: command })).toBe('no recipient');
      expect(await totalIn(accountId)).toBe(2);
      const { qr: before } = await codeOf('a0000001');
      expect(await remove({ kind: 'give', to: other, by: command })).toBe('removed');
      const { qr, ...rest } = await codeOf('a0000001');
      expect(rest).toEqual({ owner: 'other@example.com', status: 'active', name: 'Secret' });
      expect(qr).toEqual(before && { ...before, accountId: other });
      expect(await qrs.formerDestinations(qr?.id ?? 0, 10)).toHaveLength(1);
      expect(await totalIn(other)).toBe(2);
      // They can be given on.
      const to = await newAccount('third');
      expect(
        await accounts.remove(other, { kind: 'give', to, by: command }, 9, { kind: 'command' }),
      ).toBe('removed');
      expect(await codeOf('a0000002')).toMatchObject({ owner: 'third@example.com' });
      expect(await designs.find(designId)).toEqual(design);
    });

    test('with many codes goes in parts, and can be deleted again in between', async () => {
      const { accountId, other, remove } = await setUp();
      const links = Array.from({ length: 199 }, (_, at) => newLink(`menu ${at}`));
      await stores.linkImports.add(acting(accountId), links, noon);
      const count = 2 + links.length;
      expect(await remove({ kind: 'give', to: other, by: command })).toBe('more');
      const [left, given] = [await totalIn(accountId), await totalIn(other)];
      expect([left + given, left > 0, given > 0]).toEqual([count, true, true]);
      expect(await accounts.find(accountId)).toMatchObject({ qrs: left });
      let result = await remove({ kind: 'stop' });
      while (result === 'more') result = await remove({ kind: 'stop' });
      expect(result).toBe('removed');
      const kept = await qrs.listPage(other, count, 0);
      expect([kept.total, kept.qrs.length]).toEqual([given, given]);
      expect(await totalIn((await accounts.findByEmail('nobody'))?.id ?? 0)).toBe(left);
    });

    test('is not the last operator', async () => {
      const { accountId, other, remove } = await setUp();
      await accounts.changeOperator(acting(accountId), true, noon);
      expect(await remove({ kind: 'stop' })).toBe('last operator');
      await accounts.changeOperator(acting(other), true, noon);
      expect(await remove({ kind: 'stop' })).toBe('removed');
    });
  });

  test(`${name}: an account has the language that its person chose`, async () => {
    const id = await newAccount('language');
    const other = await newAccount('other-language');
    await accounts.changeLanguage(id, 'de');
    expect(await accounts.find(id)).toMatchObject({ language: 'de' });
    expect(await accounts.find(other)).toMatchObject({ language: null });
    await accounts.changeLanguage(id, null);
    expect(await accounts.find(id)).toMatchObject({ language: null });
  });

  describe(`${name}: an API key`, () => {
    beforeEach(empty);
    const replaced = { outcome: 'replaced' } as const;

    test('identifies its account, until it is replaced or revoked', async () => {
      const id = await newAccount('keys');
      expect(await keys.replace(acting(id), 'first', 'irst', 1000)).toEqual(replaced);
      expect(await keys.findOwner('first', 1)).toEqual({
        account: {
          id,
          email: 'keys@example.com',
          isOperator: false,
          planUntilMs: null,
          timeZone: null,
          language: null,
          businessName: null,
          createdAtMs: 0,
        },
        currentHash: 'first',
      });
      await keys.replace(acting(id), 'second', 'cond', 2000);
      expect([await keys.findOwner('first', 1), await keys.findOwner('third', 1)]).toEqual([
        null,
        null,
      ]);
      const stored = { hash: 'second', lastFour: 'cond', createdAtMs: 2000, lastUsedAtMs: null };
      expect(await keys.findByAccount(id)).toMatchObject(stored);
      expect([await keys.revoke(acting(id), noon), await keys.revoke(acting(id), noon)]).toEqual([
        true,
        false,
      ]);
      expect(await keys.findOwner('second', 1)).toBeNull();
      expect(await keys.findByAccount(id)).toBeNull();
    });

    test('can be limited to a number in a sliding window', async () => {
      const id = await newAccount('keys');
      let made = 0;
      const generate = (atMs: number) =>
        keys.replace(acting(id), `hash ${++made}`, 'last', atMs, {
          limit: { count: 2, windowMs: 1000 },
        });
      expect([await generate(5000), await generate(5600)]).toEqual([replaced, replaced]);
      expect(await generate(5999)).toEqual({ outcome: 'too many', nextAtMs: 6000 });
      expect((await keys.findByAccount(id))?.hash).toBe('hash 2');
      // Neither counted nor rejected.
      expect(await keys.replace(acting(id), 'unlimited', 'last', 5999)).toEqual(replaced);
      expect([await generate(6000), await generate(6001)]).toEqual([
        replaced,
        { outcome: 'too many', nextAtMs: 6600 },
      ]);
      // The clock was set back.
      expect(await generate(2000)).toEqual(replaced);
    });

    test('works until a time after it was replaced, in the window of the new one', async () => {
      const id = await newAccount('keys');
      /** Returns the hash of the account's current key if a key is valid. */
      const current = async (hash: string, nowMs: number) =>
        (await keys.findOwner(hash, nowMs))?.currentHash;
      const replace = (hash: string, untilMs: number | null) =>
        keys.replace(acting(id), hash, hash.slice(-4), 1, { formerUntilMs: untilMs });
      // There is nothing to replace yet.
      await replace('key 0001', 100);
      expect((await keys.findByAccount(id))?.former).toBeNull();
      await replace('key 0002', 100);
      expect(await keys.findByAccount(id)).toMatchObject({
        lastFour: '0002',
        former: { lastFour: '0001', untilMs: 100 },
      });
      for (const hash of ['key 0001', 'key 0002']) expect(await current(hash, 99)).toBe('key 0002');
      expect(await current('key 0001', 100)).toBeUndefined();
      expect(await current('key 0002', 100)).toBe('key 0002');
      // Two keys are the most.
      await replace('key 0003', 200);
      expect(await current('key 0001', 99)).toBeUndefined();
      expect(await current('key 0002', 150)).toBe('key 0003');
      expect([
        await keys.endFormer(acting(id), noon),
        await keys.endFormer(acting(id), noon),
      ]).toEqual([true, false]);
      expect(await current('key 0002', 150)).toBeUndefined();
      expect(await current('key 0003', 150)).toBe('key 0003');
      await replace('key 0004', 200);
      await replace('key 0005', null);
      expect(await current('key 0004', 150)).toBeUndefined();
      await replace('key 0006', 200);
      await keys.revoke(acting(id), noon);
      for (const hash of ['key 0005', 'key 0006']) expect(await current(hash, 150)).toBeUndefined();
    });
  });

  describe(`${name}: sessions`, () => {
    beforeEach(empty);

    test('of others are removed for one account only', async () => {
      const [anna, ben] = [await newAccount('anna'), await newAccount('ben')];
      for (const hash of ['a', 'mine']) await signIn(anna, hash);
      await signIn(ben, 'b');
      const isTrusted = async (hash: string, id: number) =>
        (await credentials.browserSinceMs(hash, id)) !== null;
      expect([await isTrusted('a', anna), await isTrusted('a', ben)]).toEqual([true, false]);
      await sessions.removeAll(acting(anna), noon, tokens('mine'));
      expect(await withSession('a', 'mine', 'b')).toEqual(['mine', 'b']);
      expect((await sessions.find('mine'))?.person.id).toBe(anna);
      expect((await sessions.find('b'))?.person.email).toBe('ben@example.com');
      expect(await isTrusted('mine', anna)).toBe(true);
      expect([await isTrusted('a', anna), await isTrusted('b', ben)]).toEqual([false, true]);
      await sessions.removeAll(acting(anna), noon);
      expect(await withSession('mine')).toEqual([]);
    });

    test('are listed, the last used first, and removed by their account', async () => {
      const [anna, ben] = [await newAccount('anna'), await newAccount('ben')];
      await signIn(anna, 'old', 10);
      await signIn(anna, 'idle', 20);
      await signIn(anna, 'new', 30);
      await signIn(ben, 'of ben', 40);
      await sessions.recordUse('old', 50);
      const list = (sinceMs: number, limit = 10) => sessions.list(anna, sinceMs, limit);
      const device = { device: 'Firefox on Linux', isProvided: false };
      expect(await list(30)).toEqual([
        { hash: 'old', ...device, createdAtMs: 10, lastSeenAtMs: 50 },
        { hash: 'new', ...device, createdAtMs: 30, lastSeenAtMs: 30 },
      ]);
      const hashes = async () => (await list(0)).map(({ hash }) => hash);
      expect(await hashes()).toEqual(['old', 'new', 'idle']);
      expect(await list(0, 1)).toHaveLength(1);
      await sessions.removeOf(anna, 'of ben');
      await sessions.removeOf(anna, 'old');
      expect(await hashes()).toEqual(['new', 'idle']);
      expect(await withSession('of ben')).toEqual(['of ben']);
    });

    test('and trusted browsers that have expired are removed at the next sign-in', async () => {
      const id = await newAccount('anna');
      await signIn(id, 'expired', noon - sessionMaxAgeMs - 1);
      await signIn(id, 'valid', noon - sessionMaxAgeMs);
      await signIn(id, 'new');
      expect(await withSession('expired', 'valid', 'new')).toEqual(['valid', 'new']);
      await signIn(id, 'expired browser', noon - trustedBrowserLifetimeMs - 1);
      await signIn(id, 'valid browser', noon - trustedBrowserLifetimeMs);
      await signIn(id, 'newest');
      expect(await credentials.browserSinceMs('expired browser', id)).toBeNull();
      expect(await credentials.browserSinceMs('valid browser', id)).not.toBeNull();
    });
  });

  describe(`${name}: a second factor`, () => {
    beforeEach(empty);
    const secret = 'A'.repeat(32);
    const isOn = async (id: number) => [
      (await accounts.find(id))?.hasSecondFactor,
      (await credentials.find('anna@example.com'))?.hasSecondFactor,
    ];

    test('is turned on once, and off', async () => {
      const id = await newAccount('anna');
      expect([await secondFactors.find(id), ...(await isOn(id))]).toEqual([null, false, false]);
      expect(await secondFactors.remove(acting(id), noon)).toBe(false);
      expect(await secondFactors.add(id, secret, 7, ['one', 'two'], noon)).toBe(true);
      expect(await secondFactors.add(id, 'B'.repeat(32), 8, [], noon)).toBe(false);
      expect(await secondFactors.find(id)).toEqual({ secret, recoveryHashes: ['one', 'two'] });
      expect(await isOn(id)).toEqual([true, true]);
      expect(await secondFactors.remove(acting(id), noon)).toBe(true);
      expect([await secondFactors.find(id), ...(await isOn(id))]).toEqual([null, false, false]);
    });

    test('accepts each step and recovery code once', async () => {
      const [id, ben] = [await newAccount('anna'), await newAccount('ben')];
      const use = (step: number) => secondFactors.useStep(id, secret, step);
      expect(await use(9)).toBe(false);
      await secondFactors.add(id, secret, 7, ['one', 'two'], noon);
      const steps = [await use(7), await use(8), await use(8), await use(7), await use(9)];
      expect(steps).toEqual([false, true, false, false, true]);
      expect(await secondFactors.useStep(id, 'B'.repeat(32), 10)).toBe(false);
      const recover = async (...hashes: string[]) => {
        const results = [];
        for (const hash of hashes)
          results.push(await secondFactors.useRecoveryCode(id, hash, noon));
        return results;
      };
      const wrong = { outcome: 'wrong' } as const;
      const used = (codesLeft: number) => ({ outcome: 'used', codesLeft }) as const;
      expect(await secondFactors.useRecoveryCode(ben, 'one', noon)).toEqual(wrong);
      expect(await recover('three', 'one', 'one')).toEqual([wrong, used(1), wrong]);
      await secondFactors.replaceRecoveryCodes(id, ['four'], noon);
      expect(await recover('two', 'four', '')).toEqual([wrong, used(0), wrong]);
    });

    test('stays after a one-time link, which then signs nobody in', async () => {
      const id = await newAccount('anna');
      await secondFactors.add(id, secret, 7, [], noon);
      await links.add('link', acting(id), noon + 10, noon);
      const redeemed = await links.redeem('link', '', 'next', tokens('in'), 'step');
      expect(redeemed).toMatchObject({ account: { id }, hasSecondFactor: true });
      expect(await withSession('in')).toEqual([]);
      expect(await credentials.browserSinceMs('in', id)).toBeNull();
      expect(await isOn(id)).toEqual([true, true]);
      expect(await passwordOf('anna')).toBe('next');
    });
  });

  describe(`${name}: a verified password`, () => {
    beforeEach(empty);

    test('adds a session while it is the current one of the account', async () => {
      const [id, ben] = [await newAccount('anna'), await newAccount('ben')];
      await accounts.changePassword(acting(id), 'first', noon);
      expect(await signIn(id, 'in', noon, 'first')).toBe('stored');
      expect((await sessions.find('in'))?.person.id).toBe(id);
      expect(await credentials.browserSinceMs('in', id)).not.toBeNull();
      expect(await signIn(ben, 'of ben', noon, 'first')).toBe('outdated');
      await accounts.changePassword(acting(id), 'second', noon);
      expect(await signIn(id, 'late', noon, 'first')).toBe('outdated');
      expect(await withSession('in', 'late', 'of ben')).toEqual([]);
      for (const hash of ['in', 'late'])
        expect(await credentials.browserSinceMs(hash, id)).toBeNull();
    });

    test('gets a new hash of the same password at a sign-in, and all sessions stay', async () => {
      const id = await newAccount('anna');
      await signIn(id, 'before');
      const upgrade = (hash: string, next: string) =>
        credentials.signIn(id, 'initial', tokens(hash), next);
      expect(await upgrade('now', 'again')).toBe('stored');
      expect(await upgrade('late', 'x')).toBe('outdated');
      expect(await passwordOf('anna')).toBe('again');
      expect(await withSession('before', 'now', 'late')).toEqual(['before', 'now']);
    });

    test('is changed once, which ends all other sessions', async () => {
      const id = await newAccount('anna');
      await signIn(id, 'elsewhere');
      const change = (next: string) =>
        credentials.changePassword(id, 'initial', next, tokens(`by ${next}`));
      expect([await change('second'), await change('third')]).toEqual(['changed', 'outdated']);
      expect(await passwordOf('anna')).toBe('second');
      expect(await withSession('elsewhere', 'by second', 'by third')).toEqual(['by second']);
      expect(await credentials.browserSinceMs('by second', id)).not.toBeNull();
    });
  });

  describe(`${name}: one-time links`, () => {
    beforeEach(empty);
    const redeem = (link: string, as: StoredSignIn, email = 'x@example.com') =>
      links.redeem(link, email, 'hash', as, 'step');

    test('create the first account once', async () => {
      await links.add('earlier', null, noon + 10, noon);
      await links.add('first', null, noon + 10, noon);
      expect(await links.find('earlier', noon)).toBeNull();
      expect(await links.find('first', noon)).toMatchObject({ account: null });
      const email = 'anna@example.com';
      expect(await redeem('first', tokens('late', noon + 10), email)).toBeNull();
      const created = await redeem('first', tokens('in'), email);
      expect(created?.account).toMatchObject({ email, isOperator: true, planUntilMs: null });
      expect((await sessions.find('in'))?.person.email).toBe(email);
      // Codes need a design.
      const { design } = await designs.findDefault(created?.account.id ?? 0);
      expect(design).toEqual(plainDesign);
      expect(await links.isFirstAccountMissing()).toBe(false);
      await links.add('second', null, noon + 10, noon);
      expect(await links.find('second', noon)).toBeNull();
      expect(await redeem('second', tokens('again'), email)).toBeNull();
    });

    test('set a password once, before they expire, and only the newest', async () => {
      const id = await newAccount('anna');
      await signIn(id, 'stolen');
      for (const link of ['earlier', 'newest']) await links.add(link, acting(id), noon + 10, noon);
      expect(await redeem('earlier', tokens('by earlier'))).toBeNull();
      expect(await redeem('newest', tokens('late', noon + 10))).toBeNull();
      expect(await redeem('newest', tokens('in'))).toMatchObject({ account: { id } });
      expect(await redeem('newest', tokens('again'))).toBeNull();
      expect(await passwordOf('anna')).toBe('hash');
      expect(await withSession('by earlier', 'late', 'in', 'again', 'stolen')).toEqual(['in']);
    });

    test.each([
      ['an operator', (id: number) => accounts.changePassword(acting(id), 'second', noon)],
      [
        'the account holder',
        (id: number) => credentials.changePassword(id, 'initial', 'second', tokens('in')),
      ],
    ])('end when %s changes the password, and those of others stay', async (_, change) => {
      const [id, ben] = [await newAccount('anna'), await newAccount('ben')];
      await links.add('before', acting(id), noon + 10, noon);
      await links.add('of ben', acting(ben), noon + 10, noon);
      await change(id);
      expect(await links.find('before', noon)).toBeNull();
      expect(await redeem('before', tokens('before'))).toBeNull();
      expect(await links.find('of ben', noon)).not.toBeNull();
      await links.add('after', acting(id), noon + 10, noon);
      expect(await redeem('after', tokens('after'))).toMatchObject({ account: { id } });
    });

    test('stay valid after a rejected password change', async () => {
      const id = await newAccount('anna');
      await links.add('waiting', acting(id), noon + 10, noon);
      const changed = credentials.changePassword(id, 'wrong', 'next', tokens('in'));
      expect(await changed).toBe('outdated');
      expect(await links.find('waiting', noon)).not.toBeNull();
    });
  });
}
