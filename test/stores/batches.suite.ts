import { describe, expect, test } from 'bun:test';
import type { BatchRow } from '../../src/core/batches/batch.ts';
import { noLabels } from '../core/sample-qr.ts';
import {
  acting,
  addOwner,
  day,
  newBatch,
  newQr,
  newRow,
  noon,
  type Owner,
  totalOf,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const digest = new Uint8Array(32).fill(3);

// Its text needs quotes in JSON and in SQL.
const notGood = { kind: 'resembles a domain', text: `a"'\\.pdf` } as const;

function rowsOf(count: number, badRow?: number): BatchRow[] {
  return Array.from({ length: count }, (_, at) =>
    newRow(at + 2, {
      name: at % 2 === 0 ? `Table "${at}", Süd\n=1` : null,
      destination: `https://example.com/${at}?q='"`,
      problem: at + 2 === badRow ? notGood : null,
    }),
  );
}

/** Tests of the port `BatchStore`, for every adapter. */
export function batchStoreSuite({ name, stores }: DatabaseUnderTest): void {
  const { batches: store, qrs } = stores;
  const newOwner = () => addOwner(stores);
  const add = (owner: Owner, fields: Parameters<typeof newBatch>[1] = {}) =>
    store.add(newBatch(owner, { digest, rows: rowsOf(3), ...fields }));

  describe(`${name}: batches`, () => {
    test('a draft keeps its rows, counts its problems, and starts once', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const rows = rowsOf(5, 4).map((row, at) =>
        at === 4 ? { ...row, problem: { kind: 'code exists' } as const } : row,
      );
      const notices = [
        { kind: 'row with the headers', row: 1, text: 'One "thing"\nor two' },
        { kind: 'notice as stored', text: 'A sentence of version 1.1.' },
      ] as const;
      const id = await add(owner, { state: 'draft', rows, notices });
      expect(await store.find(owner.accountId, id)).toEqual({
        id,
        accountId: owner.accountId,
        designId: owner.designId,
        state: 'draft',
        problem: null,
        createdAtMs: noon,
        rows: 5,
        refused: 1,
        existing: 1,
        leftOut: 0,
        hasFile: false,
        notices: [...notices],
        created: 0,
      });
      expect(await store.find(other.accountId, id)).toBeNull();
      const pending = rows.map((row) => ({ ...row, code: null }));
      expect(await store.rows(id, 'all', 0, 10)).toEqual(pending);
      expect(await store.rows(id, 'all', 3, 2)).toEqual(pending.slice(2, 4));
      expect(await store.rows(id, 'refused', 0, 10)).toEqual(pending.slice(2, 3));
      expect(await store.rows(id, 'pending', 0, 10)).toHaveLength(3);
      expect(await store.lease(noon, noon + 1, id)).toBeNull();
      const corrected = { ...rowsOf(5)[2], row: 4, destination: 'https://new/', problem: null };
      expect(await store.correct(other.accountId, id, [])).toBe(false);
      expect(await store.correct(owner.accountId, id, [{ ...noLabels, ...corrected }])).toBe(true);
      expect(await store.rows(id, 'all', 3, 1)).toMatchObject([corrected]);
      const choice = { designId: owner.designId, folder: 'Menus' };
      expect(await store.start(acting(other.accountId), id, choice, noon)).toBe(false);
      expect(await store.start(acting(owner.accountId), id, choice, noon)).toBe(true);
      expect(await store.start(acting(owner.accountId), id, choice, noon)).toBe(false);
      expect((await store.find(owner.accountId, id))?.state).toBe('running');
      expect((await store.rows(id, 'all', 0, 10)).map(({ folder }) => folder)).toEqual(
        Array(5).fill('Menus'),
      );
      expect(await store.correct(owner.accountId, id, [])).toBe(false);
      await store.end(id, 'done', null);
    });

    test('a row gets one code, and only while its batch runs', async () => {
      const owner = await newOwner();
      const id = await add(owner);
      const qr = newQr(owner, { name: 'Table 1' });
      expect(await store.createQr(id, 2, qr, false)).toBe('stored');
      expect(await store.createQr(id, 2, newQr(owner), false)).toBe('decided');
      expect(await store.createQr(id, 99, newQr(owner), false)).toBe('decided');
      // The code exists: the row stays open.
      expect(await store.createQr(id, 3, newQr(owner, { code: qr.code }), false)).toBe('taken');
      await store.refuse(id, 3, notGood);
      await store.refuse(id, 2, { kind: 'row not closed' });
      expect(await store.createQr(id, 3, newQr(owner), false)).toBe('decided');
      await store.end(id, 'stopped', { kind: 'batch stopped' });
      expect(await store.createQr(id, 4, newQr(owner), false)).toBe('decided');
      const ended = {
        state: 'stopped',
        problem: { kind: 'batch stopped' },
        ...{ rows: 3, refused: 1, created: 1 },
      };
      expect(await store.find(owner.accountId, id)).toMatchObject(ended);
      expect(await store.rows(id, 'created', 0, 10)).toMatchObject([{ row: 2, code: qr.code }]);
      expect(await store.rows(id, 'refused', 0, 10)).toMatchObject([
        { row: 3, problem: notGood, code: null },
      ]);
      expect(await totalOf(stores, owner.accountId)).toBe(1);
      expect(await qrs.find(owner.accountId, qr.code)).toMatchObject({ name: 'Table 1' });
      // What has ended stays as it is.
      await store.end(id, 'done', null);
      expect((await store.find(owner.accountId, id))?.state).toBe('stopped');
    });

    test('a running batch is leased to one process at a time', async () => {
      const owner = await newOwner();
      const id = await add(owner, { leaseUntilMs: noon + 10 });
      expect(await store.lease(noon, noon + 20, id)).toBeNull();
      expect(await store.lease(noon + 10, noon + 20, id)).toMatchObject({ id, state: 'running' });
      expect(await store.lease(noon + 19, noon + 30, id)).toBeNull();
      expect(await store.renew(id, noon + 10, noon + 90)).toBe(false);
      expect(await store.renew(id, noon + 20, noon + 40)).toBe(true);
      expect(await store.lease(noon + 39, noon + 50, id)).toBeNull();
      const leases = await Promise.all([
        store.lease(noon + 40, noon + 50, id),
        store.lease(noon + 40, noon + 50, id),
      ]);
      expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
      expect(await store.lease(noon + 60, noon + 70)).toMatchObject({ id });
      await store.end(id, 'done', null);
      expect(await store.renew(id, noon + 70, noon + 90)).toBe(false);
      expect(await store.lease(noon + 80, noon + 90)).toBeNull();
    });

    test('a lease that ends more than an hour ahead can be taken, because its clock was wrong', async () => {
      const year = 365 * 24 * 3_600_000;
      const owner = await newOwner();
      const id = await add(owner, { leaseUntilMs: noon + year });
      expect(await store.lease(noon, noon + 20, id)).toMatchObject({ id });
      expect(await store.lease(noon, noon + 20, id)).toBeNull();
    });

    test('an interrupted batch is found by its digest until it ends', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const id = await add(owner);
      expect((await store.findUnfinished(owner.accountId, digest))?.id).toBe(id);
      expect(await store.findUnfinished(other.accountId, digest)).toBeNull();
      expect(await store.findUnfinished(owner.accountId, new Uint8Array(32))).toBeNull();
      await store.end(id, 'done', null);
      expect(await store.findUnfinished(owner.accountId, digest)).toBeNull();
    });

    test('a checked table stays a day, beside others, of which an account has at most five', async () => {
      const owner = await newOwner();
      const listed = async () =>
        (await store.list(owner.accountId, 10)).map((batch) => batch.id).toReversed();
      const drafts: number[] = [];
      for (let at = 0; at < 7; at++) drafts.push(await add(owner, { state: 'draft' }));
      expect(await listed()).toEqual(drafts.slice(2));
      const atMs = noon + day - 1;
      const running = await add(owner, { atMs });
      expect(await listed()).toEqual([...drafts.slice(3), running]);
      const next = await add(owner, { state: 'draft', atMs: atMs + 2 });
      const last = await add(owner, { state: 'draft', atMs: atMs + 2 });
      expect(await listed()).toEqual([running, next, last]);
      await store.end(running, 'done', null);
    });

    test("a new batch removes the account's old drafts and batches, but none that runs", async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const foreign = await add(other, { state: 'draft' });
      const running = await add(owner);
      const old = await add(owner);
      expect(await store.createQr(old, 2, newQr(owner), false)).toBe('stored');
      await store.end(old, 'done', null);
      const draft = await add(owner, { state: 'draft' });
      const late = await add(owner, { atMs: noon + 31 * day });
      const listed = async (limit: number) =>
        (await store.list(owner.accountId, limit)).map((batch) => batch.id);
      expect(await listed(10)).toEqual([late, running]);
      expect(await listed(1)).toEqual([late]);
      expect(await store.rows(draft, 'all', 0, 10)).toEqual([]);
      expect(await store.find(other.accountId, foreign)).not.toBeNull();
      expect(await totalOf(stores, owner.accountId)).toBe(1);
      for (const id of [running, late]) await store.end(id, 'done', null);
    });
  });
}
