import { beforeEach, describe, expect, test } from 'bun:test';
import { plainDesign } from '../../src/core/designs/design.ts';
import { reasonOf } from '../../src/core/errors.ts';
import type { Stores } from '../../src/core/storage.ts';
import {
  acting,
  addOwner,
  addQr,
  batchesOf,
  command,
  kindOf,
  newBatch,
  newQr,
  newRow,
  newSignIn,
  noon,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const rounds = 4;

/** Tests of changes that two connections make at once, for every adapter. Each ends as if one came after the other. */
export function conflictsSuite({
  name,
  stores: one,
  others: other,
  empty,
}: DatabaseUnderTest): void {
  const atOnce = <One, Other>(one: Promise<One>, other: Promise<Other>) =>
    Promise.all([one, other]);
  /** Makes the same change on both, each with a name of its own. */
  const both = <T>(act: (stores: Stores, name: 'a' | 'b') => Promise<T>) =>
    atOnce(act(one, 'a'), act(other, 'b'));
  const create = ({ accounts }: Stores, email: string) =>
    accounts.create({
      ...{ email, isOperator: false, planUntilMs: null, passwordHash: 'hash' },
      ...{ by: command, atMs: 0 },
    });
  const newAccount = async () => (await addOwner(one, { passwordHash: 'hash' })).accountId;
  const tokens = (hash: string) => newSignIn(hash, 1);

  describe(`${name}, two connections at once`, () => {
    beforeEach(empty);

    test('create one account of an address', async () => {
      for (let round = 0; round < rounds; round++) {
        const email = `${round}@example.com`;
        const created = await both((stores) => create(stores, email));
        expect(created.filter(({ outcome }) => outcome === 'taken')).toHaveLength(1);
      }
      expect((await one.accounts.search('')).total).toBe(rounds);
    });

    test('give an address to one account, by a rename or a create', async () => {
      const id = await newAccount();
      for (let round = 0; round < rounds; round++) {
        const email = `${round}@example.com`;
        const [renamed, created] = await atOnce(
          one.accounts.changeEmail(acting(id), email, noon),
          create(other, email),
        );
        expect((renamed === 'taken') !== (created.outcome === 'taken')).toBe(true);
      }
    });

    test('delete one of two last operators', async () => {
      for (let round = 0; round < rounds; round++) {
        const ids = [await newAccount(), await newAccount()];
        for (const id of ids) await one.accounts.changeOperator(acting(id), true, noon);
        const [a = 0, b = 0] = ids;
        const removed = await atOnce(
          one.accounts.remove(a, { kind: 'keep' }, 1, { kind: 'command' }),
          other.accounts.remove(b, { kind: 'give', to: a, by: command }, 1, { kind: 'command' }),
        );
        expect(removed.filter((result) => result === 'removed')).toHaveLength(1);
        for (const id of ids) await one.accounts.changeOperator(acting(id), false, noon);
      }
    });

    test('lose no code of an account that is deleted while codes are created', async () => {
      let stored = 0;
      for (let round = 0; round < rounds; round++) {
        const owner = await addOwner(one);
        const rows = [newRow(1), newRow(2)];
        const batchId = await one.batches.add(newBatch(owner, { rows }));
        const createCodes = async () => {
          const results = [
            await one.batches.createQr(batchId, 1, newQr(owner), false),
            await one.qrs
              .insert(newQr(owner), null, command)
              .then(kindOf, (error: unknown) => reasonOf(error).kind),
            await one.batches.createQr(batchId, 2, newQr(owner), false),
          ];
          stored += results.filter((result) => result === 'stored').length;
          return results.map(String);
        };
        const [results, removed] = await atOnce(
          createCodes(),
          other.accounts.remove(owner.accountId, { kind: 'keep' }, 1, { kind: 'command' }),
        );
        expect(removed).toBe('removed');
        for (const result of results)
          expect(['stored', 'decided', 'account deleted']).toContain(result);
      }
      const nobody = await one.accounts.findByEmail('nobody');
      expect(nobody?.qrs).toBe(stored);
      expect((await one.qrs.listPage(nobody?.id ?? 0, 100, 0)).qrs).toHaveLength(stored);
    });

    test('redeem a link once, and keep the last of two links', async () => {
      await one.signInLinks.add('first', null, 10, noon);
      const redeemed = await both(({ signInLinks }, by) =>
        signInLinks.redeem('first', `${by}@example.com`, 'hash', tokens(by), `step of ${by}`),
      );
      expect(redeemed.filter((account) => account !== null)).toHaveLength(1);
      const { accounts, total } = await one.accounts.search('');
      expect(total).toBe(1);
      const id = accounts[0]?.id ?? 0;
      for (let round = 0; round < rounds; round++) {
        await both(({ signInLinks }, by) => signInLinks.add(by + round, acting(id), 10, noon));
        const left = await both((_, by) => one.signInLinks.find(by + round, 1));
        expect(left.filter((link) => link !== null)).toHaveLength(1);
      }
    });

    test('leave no session of a password that was changed', async () => {
      const id = await newAccount();
      await one.accounts.changePassword(acting(id), '0', noon);
      for (let round = 0; round < rounds; round++) {
        const [, changed] = await atOnce(
          one.credentials.signIn(id, String(round), tokens(`old ${round}`), null),
          other.credentials.changePassword(
            id,
            String(round),
            String(round + 1),
            tokens(`new ${round}`),
          ),
        );
        expect(changed).toBe('changed');
        expect(await one.sessions.find(`old ${round}`)).toBeNull();
        expect(await one.sessions.find(`new ${round}`)).not.toBeNull();
      }
    });

    test('sign in and change passwords while sessions of both have expired', async () => {
      const ids = [await newAccount(), await newAccount()] as const;
      const lateMs = 10 * 365 * 86_400_000;
      for (let round = 0; round < rounds; round++) {
        for (let i = 0; i < 4; i++)
          for (const id of ids) {
            const hash = `${round} ${id} ${i}`;
            await one.credentials.signIn(id, 'hash', newSignIn(hash, 0), null);
          }
        const changed = await both(({ credentials }, by) => {
          const late = newSignIn(by + round, lateMs);
          return credentials.changePassword(ids[by === 'a' ? 0 : 1], 'hash', 'hash', late);
        });
        expect(changed).toEqual(['changed', 'changed']);
      }
    });

    test('set one API key', async () => {
      const id = await newAccount();
      for (let round = 0; round < rounds; round++) {
        await both(({ keys }, by) => keys.replace(acting(id), by + round, by.repeat(4), 1));
        const found = await both(({ keys }, by) => keys.findOwner(by + round, 1));
        expect(found.filter((account) => account !== null)).toHaveLength(1);
      }
      const revoked = await both(({ keys }) => keys.revoke(acting(id), noon));
      expect(revoked.sort()).toEqual([false, true]);
      for (let round = 0; round < rounds; round++) {
        const last = await one.keys.findByAccount(id);
        const options = { expectedMs: last === null ? null : last.createdAtMs };
        const replaced = await both(({ keys }, by) =>
          keys.replace(acting(id), `next ${by}${round}`, by.repeat(4), round, options),
        );
        expect(replaced.map(({ outcome }) => outcome).sort()).toEqual(['outdated', 'replaced']);
      }
    });

    test('give a name to one design', async () => {
      const id = await newAccount();
      for (let round = 0; round < rounds; round++) {
        const to = `to ${round}`;
        await both(({ savedDesigns }, by) =>
          savedDesigns.save(acting(id), by + round, plainDesign, 1),
        );
        const renamed = await both(({ savedDesigns }, by) =>
          savedDesigns.rename(acting(id), by + round, to, noon),
        );
        expect(renamed.sort()).toEqual(['renamed', 'taken']);
        const [, result] = await atOnce(
          one.savedDesigns.save(acting(id), `c${round}`, plainDesign, 2),
          other.savedDesigns.rename(acting(id), to, `c${round}`, noon),
        );
        expect(['renamed', 'taken']).toContain(result);
        const saved = await both(({ savedDesigns }) =>
          savedDesigns.save(acting(id), 'same', plainDesign, 3),
        );
        expect(saved).toContain((await one.savedDesigns.find(id, 'same'))?.designId ?? 0);
      }
      const defaults = await both(({ designs }) => designs.add(acting(id), plainDesign, 4));
      expect(defaults).toContain((await one.designs.findDefault(id)).id);
    });

    test('set one rule, source and list of a name', async () => {
      const rule = (note: string) =>
        ({ expression: 'a/', decision: 'block', addedAtMs: 1, note }) as const;
      const source = (url: string) => ({ name: 'feed', url, addedAtMs: 1 });
      const list = { source: 'feed', importedAtMs: 1, origin: null };
      const hash = (byte: number) => new Uint8Array(32).fill(byte);
      const revisions = new Set<string>();
      for (let round = 0; round < rounds; round++) {
        await both(({ rules }, by) => rules.put(rule(by)));
        expect(await one.rules.find(['a/'])).toHaveLength(1);
        revisions.add(await other.rules.revision());
        await atOnce(one.rules.put(rule('again')), other.rules.remove('a/'));
        await both(({ sources }, by) => sources.put(source(by)));
        expect(await one.sources.all()).toHaveLength(1);
        await atOnce(
          one.lists.replace(list, batchesOf([hash(1), hash(2)])),
          other.lists.replace(list, batchesOf([hash(3), hash(4)])),
        );
        expect(await one.lists.all()).toHaveLength(1);
        const found = await one.lists.find([hash(1), hash(2), hash(3), hash(4)]);
        expect([
          [0, 1],
          [2, 3],
        ]).toContainEqual(found.map(({ index }) => index));
        await both(({ runs }, by) => runs.record('lists', { listVersion: by, startedMs: 1 }));
      }
      expect(revisions.size).toBe(rounds);
      const removed = await both(({ lists }) => lists.remove('feed'));
      expect(removed.sort()).toEqual([false, true]);
    });

    test('flag, queue and block one code', async () => {
      const { code } = await addQr(one, await addOwner(one));
      const checked = await one.flags.find(code);
      if (checked === null) throw new Error('the code is missing');
      const flag = (list: string) => ({ list, expression: 'e/', sinceMs: 1 });
      for (let round = 0; round < rounds; round++) {
        await both(({ flags }, by) => flags.setFlag(checked, flag(by)));
        expect(await one.flags.flagged(10)).toHaveLength(1);
        await both(({ flags }) => flags.enqueue(checked));
        expect(await one.flags.queueLength()).toBe(1);
        await atOnce(one.flags.dequeue(checked), other.flags.enqueue(checked));
        for (const [isBlocked, status] of [
          [true, 'blocked'],
          [false, 'active'],
        ] as const) {
          await both(({ flags }) => flags.setBlocked(command, code, isBlocked, noon));
          expect((await one.flags.find(code))?.status).toBe(status);
        }
      }
    });
  });
}
