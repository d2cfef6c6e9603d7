import { describe, expect, test } from 'bun:test';
import { createBulkEditRunner } from '../../src/core/batches/bulk-edit-runner.ts';
import { createBulkEdits } from '../../src/core/batches/bulk-edits.ts';
import type { Stores } from '../../src/core/storage.ts';
import {
  acting,
  addOwner,
  addQr,
  beginBulkEdit,
  beginUndo,
  command,
  day,
  kindOf,
  newBatch,
  newLink,
  newQr,
  newRow,
  noon,
  type Owner,
  totalOf,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const rounds = 4;
const replace = { kind: 'replace', replaced: 'example.com', replacement: 'example.org' } as const;

/** The service of bulk edits in a process that uses some stores. */
const bulkEditsOf = ({ accounts, bulkEdits: store, qrs }: Stores) => {
  const checkDestination = async (destination: string) => ({ destination, needsRecheck: false });
  const clock = { nowMs: Date.now, monotonicMs: performance.now.bind(performance) };
  const onError = (error: unknown) => {
    throw error;
  };
  const runner = createBulkEditRunner({ store, accounts, checkDestination, clock, onError });
  return createBulkEdits({
    ...{ store, runner, qrs, checkDestination, checkDestinationHere: checkDestination, clock },
    // An edit is waited for, however long it takes.
    sleep: (ms) => (ms < 1000 ? Bun.sleep(ms) : new Promise(() => {})),
  });
};

/** Tests of changes of codes that two connections make at once, for every adapter. */
export function codeConflictsSuite({ name, stores: one, others: other }: DatabaseUnderTest): void {
  const newOwner = () => addOwner(one);
  /** Makes the same change on both at once. */
  const both = <T>(act: (stores: Stores) => Promise<T>) => Promise.all([act(one), act(other)]);
  const total = ({ accountId }: Owner) => totalOf(one, accountId);

  describe(`${name}, two connections at once`, () => {
    test('create one code, and one of an idempotency key', async () => {
      const owner = await newOwner();
      for (let round = 0; round < rounds; round++) {
        const { code } = newQr(owner);
        const outcomes = await both(({ qrs }) => qrs.insert(newQr(owner, { code }), null, command));
        expect(outcomes.map(kindOf).sort()).toEqual(['stored', 'taken']);
        const key = { digest: new Uint8Array(32).fill(round), atMs: noon };
        const repeated = await both(async ({ qrs }) => {
          const qr = newQr(owner);
          return { code: qr.code, outcome: await qrs.insert(qr, key, command) };
        });
        const winner = repeated.find(({ outcome }) => kindOf(outcome) === 'stored');
        expect(repeated.map(({ outcome }) => outcome)).toContainEqual({
          earlier: expect.objectContaining({ code: winner?.code }),
        });
      }
      expect(await total(owner)).toBe(2 * rounds);
    });

    test('give a path to one code, or to one link', async () => {
      const owner = await newOwner();
      const { accountId } = owner;
      for (let round = 0; round < rounds; round++) {
        const [first, second] = [await addQr(one, owner), await addQr(one, owner)];
        const path = `at once ${round}`;
        const outcomes = await Promise.all([
          one.qrs.changeLabels(acting(accountId), first.code, { path }, noon),
          other.qrs.changeLabels(acting(accountId), second.code, { path }, noon),
        ]);
        expect(outcomes.filter((outcome) => outcome === 'path exists')).toHaveLength(1);
        const link = `link at once ${round}`;
        const [changed, isAdded] = await Promise.all([
          one.qrs.changeLabels(acting(accountId), first.code, { path: link }, noon),
          other.linkImports.add(acting(accountId), [newLink(link)], noon),
        ]);
        expect(changed === 'path exists').toBe(isAdded !== false);
        expect(await one.linkImports.taken([path, link, 'nowhere'])).toContain(link);
      }
    });

    test('use idempotency keys again that have expired', async () => {
      const owner = await newOwner();
      const keyOf = (number: number, atMs: number) => ({
        digest: new Uint8Array(32).fill(100 + number),
        atMs,
      });
      for (let number = 0; number < 2 * rounds; number++)
        await one.qrs.insert(newQr(owner), keyOf(number, noon), command);
      for (let number = 0; number < 2 * rounds; number += 2) {
        const outcomes = await Promise.all([
          one.qrs.insert(newQr(owner), keyOf(number, noon + 2 * day), command),
          other.qrs.insert(newQr(owner), keyOf(number + 1, noon + 2 * day), command),
        ]);
        expect(outcomes.map(kindOf)).toEqual(['stored', 'stored']);
      }
      expect(await total(owner)).toBe(4 * rounds);
    });

    test('change a destination one after the other', async () => {
      const owner = await newOwner();
      const { code } = await addQr(one, owner);
      const to = ({ qrs }: Stores, destination: string) =>
        qrs.changeDestination(acting(owner.accountId), code, destination, noon);
      for (let round = 0; round < rounds; round++) {
        const [a, b] = [`https://a/${round}`, `https://b/${round}`];
        await Promise.all([to(one, a), to(other, b)]);
        const qr = await one.qrs.find(owner.accountId, code);
        const [former] = await one.qrs.formerDestinations(qr?.id ?? 0, 1);
        expect([qr?.destination, former?.destination].sort()).toEqual([a, b]);
      }
    });

    test('begin a bulk edit of an account, of which one stays', async () => {
      const owner = await newOwner();
      const { accountId } = owner;
      const { id: qrId, code } = await addQr(one, owner);
      const edits = [{ qrId, code, before: 'active', after: 'paused', needsRecheck: false }];
      for (let round = 0; round < rounds; round++) {
        const turns = await both(({ bulkEdits }) => bulkEdits.lease(accountId, noon, noon + 1));
        expect(turns.sort()).toEqual([false, true]);
        const begun = await both(({ bulkEdits }) =>
          bulkEdits.begin(acting(accountId), noon + 1, { kind: 'pause' }, edits, noon),
        );
        const made = await Promise.all([
          one.bulkEdits.make(begun[0] ?? 0, edits, [], noon),
          other.bulkEdits.make(begun[1] ?? 0, edits, [], noon),
        ]);
        expect(made.flat()).toEqual([code]);
        const last = await other.bulkEdits.last(accountId);
        expect(begun).toContain(last?.id ?? 0);
        expect(await beginUndo(other, acting(accountId), last?.id ?? 0)).toBeTrue();
        const back = await one.bulkEdits.pending(last?.id ?? 0, 0, 9);
        const undone = await both(({ bulkEdits }) => bulkEdits.make(last?.id ?? 0, back, [], noon));
        expect(undone.flat()).toEqual([code]);
        await both(({ bulkEdits }) => bulkEdits.end(last?.id ?? 0, null));
        expect(await one.bulkEdits.last(accountId)).toMatchObject({ state: 'undone', undone: 1 });
      }
    });

    test('take over one bulk edit, and change each of its codes once', async () => {
      const owner = await newOwner();
      const act = acting(owner.accountId);
      const links = Array.from({ length: 120 }, (_, at) => newLink(`taken over ${at}`));
      await one.linkImports.add(act, links, noon);
      const selected = await bulkEditsOf(one).select(owner.accountId, { search: '' });
      const edits = selected.map(({ id: qrId, code, status }) => ({
        ...{ qrId, code, before: status, after: 'paused', needsRecheck: false },
      }));
      const id = await beginBulkEdit(one, act, { kind: 'pause' }, edits);
      const leased = await both(({ bulkEdits }) => bulkEdits.leaseUnfinished(noon + 9, noon + 99));
      expect(leased.map((edit) => edit?.id ?? 0).sort()).toEqual([0, id]);
      // Both believe that they have it.
      const pending = await one.bulkEdits.pending(id, 0, 1000);
      const made = await both(({ bulkEdits }) => bulkEdits.make(id, pending, [], noon));
      expect(made.flat()).toHaveLength(120);
      const { entries } = await one.activity.page(owner.accountId, {}, null, 10);
      const paused = entries.filter(({ kind }) => kind === 'codes-paused');
      expect(paused.map(({ count }) => count)).toEqual([120]);
    });

    test('edit the same codes in bulk, of which one edit can be undone', async () => {
      const owner = await newOwner();
      const { accountId } = owner;
      const links = Array.from({ length: 250 }, (_, at) => newLink(`in bulk ${at}`));
      await one.linkImports.add(acting(accountId), links, noon);
      const results = await both((stores) =>
        bulkEditsOf(stores).apply(acting(accountId), { search: '' }, replace),
      );
      expect(results.map((edit) => edit?.codes ?? 0).sort()).toEqual([0, 250]);
      const undone = await Promise.allSettled([
        bulkEditsOf(one).undo(acting(accountId)),
        bulkEditsOf(other).undo(acting(accountId)),
      ]);
      expect(undone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const value = expect.objectContaining({ state: 'undone', undone: 250 });
      expect(undone).toContainEqual({ status: 'fulfilled', value });

      // A process that was killed while it planned keeps its own account's turn only.
      await one.bulkEdits.lease(accountId, Date.now(), Date.now() + 600_000);
      expect(await other.bulkEdits.lease(accountId, Date.now(), Date.now() + 600_000)).toBe(false);
      const second = await newOwner();
      await addQr(one, second);
      const edit = await bulkEditsOf(other).apply(
        acting(second.accountId),
        { search: '' },
        { kind: 'pause' },
      );
      expect(edit).toMatchObject({ state: 'done', codes: 1 });
    });

    test('import the same paths once', async () => {
      const owner = await newOwner();
      for (let round = 0; round < rounds; round++) {
        const links = Array.from({ length: 50 }, (_, at) => newLink(`menu ${round}/${at}`));
        const imported = await Promise.all([
          one.linkImports.add(acting(owner.accountId), links, noon),
          other.linkImports.add(acting(owner.accountId), links.toReversed(), noon),
        ]);
        expect(imported.filter((entry) => entry === false)).toHaveLength(1);
      }
      expect(await total(owner)).toBe(50 * rounds);
    });

    test('create the codes of a batch once', async () => {
      const owner = await newOwner();
      const rows = Array.from({ length: rounds }, (_, at) => newRow(at + 1));
      const id = await one.batches.add(newBatch(owner, { rows }));
      const leased = await both(({ batches }) => batches.lease(noon, noon + 10));
      expect(leased.filter((found) => found !== null)).toHaveLength(1);
      for (const { row } of rows) {
        const outcomes = await both(({ batches }) =>
          batches.createQr(id, row, newQr(owner), false),
        );
        expect(outcomes.sort()).toEqual(['decided', 'stored']);
      }
      expect(await total(owner)).toBe(rounds);
      await one.batches.end(id, 'done', null);
    });

    test('start a draft or replace it, so that a batch that runs has its rows', async () => {
      const owner = await newOwner();
      const draft = newBatch(owner, { state: 'draft', rows: [newRow(1)] });
      for (let round = 0; round < rounds; round++) {
        const id = await one.batches.add(draft);
        const [started] = await Promise.all([
          one.batches.start(
            acting(owner.accountId),
            id,
            { designId: owner.designId, folder: null },
            noon,
          ),
          other.batches.add(draft),
        ]);
        const found = await one.batches.find(owner.accountId, id);
        expect(found?.rows).toBe(started ? 1 : undefined);
        if (started) await one.batches.end(id, 'done', null);
      }
    });
  });
}
