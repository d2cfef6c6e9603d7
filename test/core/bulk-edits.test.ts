import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { BulkEditChange } from '../../src/core/batches/bulk-edit.ts';
import { createBulkEditRunner } from '../../src/core/batches/bulk-edit-runner.ts';
import { createBulkEdits, maxBulkEditCodes } from '../../src/core/batches/bulk-edits.ts';
import type { CodeSelection } from '../../src/core/codes/lists/selection.ts';
import { qrStatuses } from '../../src/core/codes/qr.ts';
import { parseDestination } from '../../src/core/codes/urls/destination.ts';
import { ApiError } from '../../src/core/errors.ts';
import { addAccount, createFolders, storesOn } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { acting, command, newQr, noon } from '../stores/rows.ts';
import { rejectionOf } from '../support/rejection.ts';
import { until } from '../support/until.ts';

const { newFolder, openIn } = createFolders();
/** Hosts that are dangerous at the moment. */
const dangerous = new Set<string>();

/** Waits for an edit however long it takes. */
const sleep = (ms: number): Promise<void> => (ms < 1000 ? Bun.sleep(ms) : new Promise(() => {}));

function setUp() {
  const database = openIn(newFolder());
  const { qrs, accounts, bulkEdits: store } = storesOn(database);
  const clock = { nowMs: () => 1000, monotonicMs: () => 0 };
  const checkDestination = async (url: string) => {
    const destination = parseDestination(url, ['https://qr.example.com']);
    if (dangerous.has(new URL(destination).hostname)) throw new ApiError('unsafe_url');
    return { destination, needsRecheck: false };
  };
  const onError = (error: unknown) => {
    throw error;
  };
  const runner = createBulkEditRunner({ store, accounts, checkDestination, clock, onError });
  const bulkEdits = createBulkEdits({
    ...{ store, runner, qrs, clock, checkDestination },
    checkDestinationHere: checkDestination,
    sleep,
  });
  return { database, store, qrs, accounts, runner, bulkEdits, checkDestination };
}

