import { describe, expect, test } from 'bun:test';
import type { BulkEditChange, CodeEdit } from '../../src/core/batches/bulk-edit.ts';
import { searchBatches } from '../../src/core/codes/lists/search.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import {
  acting,
  addOwner,
  addQr,
  beginBulkEdit,
  beginUndo,
  newInvitation,
  newLink,
  noon,
  type Owner,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const replace = { kind: 'replace', replaced: 'example.com', replacement: 'example.org' } as const;

/** Tests of the port `BulkEditStore`, for every adapter. */
export function bulkEditStoreSuite({ name, stores, empty }: DatabaseUnderTest): void {
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
  const begin = (owner: Owner, change: BulkEditChange, edits: readonly CodeEdit[]) =>
    beginBulkEdit(stores, acting(owner.accountId), change, edits);
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
      const id = await begin(owner, change, edits);
      const counts = { selected: 3, codes: 0, leftOut: 0, undone: 0, changedSince: 0 };
      const edit = { id, accountId: owner.accountId, change, atMs: noon, problem: null };
      expect(await store.last(owner.accountId)).toEqual({ ...edit, state: 'running', ...counts });
      const pending = await store.pending(id, 0, 2);
      expect(pending).toEqual(edits.slice(0, 2));
      expect(await store.make(id, pending, [], noon + 1)).toEqual(
        codes.slice(0, 2).map(({ code }) => code),
      );
      expect(await store.last(owner.accountId)).toMatchObject({ state: 'running', codes: 2 });
      expect(await store.pending(id, 0, 2)).toEqual(edits.slice(2));
      // What is made is not made again.
      expect(await store.make(id, edits, [], noon + 1)).toEqual([codes[2]?.code ?? '']);
      expect(await store.pending(id, 0, 2)).toEqual([]);
      for (const [at, qr] of codes.entries()) {
        expect((await read(owner, qr))?.destination).toBe(edits[at]?.after ?? '');
        expect(await qrs.formerDestinations(qr.id, 5)).toEqual([
          { destination: qr.destination, untilMs: noon + 1, isReplacedAsPlanned: false },
        ]);
      }
      expect(await beginUndo(stores, acting(owner.accountId), id)).toBeTrue();
      const made = { ...counts, codes: 3 };
      expect(await store.last(owner.accountId)).toEqual({ ...edit, state: 'undoing', ...made });
      const recorded = await store.edits(id, 0, 2);
      expect(recorded).toEqual(edits.slice(0, 2));
      expect(await store.edits(id, recorded[1]?.qrId ?? 0, 2)).toEqual(edits.slice(2));

      const back = await store.pending(id, 0, 9);
      expect(back).toEqual(edits.map((one) => ({ ...reversed(one), needsRecheck: true })));
      expect(await store.make(id, back.slice(0, 1), [], noon + 2)).toHaveLength(1);
      expect(await store.last(owner.accountId)).toMatchObject({ codes: 2, undone: 1 });
      expect(await store.make(id, back, [], noon + 2)).toHaveLength(2);
      await store.end(id, null);
      expect(await store.last(owner.accountId)).toMatchObject({
        ...{ state: 'undone', codes: 0, undone: 3 },
      });
      for (const qr of codes) {
        expect(await read(owner, qr)).toEqual(qr);
        expect(await qrs.formerDestinations(qr.id, 5)).toHaveLength(2);
      }
    });

    test('many codes are recorded in order', async () => {
      const owner = await newOwner();
      const links = Array.from({ length: 2100 }, (_, at) => newLink(`${owner.accountId}/${at}`));
      await stores.linkImports.add(acting(owner.accountId), links, noon);
      const found = await Array.fromAsync(searchBatches(qrs, owner.accountId, ''));
      const edits = found.flat().map((qr) => editOf(qr, 'listed', 'archived'));
      const id = await begin(owner, { kind: 'archive' }, edits);
      expect(await store.last(owner.accountId)).toMatchObject({ state: 'running', selected: 2100 });
      const pending = await store.pending(id, 0, 5000);
      expect(pending).toEqual(edits.toSorted((one, next) => one.qrId - next.qrId));
    });

    test('an edit goes on in another process when the turn of the first has ended', async () => {
      await empty();
      const owner = await newOwner();
      const { accountId } = owner;
      const id = await begin(owner, replace, [moveOf(await newCode(owner))]);
      // Nobody begins another one meanwhile.
      expect(await store.lease(accountId, noon + 9, noon + 20)).toBeFalse();
      expect(await store.leaseUnfinished(noon, noon + 20)).toBeNull();
      expect(await store.leaseUnfinished(noon + 1, noon + 20)).toMatchObject({ id, accountId });
      expect(await store.renew(accountId, noon + 1, noon + 30)).toBeFalse();
      expect(await store.renew(accountId, noon + 20, noon + 30)).toBeTrue();
      expect(await store.leaseUnfinished(noon + 29, noon + 40)).toBeNull();
      await store.end(id, { kind: 'plan expired' });
      expect(await store.leaseUnfinished(noon + 99, noon + 100)).toBeNull();
      expect(await store.last(accountId)).toMatchObject({
        ...{ state: 'done', codes: 0, problem: { kind: 'plan expired' } },
      });
      expect(await store.make(id, await store.pending(id, 0, 9), [], noon)).toEqual([]);
      expect(await store.lease(accountId, noon, noon + 20)).toBeTrue();
      // The turn of the first has ended.
      const act = acting(accountId);
      expect(await store.begin(act, noon + 30, replace, [], noon)).toBeNull();
      expect(await store.beginUndo(act, noon + 30, id)).toBeFalse();
    });

    test('codes are left out for reasons, in an edit and in its undo', async () => {
      const owner = await newOwner();
      const codes = [await newCode(owner), await newCode(owner)] as const;
      const edits = codes.map(moveOf);
      const id = await begin(owner, replace, edits);
      const reason = { kind: 'nothing left of the destination' } as const;
      const { qrId, code, before, after } = moveOf(codes[1]);
      expect(await store.make(id, edits.slice(0, 1), [{ qrId, reason }], noon)).toHaveLength(1);
      expect(await store.pending(id, 0, 9)).toEqual([]);
      expect(await store.refused(id, 9)).toEqual([{ code, before, after, reason }]);
      expect(await store.last(owner.accountId)).toMatchObject({ codes: 1, leftOut: 1 });
      expect(await beginUndo(stores, acting(owner.accountId), id)).toBeTrue();
      const [back] = await store.pending(id, 0, 9);
      expect(back).toEqual({ ...reversed(moveOf(codes[0])), needsRecheck: true });
      await store.make(id, [], [{ qrId: back?.qrId ?? 0, reason }], noon);
      await store.end(id, null);
      expect(await store.last(owner.accountId)).toMatchObject({ state: 'done', codes: 1 });
      expect(await store.refused(id, 9)).toHaveLength(2);
    });

    test('only who may change codes of the account does', async () => {
      const { people, accounts } = stores;
      const owner = await newOwner();
      const { accountId } = owner;
      const qr = await newCode(owner);
      const other = await newOwner();
      const email = (await accounts.find(other.accountId))?.email ?? '';
      const by = { kind: 'person', accountId: other.accountId } as const;
      const invitation = newInvitation(email, { hash: `edits ${accountId}`, role: 'editor' });
      const make = async () => {
        const edits = [editOf(qr, 'active', 'paused')];
        const id = await beginBulkEdit(stores, { accountId, by }, { kind: 'pause' }, edits);
        return store.make(id, edits, [], noon);
      };
      const noRight = { reason: { kind: 'no right' } };
      await expect(make()).rejects.toMatchObject(noRight);
      await people.invite(acting(accountId), invitation);
      await people.join(`edits ${accountId}`, other.accountId, 'none', noon);
      await people.changeRole(acting(accountId), other.accountId, 'viewer', noon);
      await expect(make()).rejects.toMatchObject(noRight);
      await people.changeRole(acting(accountId), other.accountId, 'editor', noon);
      expect(await make()).toEqual([qr.code]);
      await people.remove(acting(accountId), other.accountId, noon);
      await expect(make()).rejects.toMatchObject(noRight);
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
      const pauses = [one, two].map((qr) => editOf(qr, 'active', 'paused'));
      const id = await begin(owner, { kind: 'pause' }, pauses);
      await qrs.changeStatus(acting(owner.accountId), two.code, 'active', 'blocked', noon);
      expect(await store.make(id, pauses, [], noon)).toEqual([one.code]);
      expect([(await read(owner, one))?.status, (await read(owner, two))?.status]).toEqual([
        'paused',
        'blocked',
      ]);
      expect(await store.refused(id, 9)).toMatchObject([{ reason: { kind: 'changed meanwhile' } }]);
      const last = { change: { kind: 'pause' }, codes: 1, leftOut: 1 };
      expect(await store.last(owner.accountId)).toMatchObject({ ...last, changedSince: 0 });
      await qrs.changeStatus(acting(owner.accountId), one.code, 'paused', 'active', noon);
      expect(await store.last(owner.accountId)).toMatchObject({ ...last, changedSince: 1 });
    });

    test('a destination that was changed since is counted and not reverted', async () => {
      const owner = await newOwner();
      const codes = [await newCode(owner), await newCode(owner)] as const;
      const edits = codes.map(moveOf);
      const id = await begin(owner, replace, edits);
      await store.make(id, edits, [], noon);
      await qrs.changeDestination(acting(owner.accountId), codes[0].code, 'https://c/', noon);
      expect(await store.last(owner.accountId)).toMatchObject({ codes: 2, changedSince: 1 });
      await beginUndo(stores, acting(owner.accountId), id);
      expect(await store.make(id, edits.map(reversed), [], noon)).toEqual([codes[1].code]);
      await store.end(id, null);
      expect(await store.last(owner.accountId)).toMatchObject({ state: 'done', codes: 1 });
    });

    test('the next bulk edit takes the place of the last one, which can change nothing more', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const [one, two] = [await newCode(owner), await newCode(owner)];
      const first = await begin(owner, replace, [moveOf(one), moveOf(two)]);
      await store.make(first, [moveOf(one)], [], noon);
      const foreign = await begin(other, { kind: 'resume' }, []);
      const pause = [editOf(one, 'active', 'paused')];
      const second = await begin(owner, { kind: 'pause' }, pause);
      await store.make(second, pause, [], noon);
      expect(await store.make(first, [moveOf(two)], [], noon)).toEqual([]);
      expect(await store.last(owner.accountId)).toMatchObject({ id: second, codes: 1 });
      expect(await read(owner, two)).toEqual(two);
      expect(foreign).not.toBe(second);
    });

    test('a destination that is not fully checked waits for its re-check', async () => {
      const owner = await newOwner();
      const qr = await newCode(owner);
      const edits = [{ ...moveOf(qr), needsRecheck: true }];
      const id = await begin(owner, replace, edits);
      expect(await store.pending(id, 0, 9)).toEqual(edits);
      expect(await store.make(id, edits, [], noon)).toHaveLength(1);
      expect((await flags.queued(100)).map(({ qrId }) => qrId)).toContain(qr.id);
    });
  });
}
