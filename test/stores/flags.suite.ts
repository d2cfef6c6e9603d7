import { beforeEach, describe, expect, test } from 'bun:test';
import type { ReputationResult } from '../../src/core/codes/ports.ts';
import { createRecheck } from '../../src/core/safety/recheck.ts';
import { acting, addOwner, command, newQr, noon } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const clean: ReputationResult = { flagged: false, checked: 'fully' };
const partly: ReputationResult = { flagged: false, checked: 'partly' };
const locally: ReputationResult = { flagged: false, checked: 'locally' };
const flagged = { flagged: true, list: 'evil', expression: 'e.example/' } as const;
const byProvider = { ...flagged, list: 'webrisk' };

/** Tests of flags, blocks, the queue of re-checks and the record of their runs, for every adapter. */
export function flagStoreSuite({ name, stores, empty }: DatabaseUnderTest): void {
  const { qrs: store, flags, runs } = stores;

  describe(name, () => {
    beforeEach(empty);

    /** Two codes of one account, the second in the queue, and results of checks by destination. */
    async function setUp({ maySkipRemote = false } = {}) {
      const owner = await addOwner(stores);
      const first = newQr(owner, { destination: 'https://first.example/' });
      const second = newQr(owner, { destination: 'https://second.example/' });
      await store.insert(first, null, command);
      await store.insert(second, null, command, true);
      const results = new Map<string, ReputationResult>();
      let nowMs = 1000;
      const recheck = createRecheck({
        maySkipRemote,
        store: flags,
        reputation: { check: async (destination) => results.get(destination) ?? clean },
        clock: { nowMs: () => nowMs, monotonicMs: () => 0 },
      });
      return {
        ...{ results, owner, first, second, recheck },
        all: () => recheck.all(100, async () => true),
        queued: (limit = 10) => recheck.queued(limit, () => true),
        flagOf: async (code: string) => (await store.find(owner.accountId, code))?.flag,
        setTime: (ms: number) => {
          nowMs = ms;
        },
      };
    }

    describe('a re-check', () => {
      test('flags a listed destination and keeps when it was first flagged', async () => {
        const { recheck, results, first, second, flagOf, setTime, all } = await setUp();
        results.set(first.destination, flagged);
        results.set(second.destination, clean);
        expect(await recheck.all(1, async () => true)).toMatchObject({ checked: 2, flagged: 1 });
        setTime(2000);
        expect(await all()).toMatchObject({ flagged: 0, cleared: 0 });
        const flag = { list: 'evil', expression: 'e.example/', sinceMs: 1000 };
        expect(await flagOf(first.code)).toEqual(flag);
        expect(await flagOf(second.code)).toBeNull();
        results.set(first.destination, { ...flagged, expression: 'e.example/a/' });
        await all();
        expect(await flagOf(first.code)).toEqual({ ...flag, expression: 'e.example/a/' });
      });

      test('clears a flag when everything was checked, and not before', async () => {
        const { results, first, flagOf, all } = await setUp();
        results.set(first.destination, flagged);
        await all();
        results.set(first.destination, partly);
        expect(await all()).toMatchObject({ cleared: 0, incomplete: 1 });
        expect(await flagOf(first.code)).not.toBeNull();
        results.set(first.destination, clean);
        expect(await all()).toMatchObject({ cleared: 1 });
        expect(await flagOf(first.code)).toBeNull();
      });

      test('of a partly checked destination is repeated until it is checked fully', async () => {
        const { results, first, second, queued } = await setUp();
        results.set(first.destination, flagged);
        results.set(second.destination, partly);
        expect(await queued()).toMatchObject({ checked: 1, incomplete: 1 });
        results.set(second.destination, clean);
        expect(await queued()).toMatchObject({ checked: 1, incomplete: 0 });
        expect(await queued()).toMatchObject({ checked: 0 });
      });

      test('moves a code that still cannot be checked to the end of the queue', async () => {
        const { results, owner, second, setTime, flagOf, queued } = await setUp();
        const third = newQr(owner, { destination: 'https://third.example/' });
        await store.insert(third, null, command, true);
        results.set(second.destination, locally);
        results.set(third.destination, flagged);
        setTime(0);
        expect(await queued(1)).toMatchObject({ checked: 1, incomplete: 1 });
        expect(await queued(1)).toMatchObject({ checked: 1, flagged: 1 });
        expect(await flagOf(third.code)).not.toBeNull();
        expect(await flags.queued(10)).toMatchObject([{ code: second.code }]);
        expect(await queued(1)).toMatchObject({ checked: 1, incomplete: 1 });
      });

      test('keeps the queue while the provider cannot be asked', async () => {
        const { recheck, results, second, queued } = await setUp();
        results.set(second.destination, locally);
        expect(await recheck.queued(10, () => false)).toMatchObject({ checked: 0 });
        expect(await queued()).toMatchObject({ checked: 1 });
      });

      test("clears a list's flag at once and queues the code for the provider", async () => {
        const { results, first, second, flagOf, all, queued } = await setUp();
        results.set(first.destination, flagged);
        expect(await all()).toMatchObject({ flagged: 1 });
        await queued();
        results.set(first.destination, locally);
        results.set(second.destination, locally);
        expect(await all()).toMatchObject({ cleared: 1, incomplete: 2 });
        expect(await flagOf(first.code)).toBeNull();
        expect(await flags.queued(10)).toMatchObject([{ code: first.code }]);
      });

      test("keeps a provider's flag until the provider was asked again", async () => {
        const { results, first, flagOf, all } = await setUp();
        results.set(first.destination, byProvider);
        await all();
        results.set(first.destination, locally);
        expect(await all()).toMatchObject({ cleared: 0, incomplete: 1 });
        expect(await flagOf(first.code)).toMatchObject({ list: 'webrisk' });
        results.set(first.destination, clean);
        expect(await all()).toMatchObject({ cleared: 1 });
        expect(await flags.queued(10)).toBeEmpty();
      });

      test('without a provider keeps its flags and its queue', async () => {
        const { results, first, second, flagOf, all } = await setUp({ maySkipRemote: true });
        results.set(first.destination, byProvider);
        await all();
        results.delete(first.destination);
        expect(await all()).toMatchObject({ cleared: 0, incomplete: 0 });
        expect(await flagOf(first.code)).toMatchObject({ list: 'webrisk' });
        expect(await flags.queued(10)).toMatchObject([{ code: second.code }]);

        results.set(first.destination, flagged);
        await all();
        results.delete(first.destination);
        expect(await all()).toMatchObject({ cleared: 1 });
        expect(await flags.queued(10)).toMatchObject([{ code: second.code }, { code: first.code }]);
      });

      test('is queued when the same destination is set again', async () => {
        const { owner, first, queued } = await setUp();
        await queued();
        const sendAgain = (atMs: number) =>
          store.changeDestination(
            acting(owner.accountId),
            first.code,
            first.destination,
            atMs,
            true,
          );
        for (const atMs of [1, 2])
          expect(await sendAgain(atMs)).toMatchObject({ code: first.code });
        expect(await flags.queued(10)).toMatchObject([{ code: first.code }]);
      });

      test('ignores a destination that was changed meanwhile', async () => {
        const { owner, first, flagOf } = await setUp();
        const [checked] = await flags.after(0, 1);
        if (checked === undefined) throw new Error('no code was found');
        await store.changeDestination(
          acting(owner.accountId),
          first.code,
          'https://elsewhere.example/',
          5,
        );
        await flags.setFlag(checked, { list: 'evil', expression: 'e.example/', sinceMs: 1 });
        expect(await flagOf(first.code)).toBeNull();
      });

      test('ends early on request', async () => {
        const { recheck } = await setUp();
        expect(await recheck.all(1, async () => false)).toMatchObject({ checked: 1 });
      });
    });

    test('lifting a block restores the former status', async () => {
      const { owner, first } = await setUp();
      const statusOf = async () => (await store.find(owner.accountId, first.code))?.status;
      await flags.setBlocked(command, first.code, true, noon);
      expect(await statusOf()).toBe('blocked');
      await flags.setBlocked(command, first.code, false, noon);
      expect(await statusOf()).toBe('active');
      await store.changeStatus(acting(owner.accountId), first.code, 'active', 'paused', noon);
      await flags.setBlocked(command, first.code, false, noon);
      expect(await statusOf()).toBe('paused');
      for (const blocked of [true, true, false])
        expect(await flags.setBlocked(command, first.code, blocked, noon)).toBe(true);
      expect(await statusOf()).toBe('paused');
      await store.changeStatus(acting(owner.accountId), first.code, 'paused', 'active', noon);
      for (const blocked of [true, false])
        await flags.setBlocked(command, first.code, blocked, noon);
      expect(await statusOf()).toBe('active');
      expect(await flags.setBlocked(command, 'zzzzzzzz', true, noon)).toBe(false);
    });

    test('a block has a reason, which a later one replaces and the end of the block removes', async () => {
      const { first } = await setUp();
      const reasonOf = async () => (await flags.find(first.code))?.blockReason;
      for (const reason of ['A fake bank', 'A fake shop', null]) {
        await flags.setBlocked(command, first.code, true, noon, reason);
        expect(await reasonOf()).toBe(reason);
      }
      await flags.setBlocked(command, first.code, true, noon, 'A fake bank');
      const { blocked, blockedCode } = await flags.summary(null);
      expect([blocked, blockedCode]).toEqual([
        1,
        { code: first.code, name: first.name, reason: 'A fake bank' },
      ]);
      await flags.setBlocked(command, first.code, false, noon);
      expect(await reasonOf()).toBeNull();
    });

    test('the last re-check of each kind is recorded', async () => {
      expect(await runs.last('lists')).toBeNull();
      await runs.record('lists', { listVersion: 'first', startedMs: 1 });
      await runs.record('provider', { listVersion: 'first', startedMs: 2 });
      await runs.record('lists', { listVersion: 'second', startedMs: 3 });
      expect(await runs.last('lists')).toMatchObject({ listVersion: 'second', startedMs: 3 });
      expect(await runs.last('provider')).toMatchObject({ listVersion: 'first', startedMs: 2 });
    });

    test('operators find codes with their owner, flag and status', async () => {
      const owner = await addOwner(stores, { email: 'anna@example.com' });
      const codes = [newQr(owner), newQr(owner), newQr(owner)];
      for (const qr of codes) await store.insert(qr, null, command, true);
      const [first, second, third] = codes.map(({ code }) => code);
      expect(await flags.queueLength()).toBe(3);

      for (const [index, checked] of (await flags.after(0, 2)).entries())
        await flags.setFlag(checked, { list: 'a list', expression: 'x/', sinceMs: 1000 + index });
      await flags.setBlocked(command, third ?? '', true, noon);

      expect(await flags.find(second ?? '')).toMatchObject({
        code: second,
        owner: 'anna@example.com',
        status: 'active',
        flag: { list: 'a list', expression: 'x/', sinceMs: 1001 },
      });
      expect(await flags.find('zzzzzzzz')).toBeNull();
      expect((await flags.flagged(10)).map(({ code }) => code)).toEqual([
        second ?? '',
        first ?? '',
      ]);
      expect(await flags.flagged(1)).toHaveLength(1);
      expect(await flags.blocked(10)).toMatchObject([
        { code: third, status: 'blocked', flag: null },
      ]);
    });
  });
}
