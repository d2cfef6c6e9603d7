import { beforeEach, describe, expect, test } from 'bun:test';
import type { Qr } from '../../src/core/codes/qr.ts';
import { makeDueChanges } from '../../src/core/codes/schedule/make.ts';
import type {
  NewScheduledChange,
  ScheduleConflict,
  ScheduleStore,
} from '../../src/core/codes/schedule/ports.ts';
import { createScheduleRunner } from '../../src/core/codes/schedule/runner.ts';
import { createSchedule } from '../../src/core/codes/schedule/schedule.ts';
import { instantOf, wallTimeOf } from '../../src/core/codes/schedule/wall-time.ts';
import type { Stores } from '../../src/core/storage.ts';
import { setTimes } from '../support/planned.ts';
import { acting, addOwner, addQr, command, newScheduledChange, noon, type Owner } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const [a, b] = ['https://a.example/', 'https://b.example/'];
const safe = new Map([a, b].map((destination) => [destination, 'safe' as const]));

interface AskOptions {
  readonly maxPerCode?: number;
  readonly replacedId?: number;
  readonly on?: ScheduleStore;
}

/** Tests of the port `ScheduleStore`, for every adapter. */
export function scheduleStoreSuite({ name, stores, others, empty }: DatabaseUnderTest): void {
  const { schedule: store, qrs } = stores;
  const read = (owner: Owner, { code }: Qr) => qrs.find(owner.accountId, code);
  const make = (qrIds: readonly number[], nowMs = noon) =>
    store.make(qrIds, nowMs, (code) => makeDueChanges(code, safe, nowMs));
  const ask = (
    { accountId }: Pick<Owner, 'accountId'>,
    codes: readonly Qr[],
    changes: readonly NewScheduledChange[],
    { maxPerCode = 20, on = store, ...replaced }: AskOptions = {},
  ) => {
    const qrIds = codes.map(({ id }) => id);
    return on.add({ accountId, qrIds }, () => changes, { maxPerCode, ...replaced });
  };
  const add = async (owner: Owner, qr: Qr, fields: Partial<NewScheduledChange>) => {
    const { added, refused } = await ask(owner, [qr], [newScheduledChange(fields)]);
    const [change] = added;
    if (change === undefined) throw new Error(refused[0]?.conflict);
    return change;
  };

  describe(`${name}: planned changes`, () => {
    beforeEach(empty);

    test('are listed with who planned them, and removed by their own code alone', async () => {
      const [owner, stranger] = [await addOwner(stores), await addOwner(stores)];
      const [qr, other] = [await addQr(stores, owner), await addQr(stores, owner)];
      const later = await add(owner, qr, { nextMs: noon + 2, scheduledById: stranger.accountId });
      const sooner = await add(owner, qr, { nextMs: noon + 1, action: 'pause', destination: null });
      const email = (await stores.accounts.find(stranger.accountId))?.email;
      expect(await store.list(owner.accountId, qr.id)).toEqual([
        sooner,
        { ...later, scheduledBy: email ?? '' },
      ]);
      expect(await store.list(stranger.accountId, qr.id)).toEqual([]);
      expect(await store.upcoming(owner.accountId, noon, noon + 2, 10)).toEqual([
        { ...sooner, code: qr.code, name: qr.name },
      ]);
      expect(await store.remove(acting(owner.accountId), other.id, later.id, noon)).toBe(false);
      expect(await store.remove(acting(stranger.accountId), qr.id, later.id, noon)).toBe(false);
      expect(await store.remove(acting(owner.accountId), qr.id, later.id, noon)).toBe(true);
      expect(await store.remove(acting(owner.accountId), qr.id, later.id, noon)).toBe(false);
      // Who planned it may be deleted.
      await add(owner, other, { scheduledById: stranger.accountId });
      await stores.accounts.remove(stranger.accountId, { kind: 'stop' }, noon, { kind: 'command' });
      expect(await store.list(owner.accountId, other.id)).toMatchObject([{ scheduledBy: null }]);
    });

    test('that lead back take where each code leads, as it is then', async () => {
      const owner = await addOwner(stores);
      const codes = [
        await addQr(stores, owner, { destination: a }),
        await addQr(stores, owner, { destination: b }),
      ];
      const back = newScheduledChange({ destination: null, leadsBack: true, nextMs: noon + 2 });
      const { added } = await ask(owner, codes, [newScheduledChange({ nextMs: noon + 1 }), back]);
      expect(added).toHaveLength(4);
      for (const [index, { id }] of codes.entries()) {
        const [, second] = await store.list(owner.accountId, id);
        expect(second).toMatchObject({ nextMs: noon + 2, destination: [a, b][index] });
      }
    });

    test('are limited in number, and one of a kind at a time', async () => {
      const [owner, stranger] = [await addOwner(stores), await addOwner(stores)];
      const qr = await addQr(stores, owner);
      const pause = newScheduledChange({ action: 'pause', destination: null });
      const resume = newScheduledChange({ action: 'resume', destination: null });
      const refused = (conflict: ScheduleConflict) => ({
        added: [],
        refused: [{ qrId: qr.id, conflict }],
        entryId: null,
      });
      expect(await ask(stranger, [qr], [pause])).toEqual(refused('missing'));
      expect(await ask(owner, [qr], [pause])).toMatchObject({ added: [{ action: 'pause' }] });
      expect(await ask(owner, [qr], [resume])).toEqual(refused('same time'));
      expect((await ask(owner, [qr], [newScheduledChange()])).refused).toEqual([]);
      const otherPlace = newScheduledChange({ destination: a });
      expect(await ask(owner, [qr], [otherPlace])).toEqual(refused('same time'));
      const later = { ...resume, nextMs: noon + 1 };
      expect(await ask(owner, [qr], [later], { maxPerCode: 2 })).toEqual(refused('too many'));
      const asked = Array.from({ length: 4 }, (_, at) =>
        ask(owner, [qr], [newScheduledChange({ nextMs: noon + 9 })], {
          on: (at % 2 === 0 ? stores : others).schedule,
        }),
      );
      const added = (await Promise.all(asked)).flatMap((outcome) => outcome.added);
      expect(added).toHaveLength(1);
    });

    test('are added to many codes, each of which gets all or none', async () => {
      const owner = await addOwner(stores);
      const codes = [];
      for (let at = 0; at < 5; at++) codes.push(await addQr(stores, owner));
      const [first, second, third] = codes as [Qr, Qr, Qr];
      await add(owner, first, { nextMs: noon + 2 });
      await add(owner, second, { nextMs: noon + 3 });
      await add(owner, second, { nextMs: noon + 4 });
      const week = [1, 2].map((day) => newScheduledChange({ every: 'week', nextMs: noon + day }));
      const { added, refused } = await ask(owner, codes, week, { maxPerCode: 3 });
      expect(refused).toEqual([
        { qrId: first.id, conflict: 'same time' },
        { qrId: second.id, conflict: 'too many' },
      ]);
      expect(added).toHaveLength(6);
      expect(await store.list(owner.accountId, third.id)).toMatchObject([
        { every: 'week', nextMs: noon + 1 },
        { every: 'week', nextMs: noon + 2 },
      ]);
    });

    test('take the place of another one of their code, once', async () => {
      const owner = await addOwner(stores);
      const [qr, other] = [await addQr(stores, owner), await addQr(stores, owner)];
      const former = await add(owner, qr, {});
      const change = newScheduledChange({ destination: a });
      const replace = (code: Qr) => ask(owner, [code], [change], { replacedId: former.id });
      expect(await replace(other)).toMatchObject({ refused: [{ conflict: 'gone' }] });
      const { added } = await replace(qr);
      expect(await store.list(owner.accountId, qr.id)).toEqual([...added]);
      expect(await replace(qr)).toMatchObject({ refused: [{ conflict: 'gone' }] });
    });

    test('are settled by hand: one that repeats stays without its problem', async () => {
      const owner = await addOwner(stores, { planUntilMs: 1 });
      const qr = await addQr(stores, owner);
      const once = await add(owner, qr, { destination: a });
      const daily = await add(owner, qr, { destination: b, every: 'day', nextMs: noon - 1 });
      await make([qr.id]);
      for (const { id } of [once, daily]) await store.settle(owner.accountId, qr.id, id);
      expect(await store.list(owner.accountId, qr.id)).toMatchObject([
        { id: daily.id, problem: null },
      ]);
      expect(await store.problems(owner.accountId, 5)).toEqual([]);
    });

    test('are made as edits, with their history, in their order', async () => {
      const owner = await addOwner(stores);
      const qr = await addQr(stores, owner);
      await add(owner, qr, { destination: b, nextMs: noon - 1 });
      await add(owner, qr, { destination: a, nextMs: noon - 2 });
      await add(owner, qr, { action: 'pause', destination: null, nextMs: noon });
      const future = await add(owner, qr, { destination: a, nextMs: noon + 1 });
      const checked = await stores.flags.find(qr.code);
      if (checked === null) throw new Error(`${qr.code} is missing`);
      await stores.flags.setFlag(checked, { list: 'test', expression: 'x', sinceMs: 1 });
      expect(await store.due(noon, 100)).toHaveLength(3);
      expect(await make([qr.id])).toBe(3);
      expect(await make([qr.id])).toBe(0);
      expect(await read(owner, qr)).toEqual({ ...qr, destination: b, status: 'paused' });
      expect(await qrs.formerDestinations(qr.id, 5)).toEqual([
        { destination: a, untilMs: noon, isReplacedAsPlanned: true },
        { destination: qr.destination, untilMs: noon, isReplacedAsPlanned: true },
      ]);
      expect(await store.list(owner.accountId, qr.id)).toEqual([future]);
    });

    test('keep their problem when they could not be made', async () => {
      const owner = await addOwner(stores, { planUntilMs: 1 });
      const qr = await addQr(stores, owner);
      const once = await add(owner, qr, { destination: a });
      const daily = await add(owner, qr, { destination: b, every: 'day', nextMs: noon - 1 });
      expect(await make([qr.id])).toBe(2);
      expect(await read(owner, qr)).toEqual(qr);
      const problem = 'no plan' as const;
      expect(await store.list(owner.accountId, qr.id)).toEqual([
        { ...daily, problem, nextMs: noon + 86_400_000 },
        { ...once, problem, nextMs: null },
      ]);
      expect(await store.problems(owner.accountId, 1)).toMatchObject([
        { id: daily.id, code: qr.code },
      ]);
      expect(await store.due(noon, 100)).toEqual([]);
    });

    test('that cannot be made fail alone, and those of others are made', async () => {
      const owners = await Array.fromAsync({ length: 6 }, () => addOwner(stores));
      const [good, noZone, newer, unchecked, unwritten, unfailed] = await Array.fromAsync(
        owners,
        async (owner) => ({ owner, qr: await addQr(stores, owner) }),
      );
      if (!good || !noZone || !newer || !unchecked || !unwritten || !unfailed) throw new Error();
      await stores.accounts.changeTimeZone(acting(noZone.owner.accountId), 'Mars/Olympus', noon);
      await add(noZone.owner, noZone.qr, { nextMs: noon - 5, every: 'day', destination: a });
      // Rows of a newer version.
      const odd = [{ action: 'archive' }, { every: 'month' }, { firstLocal: 'Easter' }];
      for (const [at, fields] of odd.entries())
        await add(newer.owner, newer.qr, {
          ...{ action: 'pause', destination: null, nextMs: noon - 10 - at },
          ...(fields as Partial<NewScheduledChange>),
        });
      await add(unchecked.owner, unchecked.qr, { nextMs: noon - 3, destination: 'https://odd/' });
      for (const { owner, qr } of [unwritten, unfailed, good])
        await add(owner, qr, { nextMs: noon - 2, destination: a });
      const failures: unknown[] = [];
      const runner = createScheduleRunner({
        store: {
          due: store.due,
          make: (qrIds, nowMs, decide) => {
            if (qrIds.includes(unfailed.qr.id)) throw new Error('no write');
            return store.make(qrIds, nowMs, (code) => {
              const made = decide(code);
              if (code.accountId === unwritten.owner.accountId && made.over.length > 0)
                throw new Error('no decision');
              return made;
            });
          },
        },
        checkDestination: async (destination) => {
          if (destination === 'https://odd/') throw new TypeError('odd');
          return { destination, needsRecheck: false };
        },
        clock: { nowMs: () => noon },
        onFailure: (of) => failures.push(of),
      });
      await runner.run();
      expect((await read(good.owner, good.qr))?.destination).toBe(a);
      for (const { owner, qr } of [noZone, newer, unchecked, unwritten]) {
        const left = await store.list(owner.accountId, qr.id);
        expect(left.length).toBeGreaterThan(0);
        for (const change of left)
          expect(change).toMatchObject({ problem: 'failed', nextMs: null });
        expect(await read(owner, qr)).toEqual(qr);
      }
      expect(await store.due(noon, 9)).toMatchObject([{ qrId: unfailed.qr.id }]);
      expect(failures).toContainEqual({ qrId: unfailed.qr.id });
      expect(failures).toContainEqual({ destination: 'https://odd/' });
    });

    test('go along with codes that are given to another account, at the same instant', async () => {
      const [owner, heir] = [await addOwner(stores), await addOwner(stores)];
      const codes: Qr[] = [];
      for (let at = 0; at < 120; at++) codes.push(await addQr(stores, owner));
      await stores.accounts.changeTimeZone(acting(owner.accountId), 'Europe/Rome', noon);
      const later = noon + 86_400_000;
      for (const qr of codes)
        await add(owner, qr, { firstLocal: wallTimeOf(later, 'Europe/Rome'), nextMs: later });
      const give = { kind: 'give', to: heir.accountId, by: command } as const;
      let outcome = await stores.accounts.remove(owner.accountId, give, noon, { kind: 'command' });
      while (outcome === 'more')
        outcome = await stores.accounts.remove(owner.accountId, give, noon, { kind: 'command' });
      expect(outcome).toBe('removed');
      for (const qr of codes)
        expect(await store.list(heir.accountId, qr.id)).toMatchObject([
          { firstLocal: wallTimeOf(later, 'UTC'), nextMs: later },
        ]);
    });

    test('end with the account whose codes stop, or are left to nobody', async () => {
      for (const kind of ['stop', 'keep'] as const) {
        const owner = await addOwner(stores);
        await add(owner, await addQr(stores, owner), {});
        let outcome = await stores.accounts.remove(owner.accountId, { kind }, noon, {
          kind: 'command',
        });
        while (outcome === 'more')
          outcome = await stores.accounts.remove(owner.accountId, { kind }, noon, {
            kind: 'command',
          });
        expect(outcome).toBe('removed');
      }
      expect(await store.due(noon, 100)).toEqual([]);
    });

    test('move to other times in parts, but for those that are due or over', async () => {
      const [owner, stranger] = [await addOwner(stores), await addOwner(stores)];
      const qr = await addQr(stores, owner);
      const [dueNow, one, two] = [
        await add(owner, qr, { nextMs: noon }),
        await add(owner, qr, { nextMs: noon + 1 }),
        await add(owner, qr, { nextMs: noon + 2 }),
      ];
      const other = await add(stranger, await addQr(stores, stranger), { nextMs: noon + 3 });
      await stores.accounts.changeTimeZone(acting(owner.accountId), 'Asia/Tokyo', noon);
      const seen: unknown[] = [];
      const move = (accountId: number | null, afterId: number) =>
        store.reschedule({ accountId, nowMs: noon, afterId, limit: 1 }, (change) => {
          seen.push(change);
          return change.id === one.id ? noon + 5 : null;
        });
      expect(await move(owner.accountId, 0)).toEqual({ lastId: one.id, read: 1, moved: 1 });
      expect(await move(owner.accountId, one.id)).toEqual({ lastId: two.id, read: 1, moved: 0 });
      expect(await move(owner.accountId, two.id)).toEqual({ lastId: null, read: 0, moved: 0 });
      expect(await move(null, two.id)).toMatchObject({ lastId: other.id });
      const schedule = { firstLocal: two.firstLocal, every: null };
      expect(seen.slice(1, 3)).toMatchObject([
        { id: two.id, ...schedule, nextMs: noon + 2, account: { timeZone: 'Asia/Tokyo' } },
        { id: other.id, ...schedule, nextMs: noon + 3, account: { timeZone: null } },
      ]);
      expect(await store.list(owner.accountId, qr.id)).toEqual([
        dueNow,
        two,
        { ...one, nextMs: noon + 5 },
      ]);
    });

    test('are at the time of the zone that the account has when they are stored', async () => {
      const owner = await addOwner(stores);
      const clock = { nowMs: () => noon };
      const codes: Qr[] = [];
      for (let at = 0; at < 8; at++) codes.push(await addQr(stores, owner));
      const on = ({ accounts, schedule }: Stores) =>
        createSchedule({ store: schedule, accounts, clock });
      const zones = ['Asia/Tokyo', 'America/New_York', 'Europe/Rome'];
      const before = await stores.accounts.find(owner.accountId);
      if (before === null) throw new Error('the account is missing');
      const request = { at: '2030-12-24T18:00', every: null, action: 'pause' } as const;
      await Promise.all([
        ...codes.map((qr, at) => on(at % 2 ? stores : others).add(before, qr, request, null)),
        ...zones.map((zone, at) =>
          on(at % 2 ? others : stores).changeTimeZone(acting(owner.accountId), zone),
        ),
      ]);
      const zone = (await stores.accounts.find(owner.accountId))?.timeZone ?? '';
      expect(zones).toContain(zone);
      for (const qr of codes)
        expect(await store.list(owner.accountId, qr.id)).toMatchObject([
          { nextMs: instantOf(request.at, zone) },
        ]);
      // An account whose zone this version does not know keeps no other from being moved.
      const odd = await addOwner(stores);
      await add(odd, await addQr(stores, odd), { nextMs: noon + 9 });
      await stores.accounts.changeTimeZone(acting(odd.accountId), 'Mars/Olympus', noon);
      const [first] = codes;
      const [planned] = await store.list(owner.accountId, first?.id ?? 0);
      await setTimes(stores, { [planned?.id ?? 0]: noon + 9 });
      expect(await on(stores).followZoneRules(() => true)).toBe(1);
    });

    test('are made once, in their order, by runners that work at the same time', async () => {
      const owner = await addOwner(stores);
      const codes = [];
      for (let at = 0; at < 30; at++) codes.push(await addQr(stores, owner));
      const expected = new Map<number, number>();
      for (const [at, qr] of codes.entries())
        for (let step = 0; step <= at % 5; step++) {
          await add(owner, qr, {
            destination: `https://example.com/${qr.code}/${step}`,
            nextMs: noon - 10 + step,
          });
          expected.set(qr.id, step);
        }
      const runnerOn = ({ schedule }: Stores) =>
        createScheduleRunner({
          store: {
            ...schedule,
            // Small slices, so that several meet.
            due: (nowMs) => schedule.due(nowMs, 4),
          },
          checkDestination: async (destination) => ({ destination, needsRecheck: false }),
          clock: { nowMs: () => noon },
        });
      const runners = [stores, others, stores, others].map(runnerOn);
      while ((await store.due(noon, 1)).length > 0)
        await Promise.all(runners.map((runner) => runner.run()));
      for (const qr of codes) {
        const last = expected.get(qr.id) ?? 0;
        const links = Array.from({ length: last + 1 }, (_, step) => `${step}`).reverse();
        const history = (await qrs.formerDestinations(qr.id, 10)).map(
          ({ destination }) => destination,
        );
        const all = [(await read(owner, qr))?.destination ?? '', ...history];
        expect(all).toEqual([
          ...links.map((step) => `https://example.com/${qr.code}/${step}`),
          qr.destination,
        ]);
      }
    });
  });
}
