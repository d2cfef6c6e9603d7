import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { BulkEditChange } from '../../src/core/batches/bulk-edit.ts';
import { createBulkEdits, maxBulkEditCodes } from '../../src/core/batches/bulk-edits.ts';
import type { CodeSelection } from '../../src/core/codes/lists/selection.ts';
import { qrStatuses } from '../../src/core/codes/qr.ts';
import { parseDestination } from '../../src/core/codes/urls/destination.ts';
import { ApiError } from '../../src/core/errors.ts';
import { addAccount, createFolders, storesOn } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { acting, command, newQr, noon } from '../stores/rows.ts';
import { rejectionOf } from '../support/rejection.ts';

const { newFolder, openIn } = createFolders();
/** Hosts that are dangerous at the moment. */
const dangerous = new Set<string>();

function setUp() {
  const database = openIn(newFolder());
  const { qrs, bulkEdits: store } = storesOn(database);
  const bulkEdits = createBulkEdits({
    store,
    qrs,
    clock: { nowMs: () => 1000, monotonicMs: () => 0 },
    sleep: Bun.sleep,
    checkDestination: async (url) => {
      const destination = parseDestination(url, ['https://qr.example.com']);
      if (dangerous.has(new URL(destination).hostname)) throw new ApiError('unsafe_url');
      return { destination, needsRecheck: false };
    },
  });
  return { database, qrs, bulkEdits };
}

const { database, qrs, bulkEdits } = setUp();
let owners = 0;
const newOwner = () => addAccount(database, `${owners++}@example.com`);
type Owner = Awaited<ReturnType<typeof newOwner>>;

async function addCodes(owner: Owner, destinations: readonly string[]): Promise<string[]> {
  const codes = destinations.map((destination, at) =>
    newQr(owner, { destination, createdAtMs: 1_000_000 - at }),
  );
  for (const qr of codes) await qrs.insert(qr, null, command);
  return codes.map(({ code }) => code);
}
const replace = (replaced: string | null, replacement: string): BulkEditChange => ({
  kind: 'replace',
  replaced,
  replacement,
});
const all: CodeSelection = { search: '' };

