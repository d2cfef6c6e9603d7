import { describe, expect, test } from 'bun:test';
import type { ActivityEvent } from '../../src/core/accounts/activity/activity.ts';
import { maxActivityTextLength } from '../../src/core/accounts/activity/activity.ts';
import type { ActivityFilter } from '../../src/core/accounts/activity/ports.ts';
import { createActivityRetention } from '../../src/core/accounts/activity/retention.ts';
import type { Actor } from '../../src/core/ports.ts';
import { addOwner, addQr, command, day, noon } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const key: Actor = { kind: 'key', lastFour: '4f2a' };

/** Tests of the activity of accounts, for every adapter. */
export function activityStoreSuite({ name, stores, empty }: DatabaseUnderTest): void {
  const { activity, accounts, qrs } = stores;
  const add = async (accountId: number, by: Actor, event: ActivityEvent, atMs = noon) =>
    activity.add({ accountId, by }, event, atMs);
  const kindsOf = async (accountId: number, filter: ActivityFilter = {}) =>
    (await activity.page(accountId, filter, null, 100)).entries.map((entry) => entry.kind);

  describe(`${name}: activity`, () => {
    test('an entry has who, what, which code, before and after', async () => {
      const owner = await addOwner(stores, { email: 'ada@activity.example' });
      const { accountId } = owner;
      const qr = await addQr(stores, owner);
      const by: Actor = { kind: 'person', accountId };
      await add(accountId, by, {
        ...{ kind: 'destination-changed', qrId: qr.id },
        ...{ before: 'https://a.example/', after: 'x'.repeat(500) },
      });
      const { entries } = await activity.page(accountId, {}, null, 1);
      expect(entries).toMatchObject([
        {
          ...{ atMs: noon, by, email: 'ada@activity.example', kind: 'destination-changed' },
          ...{ code: { code: qr.code, name: null, isOwn: true }, subject: null, count: null },
          ...{ before: 'https://a.example/' },
          after: `${'x'.repeat(maxActivityTextLength - 1)}…`,
        },
      ]);
    });

    test('filters by person, topic and code, each alone and joined, and pages by key', async () => {
      const owner = await addOwner(stores);
      const { accountId } = owner;
      const other = await addOwner(stores);
      const { id: qrId } = await addQr(stores, owner);
      await add(accountId, command, { kind: 'design-saved', subject: 'House' });
      await add(accountId, key, { kind: 'code-paused', qrId });
      await add(accountId, key, { kind: 'key-revoked' });
      await add(accountId, command, { kind: 'code-resumed', qrId });
      await add(other.accountId, command, { kind: 'key-revoked' });
      const all = ['code-resumed', 'key-revoked', 'code-paused', 'design-saved'] as const;
      expect((await kindsOf(accountId)).slice(0, 4)).toEqual([...all]);
      expect(await kindsOf(accountId, { by: key })).toEqual(['key-revoked', 'code-paused']);
      expect(await kindsOf(accountId, { topic: 'designs' })).toEqual(['design-saved']);
      expect(await kindsOf(accountId, { by: key, topic: 'people' })).toEqual(['key-revoked']);
      expect(await kindsOf(accountId, { by: key, topic: 'designs' })).toEqual([]);
      expect((await kindsOf(accountId, { qrId })).slice(0, 2)).toEqual([
        'code-resumed',
        'code-paused',
      ]);
      expect(await kindsOf(other.accountId, { qrId })).toEqual([]);

      const paged: string[] = [];
      for (let before: number | null = null; paged.length < 4; ) {
        const { entries, next } = await activity.page(accountId, {}, before, 1);
        paged.push(...entries.map(({ kind }) => kind));
        before = next;
      }
      expect(paged.slice(0, 4)).toEqual([...all]);
      const actors = await activity.actors(accountId, 10);
      expect(actors.map(({ by }) => by.kind)).toEqual(expect.arrayContaining(['command', 'key']));
    });

    test('names no person whose account was deleted, and a code only to its owner', async () => {
      const owner = await addOwner(stores);
      const guest = await addOwner(stores, { email: 'guest@activity.example' });
      await addOwner(stores, { isOperator: true });
      const by: Actor = { kind: 'person', accountId: guest.accountId };
      const qr = await addQr(stores, guest, { name: 'Table 1' });
      await add(owner.accountId, by, { kind: 'code-paused', qrId: qr.id });
      const last = async () => (await activity.page(owner.accountId, {}, null, 1)).entries[0];
      expect(await last()).toMatchObject({
        email: 'guest@activity.example',
        code: { name: null, isOwn: false },
      });
      while (
        (await accounts.remove(guest.accountId, { kind: 'keep' }, noon, { kind: 'command' })) ===
        'more'
      );
      expect(await last()).toMatchObject({ by, email: null });
      expect(await kindsOf(guest.accountId)).toEqual([]);
      expect(await qrs.find(owner.accountId, qr.code)).toBeNull();
    });

    const retention = createActivityRetention({
      store: activity,
      clock: { nowMs: () => noon },
      pause: async () => true,
      maxEntries: 1000,
    });

    test('keeps entries for 400 days', async () => {
      await empty();
      const [one, other] = [await addOwner(stores), await addOwner(stores)];
      const counts = async ({ accountId }: typeof one) =>
        (await activity.page(accountId, { topic: 'codes' }, null, 10)).entries.map(
          (entry) => entry.count,
        );
      for (const [count, days] of [401, 399, 402, 0].entries())
        for (const { accountId } of [one, other])
          await add(accountId, command, { kind: 'code-paused', count }, noon - days * day);
      await retention();
      expect([await counts(one), await counts(other)]).toEqual([
        [3, 1],
        [3, 1],
      ]);
    });

    test('keeps the newest entries of an account that has too many', async () => {
      const { accountId } = await addOwner(stores);
      const quiet = await addOwner(stores);
      await add(quiet.accountId, command, { kind: 'code-paused' });
      const kinds = ['code-paused', 'key-revoked', 'code-resumed'] as const;
      for (let at = 0; at < 1200; at++)
        await add(accountId, command, { kind: kinds[at % 3] ?? 'code-paused', count: at });
      await retention();
      expect(await activity.count(accountId)).toBe(1000);
      const { entries } = await activity.page(accountId, {}, null, 2000);
      expect(entries.map(({ count }) => count)).toEqual(
        Array.from({ length: 1000 }, (_, at) => 1199 - at),
      );
      expect(await kindsOf(quiet.accountId, { topic: 'codes' })).toEqual(['code-paused']);
    });
  });
}
