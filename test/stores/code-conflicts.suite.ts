import { describe, expect, test } from 'bun:test';
import { createBulkEdits } from '../../src/core/batches/bulk-edits.ts';
import type { Stores } from '../../src/core/storage.ts';
import {
  acting,
  addOwner,
  addQr,
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
const bulkEditsOf = (stores: Stores) =>
  createBulkEdits({
    store: stores.bulkEdits,
    qrs: stores.qrs,
    checkDestination: async (destination) => ({ destination, needsRecheck: false }),
    clock: { nowMs: Date.now, monotonicMs: performance.now.bind(performance) },
    sleep: Bun.sleep,
  });

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
      const { id: qrId, code } = await addQr(one, owner);
      for (let round = 0; round < rounds; round++) {
        const [a, b] = await both(({ bulkEdits }) =>
          bulkEdits.begin(owner.accountId, { kind: 'pause' }, noon),
        );
        const edit = { qrId, code, before: 'active', after: 'paused' };
        const back = { ...edit, before: 'paused', after: 'active', needsRecheck: false };
        const applied = await Promise.all([
          one.bulkEdits.apply(command, a, [{ ...edit, needsRecheck: false }], noon),
          other.bulkEdits.apply(command, b, [{ ...edit, needsRecheck: false }], noon),
        ]);
        expect(applied.flat()).toEqual([code]);
        const last = await other.bulkEdits.last(owner.accountId);
        expect([a, b]).toContain(last?.id ?? 0);
        expect(await one.bulkEdits.revert(command, last?.id ?? 0, [back], noon)).toEqual([code]);
      }
    });

    test('edit the same codes in bulk, of which one edit can be undone', async () => {
      const owner = await newOwner();
      const { accountId } = owner;
      const links = Array.from({ length: 250 }, (_, at) => newLink(`in bulk ${at}`));
      await one.linkImports.add(acting(accountId), links, noon);
      const results = await both((stores) =>
        bulkEditsOf(stores).apply(acting(accountId), { search: '' }, replace),
      );
      expect(results.map(({ changed }) => changed).sort()).toEqual([0, 250]);
      const undone = await Promise.allSettled([
        bulkEditsOf(one).undo(acting(accountId)),
        bulkEditsOf(other).undo(acting(accountId)),
      ]);
      expect(undone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(undone).toContainEqual({ status: 'fulfilled', value: 250 });

      // A process that was killed while it wrote keeps its own account's turn only.
      await one.bulkEdits.lease(accountId, Date.now(), Date.now() + 600_000);
      expect(await other.bulkEdits.lease(accountId, Date.now(), Date.now() + 600_000)).toBe(false);
      const second = await newOwner();
      await addQr(one, second);
      const { changed } = await bulkEditsOf(other).apply(
        acting(second.accountId),
        { search: '' },
        { kind: 'pause' },
      );
      expect(changed).toBe(1);
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