describe('a bulk edit', () => {
  test('changes what its preview shows, and its undo restores it', async () => {
    const part = fc.constantFrom('a', 'b.example', 'https://', '/x', '$&', 'example', 'http');
    const path = fc.array(part, { maxLength: 4 }).map((parts) => parts.join('/'));
    const destination = fc
      .tuple(fc.constantFrom('a.example', 'b.example', 'evil.example'), path)
      .map(([host, rest]) => `https://${host}/${rest}`);
    const change = fc.oneof(
      fc.tuple(part, fc.oneof(part, fc.constant(''))).map((texts) => replace(...texts)),
      fc.constantFrom<BulkEditChange>({ kind: 'pause' }, { kind: 'resume' }),
      fc.constant(replace(null, 'https://a.example/')),
    );
    const statuses = fc.array(fc.constantFrom(...qrStatuses), { minLength: 12, maxLength: 12 });
    dangerous.add('evil.example');
    await fc.assert(
      fc.asyncProperty(
        fc.array(destination, { maxLength: 12 }),
        statuses,
        change,
        fc.boolean(),
        async (destinations, statusOf, edit, bySearch) => {
          const owner = await newOwner();
          const codes = await addCodes(owner, destinations);
          for (const [at, code] of codes.entries())
            await qrs.changeStatus(
              acting(owner.accountId),
              code,
              'active',
              statusOf[at] ?? 'active',
              noon,
            );
          const selected = bySearch ? codes : codes.filter((_, at) => at % 2 === 0);
          const selection = bySearch ? all : { codes: [...selected, 'unknown0'] };
          const before = (await qrs.listPage(owner.accountId, 100, 0)).qrs;

          const preview = await bulkEdits.preview(owner.accountId, selection, edit);
          expect((await qrs.listPage(owner.accountId, 100, 0)).qrs).toEqual(before);
          expect(preview.selected).toBe(selected.length);
          const touched = [...preview.edits, ...preview.refused].map(({ code }) => code);
          expect(new Set(touched).size).toBe(touched.length);
          for (const code of touched) expect(selected).toContain(code);

          const result = await bulkEdits.apply(acting(owner.accountId), selection, edit);
          expect(result).toEqual({ changed: preview.edits.length, refused: preview.refused });
          const after = (await qrs.listPage(owner.accountId, 100, 0)).qrs;
          for (const [at, qr] of after.entries()) {
            const edited = preview.edits.find(({ code }) => code === qr.code);
            const value = edit.kind === 'replace' ? 'destination' : 'status';
            expect<string>(qr[value]).toBe(edited?.after ?? before[at]?.[value] ?? '');
            const history = await qrs.formerDestinations(qr.id, 5);
            expect(history.length).toBe(edited && edit.kind === 'replace' ? 1 : 0);
          }
          if (preview.edits.length === 0) return;
          const undo = bulkEdits.undo(acting(owner.accountId));
          // What was dangerous before, such as a code made when it was not listed, stays as it is.
          const isBlocked =
            edit.kind === 'replace' &&
            preview.edits.some((one) => new URL(one.before).hostname === 'evil.example');
          if (isBlocked) {
            expect(await rejectionOf(undo)).toMatchObject({
              reason: { kind: 'earlier destination rejected' },
            });
            expect((await qrs.listPage(owner.accountId, 100, 0)).qrs).toEqual(after);
          } else {
            expect(await undo).toBe(preview.edits.length);
            expect((await qrs.listPage(owner.accountId, 100, 0)).qrs).toEqual(before);
            expect(String(await rejectionOf(bulkEdits.undo(acting(owner.accountId))))).toContain(
              'no bulk edit',
            );
          }
        },
      ),
      { numRuns: 25 },
    );
    dangerous.clear();
  });

  test('moves codes out of a folder of any name', async () => {
    const owner = await newOwner();
    const [code = ''] = await addCodes(owner, ['https://a.example/']);
    await qrs.changeLabels(acting(owner.accountId), code, { folder: 'blocked' }, noon);
    const change: BulkEditChange = { kind: 'folder', folder: 'Menus' };
    expect(await bulkEdits.apply(acting(owner.accountId), all, change)).toEqual({
      changed: 1,
      refused: [],
    });
    expect(await qrs.find(owner.accountId, code)).toMatchObject({ folder: 'Menus' });
  });

  test('waits for another one of the account, and is refused when that takes long', async () => {
    const { accountId } = await newOwner();
    const { bulkEdits: store } = storesOn(database);
    let nowMs = 1000;
    let waits = 0;
    const later = createBulkEdits({
      store,
      qrs,
      checkDestination: async (destination) => ({ destination, needsRecheck: false }),
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      sleep: async (ms) => {
        nowMs += ms;
        if (++waits === 3) await store.release(accountId, untilMs);
      },
    });
    const pause = () => later.apply(acting(accountId), all, { kind: 'pause' });
    const untilMs = nowMs + 100_000;
    expect(await store.lease(accountId, nowMs, untilMs)).toBe(true);
    expect(await pause()).toEqual({ changed: 0, refused: [] });
    expect(waits).toBe(3);
    expect(await store.lease(accountId, nowMs, nowMs + 100_000)).toBe(true);
    expect(await rejectionOf(pause())).toMatchObject({ reason: { kind: 'bulk edit running' } });
  });

  test('changes codes in slices, and is refused for more than 10,000', async () => {
    const { database, bulkEdits } = setUp();
    const owner = await addAccount(database, 'many@example.com');
    addManyQrs(database.$client, owner, maxBulkEditCodes + 1);
    const edit = replace('shop.example.com', 'shop.example.org');
    const preview = (change: BulkEditChange) => bulkEdits.preview(owner.accountId, all, change);
    expect(await rejectionOf(preview(edit))).toMatchObject({
      reason: { kind: 'too many selected', max: 10_000 },
    });
    expect(await rejectionOf(preview(replace('', 'x')))).toMatchObject({
      reason: { kind: 'nothing to replace' },
    });
    let ticks = 0;
    const ticker = setInterval(() => ticks++, 0);
    // 1, 10 to 19, and so on, up to 10000.
    const selection = { search: 'SHOP.EXAMPLE.COM/PRODUCTS/1' };
    const { changed } = await bulkEdits.apply(acting(owner.accountId), selection, edit);
    clearInterval(ticker);
    expect(changed).toBe(1112);
    expect(ticks).toBeGreaterThan(5);
  });
});
