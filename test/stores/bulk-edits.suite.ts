import { describe, expect, test } from 'bun:test';
import type { CodeEdit } from '../../src/core/batches/bulk-edit.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import { acting, addOwner, addQr, command, noon, type Owner } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const replace = { kind: 'replace', replaced: 'example.com', replacement: 'example.org' } as const;

/** Tests of the port `BulkEditStore`, for every adapter. */
export function bulkEditStoreSuite({ name, stores }: DatabaseUnderTest): void {
  const { bulkEdits: store, qrs, flags } = stores;
  const newOwner = () => addOwner(stores);
  const newCode = (owner: Owner) => addQr(stores, owner);
  const editOf = (qr: Qr, before: string, after: string): CodeEdit => ({
    qrId: qr.id,
    code: qr.code,
    before,
    after,
    needsRecheck: false,
  });
  const moveOf = (qr: Qr) => editOf(qr, qr.destination, `https://example.org/${qr.code}`);
  const reversed = (edit: CodeEdit) => ({ ...edit, before: edit.after, after: edit.before });
  const read = (owner: Owner, { code }: Qr) => qrs.find(owner.accountId, code);

  describe(`${name}: bulk edits`, () => {
    test.each([
      ['parts of destinations', replace],
      ['whole destinations', { ...replace, replaced: null }],
    ])('%s change with their history, and back', async (_, change) => {
      const owner = await newOwner();
      const codes = [await newCode(owner), await newCode(owner), await newCode(owner)];
      const edits = codes.map(moveOf);
      expect(await store.last(owner.accountId)).toBeNull();
      const id = await store.begin(owner.accountId, change, noon);
      expect(await store.apply(command, id, edits.slice(0, 2), noon + 1)).toEqual(
        codes.slice(0, 2).map(({ code }) => code),
      );
      expect(await store.apply(command, id, edits.slice(2), noon + 1)).toHaveLength(1);
      for (const [at, qr] of codes.entries()) {
        expect((await read(owner, qr))?.destination).toBe(edits[at]?.after ?? '');
        expect(await qrs.formerDestinations(qr.id, 5)).toEqual([
          { destination: qr.destination, untilMs: noon + 1, isReplacedAsPlanned: false },
        ]);
      }
      const last = { id, change, atMs: noon, codes: 3, changedSince: 0 };
      expect(await store.last(owner.accountId)).toEqual(last);
      const recorded = await store.edits(id, 0, 2);
      expect(recorded).toEqual(edits.slice(0, 2));
      expect(await store.edits(id, recorded[1]?.qrId ?? 0, 2)).toEqual(edits.slice(2));

      expect(
        await store.revert(command, id, edits.slice(0, 1).map(reversed), noon + 2),
      ).toHaveLength(1);
      expect(await store.last(owner.accountId)).toMatchObject({ codes: 2 });
      expect(await store.revert(command, id, edits.slice(1).map(reversed), noon + 2)).toHaveLength(
        2,
      );
      expect(await store.last(owner.accountId)).toBeNull();
      for (const qr of codes) {
        expect(await read(owner, qr)).toEqual(qr);
        expect(await qrs.formerDestinations(qr.id, 5)).toHaveLength(2);
      }
    });

    test('a turn that ends more than an hour ahead can be taken, because its clock was wrong', async () => {
      const year = 365 * 24 * 3_600_000;
      const { accountId } = await newOwner();
      expect(await store.lease(accountId, noon + year, noon + year + 20)).toBeTrue();
      expect(await store.lease(accountId, noon, noon + 20)).toBeTrue();
      expect(await store.lease(accountId, noon, noon + 20)).toBeFalse();
      expect(await store.lease(accountId, noon + 20, noon + 40)).toBeTrue();
    });

    test('a status changes, and a code that was changed meanwhile is left out', async () => {
      const owner = await newOwner();
      const [one, two] = [await newCode(owner), await newCode(owner)];
      const id = await store.begin(owner.accountId, { kind: 'pause' }, noon);
      await qrs.changeStatus(acting(owner.accountId), two.code, 'active', 'blocked', noon);
      const pauses = [one, two].map((qr) => editOf(qr, 'active', 'paused'));
      expect(await store.apply(command, id, pauses, noon)).toEqual([one.code]);
      expect([(await read(owner, one))?.status, (await read(owner, two))?.status]).toEqual([
        'paused',
        'blocked',
      ]);
      const last = { change: { kind: 'pause' }, codes: 1 };
      expect(await store.last(owner.accountId)).toMatchObject({ ...last, changedSince: 0 });
      await qrs.changeStatus(acting(owner.accountId), one.code, 'paused', 'active', noon);
      expect(await store.last(owner.accountId)).toMatchObject({ ...last, changedSince: 1 });
    });

    test('a destination that was changed since is counted and not reverted', async () => {
      const owner = await newOwner();
      const codes = [await newCode(owner), await newCode(owner)] as const;
      const edits = codes.map(moveOf);
      const id = await store.begin(owner.accountId, replace, noon);
      await store.apply(command, id, edits, noon);
      await qrs.changeDestination(acting(owner.accountId), codes[0].code, 'https://c/', noon);
      expect(await store.last(owner.accountId)).toMatchObject({ codes: 2, changedSince: 1 });
      expect(await store.revert(command, id, edits.map(reversed), noon)).toEqual([codes[1].code]);
    });

    test('the next bulk edit takes the place of the last one, which can change nothing more', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const [one, two] = [await newCode(owner), await newCode(owner)];
      const first = await store.begin(owner.accountId, replace, noon);
      await store.apply(command, first, [moveOf(one)], noon);
      const foreign = await store.begin(other.accountId, { kind: 'resume' }, noon);
      const second = await store.begin(owner.accountId, { kind: 'pause' }, noon);
      await store.apply(command, second, [editOf(one, 'active', 'paused')], noon);
      expect(await store.apply(command, first, [moveOf(two)], noon)).toEqual([]);
      expect(await store.revert(command, first, [reversed(moveOf(one))], noon)).toEqual([]);
      expect(await store.last(owner.accountId)).toMatchObject({ id: second, codes: 1 });
      expect(await read(owner, two)).toEqual(two);
      expect(foreign).not.toBe(second);
    });

    test('a destination that is not fully checked waits for its re-check', async () => {
      const owner = await newOwner();
      const qr = await newCode(owner);
      const id = await store.begin(owner.accountId, replace, noon);
      expect(
        await store.apply(command, id, [{ ...moveOf(qr), needsRecheck: true }], noon),
      ).toHaveLength(1);
      expect((await flags.queued(100)).map(({ qrId }) => qrId)).toContain(qr.id);
    });
  });
}
