import { beforeEach, describe, expect, test } from 'bun:test';
import { makeDueChanges } from '../../src/core/accounts/planned-changes/make.ts';
import type {
  NewPlannedChange,
  PlanConflict,
  PlannedChangeStore,
} from '../../src/core/accounts/planned-changes/ports.ts';
import { createPlannedChangeRunner } from '../../src/core/accounts/planned-changes/runner.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import type { Stores } from '../../src/core/storage.ts';
import { acting, addOwner, addQr, command, newPlannedChange, noon, type Owner } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const [a, b] = ['https://a.example/', 'https://b.example/'];
const safe = new Map([a, b].map((destination) => [destination, 'safe' as const]));

interface AskOptions {
  readonly maxPerCode?: number;
  readonly replacedId?: number;
  readonly on?: PlannedChangeStore;
}

/** Tests of the port `PlannedChangeStore`, for every adapter. */
export function plannedChangeStoreSuite({ name, stores, others, empty }: DatabaseUnderTest): void {
  const { plannedChanges: store, qrs } = stores;
  const read = (owner: Owner, { code }: Qr) => qrs.find(owner.accountId, code);
  const make = (qrIds: readonly number[], nowMs = noon) =>
    store.make(qrIds, nowMs, (code) => makeDueChanges(code, safe, nowMs));
  const ask = (
    { accountId }: Pick<Owner, 'accountId'>,
    codes: readonly Qr[],
    changes: readonly NewPlannedChange[],
    { maxPerCode = 20, on = store, ...replaced }: AskOptions = {},
  ) => {
    const qrIds = codes.map(({ id }) => id);
    return on.add({ accountId, qrIds }, changes, { maxPerCode, ...replaced });
  };
  const add = async (owner: Owner, qr: Qr, fields: Partial<NewPlannedChange>) => {
    const { added, refused } = await ask(owner, [qr], [newPlannedChange(fields)]);
    const [change] = added;
    if (change === undefined) throw new Error(refused[0]?.conflict);
    return change;
  };

  describe(`${name}: planned changes`, () => {
    beforeEach(empty);

    test('are listed with who planned them, and removed by their own code alone', async () => {
      const [owner, stranger] = [await addOwner(stores), await addOwner(stores)];
      const [qr, other] = [await addQr(stores, owner), await addQr(stores, owner)];
      const later = await add(owner, qr, { nextMs: noon + 2, plannedById: stranger.accountId });
      const sooner = await add(owner, qr, { nextMs: noon + 1, action: 'pause', destination: null });
      const email = (await stores.accounts.find(stranger.accountId))?.email;
      expect(await store.list(owner.accountId, qr.id)).toEqual([
        sooner,
        { ...later, plannedBy: email ?? '' },
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
      await add(owner, other, { plannedById: stranger.accountId });
      await stores.accounts.remove(stranger.accountId, { kind: 'stop' }, noon);
      expect(await store.list(owner.accountId, other.id)).toMatchObject([{ plannedBy: null }]);
    });

    test('are limited in number, and one of a kind at a time', async () => {
      const [owner, stranger] = [await addOwner(stores), await addOwner(stores)];
      const qr = await addQr(stores, owner);
      const pause = newPlannedChange({ action: 'pause', destination: null });
      const resume = newPlannedChange({ action: 'resume', destination: null });
      const refused = (conflict: PlanConflict) => ({
        added: [],
        refused: [{ qrId: qr.id, conflict }],
        entryId: null,
      });
      expect(await ask(stranger, [qr], [pause])).toEqual(refused('missing'));
      expect(await ask(owner, [qr], [pause])).toMatchObject({ added: [{ action: 'pause' }] });
      expect(await ask(owner, [qr], [resume])).toEqual(refused('same time'));
      expect((await ask(owner, [qr], [newPlannedChange()])).refused).toEqual([]);
      const otherPlace = newPlannedChange({ destination: a });
      expect(await ask(owner, [qr], [otherPlace])).toEqual(refused('same time'));
      const later = { ...resume, nextMs: noon + 1 };
      expect(await ask(owner, [qr], [later], { maxPerCode: 2 })).toEqual(refused('too many'));
      const asked = Array.from({ length: 4 }, (_, at) =>
        ask(owner, [qr], [newPlannedChange({ nextMs: noon + 9 })], {
          on: (at % 2 === 0 ? stores : others).plannedChanges,
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
      const week = [1, 2].map((day) => newPlannedChange({ every: 'week', nextMs: noon + day }));
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
      const change = newPlannedChange({ destination: a });
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

    test('end with the account that has planned them, also if its codes go on', async () => {
      const [owner, heir] = [await addOwner(stores), await addOwner(stores)];
      const qr = await addQr(stores, owner);
      await add(owner, qr, {});
      const give = { kind: 'give', to: heir.accountId, by: command } as const;
      expect(await stores.accounts.remove(owner.accountId, give, noon)).toBe('removed');
      expect(await store.due(noon, 100)).toEqual([]);
    });

    test('move to other times, but for those that are over', async () => {
      const owner = await addOwner(stores);
      const qr = await addQr(stores, owner);
      const [one, two] = [
        await add(owner, qr, { nextMs: noon + 1 }),
        await add(owner, qr, { nextMs: noon + 2 }),
      ];
      await store.reschedule([
        { id: one.id, formerMs: noon + 1, nextMs: noon + 5 },
        // It was made since.
        { id: two.id, formerMs: noon + 1, nextMs: noon + 7 },
        { id: two.id + 1, formerMs: noon, nextMs: 0 },
      ]);
      expect(await store.slice(owner.accountId, 0, 10)).toEqual([
        { ...one, nextMs: noon + 5 },
        two,
      ]);
      expect(await store.slice(owner.accountId, one.id, 10)).toEqual([two]);
      const schedule = { firstLocal: two.firstLocal, every: null };
      const waiting = { id: two.id, ...schedule, nextMs: noon + 2, account: { timeZone: null } };
      expect(await store.waiting(noon + 1, one.id, 10)).toEqual([waiting]);
      expect(await store.waiting(noon + 2, 0, 10)).toMatchObject([{ id: one.id }]);
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
      const runnerOn = ({ plannedChanges }: Stores) =>
        createPlannedChangeRunner({
          store: {
            ...plannedChanges,
            // Small slices, so that several meet.
            due: (nowMs) => plannedChanges.due(nowMs, 4),
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