const { database, store, qrs, runner, bulkEdits, checkDestination } = setUp();
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
          expect(result?.codes ?? 0).toBe(preview.edits.length);
          expect(result?.leftOut ?? 0).toBe(0);
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
            expect(await undo).toMatchObject({ state: 'undone', undone: preview.edits.length });
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
    expect(await bulkEdits.apply(acting(owner.accountId), all, change)).toMatchObject({
      ...{ state: 'done', problem: null, codes: 1, leftOut: 0 },
    });
    expect(await qrs.find(owner.accountId, code)).toMatchObject({ folder: 'Menus' });
  });

  test('waits for another one of the account, and is refused when that takes long', async () => {
    const { accountId } = await newOwner();
    let nowMs = 1000;
    let waits = 0;
    const later = createBulkEdits({
      ...{ store, runner, qrs, checkDestination, checkDestinationHere: checkDestination },
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      sleep: async (ms) => {
        nowMs += ms;
        if (++waits === 3) await store.release(accountId, untilMs);
      },
    });
    const pause = () => later.apply(acting(accountId), all, { kind: 'pause' });
    const untilMs = nowMs + 100_000;
    expect(await store.lease(accountId, nowMs, untilMs)).toBe(true);
    expect(await pause()).toBeNull();
    expect(waits).toBe(3);
    expect(await store.lease(accountId, nowMs, nowMs + 100_000)).toBe(true);
    expect(await rejectionOf(pause())).toMatchObject({ reason: { kind: 'bulk edit running' } });
  });

  test('goes on in the background when it takes long, and is not undone before it has ended', async () => {
    const owner = await newOwner();
    await addCodes(owner, ['https://a.example/1', 'https://a.example/2']);
    const slow = Promise.withResolvers<void>();
    const checkSlowly = async (url: string) => {
      await slow.promise;
      return { destination: url, needsRecheck: false };
    };
    const checkHere = async (url: string) => ({ destination: url, needsRecheck: true });
    const time = { ms: 1000 };
    const clock = { nowMs: () => time.ms, monotonicMs: () => time.ms };
    const { accounts } = storesOn(database);
    const ofServer = { store, clock, qrs, accounts, onError: () => {} };
    const slowRunner = createBulkEditRunner({ ...ofServer, checkDestination: checkSlowly });
    const edits = createBulkEdits({
      ...{ ...ofServer, runner: slowRunner },
      ...{ checkDestination: checkHere, checkDestinationHere: checkHere },
      sleep: async (ms) => {
        time.ms += ms;
      },
    });
    const act = acting(owner.accountId);
    const edit = await edits.apply(act, all, replace('a.example', 'b.example'));
    expect(edit).toMatchObject({ state: 'running', selected: 2, codes: 0 });
    expect(await rejectionOf(edits.undo(act))).toMatchObject({
      reason: { kind: 'bulk edit running' },
    });
    slow.resolve();
    await until(async () => (await edits.last(owner.accountId))?.state === 'done');
    expect(await edits.last(owner.accountId)).toMatchObject({ codes: 2, problem: null });
  });

  test.each([
    [
      'the plan of the account ends',
      'plan expired',
      ({ accountId }: Owner) =>
        storesOn(database).accounts.changePlan(acting(accountId), 500, noon),
    ],
    [
      'the person may not edit any more',
      'editor without a right',
      async () => database.$client.query('DELETE FROM members').run(),
    ],
    [
      'somebody stops it',
      'bulk edit stopped',
      async ({ accountId }: Owner) =>
        bulkEdits.stop(accountId, (await bulkEdits.last(accountId))?.id ?? 0),
    ],
  ] as const)('stops between codes when %s', async (_, kind, change) => {
    const owner = await newOwner();
    const editor = await newOwner();
    const destinations = Array.from({ length: 150 }, (_, at) => `https://a.example/${at}`);
    await addCodes(owner, destinations);
    database.$client
      .query("INSERT INTO members VALUES (?, ?, 'editor', 0)")
      .run(owner.accountId, editor.accountId);
    const by = { kind: 'person', accountId: editor.accountId } as const;
    const { accounts } = storesOn(database);
    const clock = { nowMs: () => 1000, monotonicMs: () => 0 };
    // After the first codes.
    const changing: typeof store = {
      ...store,
      make: async (...args) => {
        const made = await store.make(...args);
        await change(owner);
        return made;
      },
    };
    const onError = () => {};
    const stopped = createBulkEditRunner({
      ...{ store: changing, accounts, checkDestination, clock, onError },
    });
    const edits = createBulkEdits({
      ...{ store, runner: stopped, qrs, clock, checkDestination, sleep },
      checkDestinationHere: checkDestination,
    });
    const act = { accountId: owner.accountId, by };
    const edit = await edits.apply(act, all, replace('a.example', 'b.example'));
    expect(edit).toMatchObject({ state: 'done', selected: 150, codes: 100, problem: { kind } });
    // What was done can be undone.
    await storesOn(database).accounts.changePlan(acting(owner.accountId), null, noon);
    expect(await bulkEdits.undo(acting(owner.accountId))).toMatchObject({
      ...{ state: 'undone', undone: 100, problem: null },
    });
    const { qrs: found } = await qrs.listPage(owner.accountId, 200, 0);
    expect(found.map(({ destination }) => destination).sort()).toEqual(destinations.sort());
  });

  test('is taken over from a process that was killed, and changes each code once', async () => {
    const owner = await newOwner();
    const destinations = Array.from({ length: 250 }, (_, at) => `https://a.example/${at}`);
    const codes = await addCodes(owner, destinations);
    const { accounts } = storesOn(database);
    const time = { ms: 1000 };
    const clock = { nowMs: () => time.ms, monotonicMs: () => time.ms };
    let writes = 0;
    const killed: typeof store = {
      ...store,
      make: async (...args) => {
        if (++writes === 2) await new Promise(() => {});
        return store.make(...args);
      },
    };
    const onError = () => {};
    const deps = { accounts, checkDestination, clock, onError };
    const edits = createBulkEdits({
      ...{ store, qrs, clock, checkDestination, checkDestinationHere: checkDestination },
      runner: createBulkEditRunner({ ...deps, store: killed }),
      sleep: async () => {
        await until(() => writes === 2);
      },
    });
    const act = acting(owner.accountId);
    const edit = await edits.apply(act, all, replace('a.example', 'a.example/a.example'));
    expect(edit).toMatchObject({ state: 'running', codes: 100 });
    const next = createBulkEditRunner({ ...deps, store });
    next.wake();
    await next.close();
    expect(await edits.last(owner.accountId)).toMatchObject({ state: 'running', codes: 100 });
    time.ms += 100_000;
    const last = createBulkEditRunner({ ...deps, store });
    last.wake();
    await until(async () => (await edits.last(owner.accountId))?.state === 'done');
    await last.close();
    expect(await edits.last(owner.accountId)).toMatchObject({ codes: 250, leftOut: 0 });
    for (const code of codes) {
      const qr = await qrs.find(owner.accountId, code);
      expect(qr?.destination.match(/a\.example/g)).toHaveLength(2);
      expect(await qrs.formerDestinations(qr?.id ?? 0, 5)).toHaveLength(1);
    }
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
    const result = await bulkEdits.apply(acting(owner.accountId), selection, edit);
    clearInterval(ticker);
    expect(result?.codes).toBe(1112);
    expect(ticks).toBeGreaterThan(5);
  });
});
