import { afterAll, describe, expect, test } from 'bun:test';
import type { Batch } from '../../src/core/batches/batch.ts';
import { choicesOf, createBatches } from '../../src/core/batches/batches.ts';
import { createBatchRunner } from '../../src/core/batches/runner.ts';
import { readTable } from '../../src/core/batches/table.ts';
import { mapLabels } from '../../src/core/codes/fields.ts';
import type { CreateOptions } from '../../src/core/codes/qrs.ts';
import { ApiError, ServerBusy } from '../../src/core/errors.ts';
import { addAccount, createFolders, storesOn } from '../stores/folder.ts';
import { acting, newQr, noon, totalOf } from '../stores/rows.ts';
import { until } from '../support/until.ts';
import { readable } from './sample-qr.ts';

const { newFolder, openIn } = createFolders();
const database = openIn(newFolder());
const { batches: store, columnChoices, accounts, designs, qrs } = storesOn(database);
let owners = 0;
const newOwner = () => addAccount(database, `${owners++}@example.com`);
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((runner) => runner.close())));

/** A process that creates batches, with a clock of its own in milliseconds. */
function startProcess({
  now = { ms: 1_000_000 },
  concurrency = 2,
  readability = readable,
  prepared = (_url: string) => {},
} = {}) {
  const errors: unknown[] = [];
  let creates = 0;
  const clock = { nowMs: () => now.ms, monotonicMs: () => now.ms };
  const checkDestination = async (url: string) => {
    if (!url.startsWith('https://')) throw new ApiError('invalid_url', 'Not an address.');
    return { destination: url, needsRecheck: false };
  };
  const runner = createBatchRunner({
    store,
    prepare: async (accountId: number, url: string, options: CreateOptions) => {
      // Some take longer.
      await Bun.sleep(creates % 3);
      prepared(url);
      creates++;
      const { destination, needsRecheck } = await checkDestination(url);
      const owner = { accountId, designId: options.designId ?? 0 };
      return { qr: newQr(owner, { ...options, destination }), needsRecheck };
    },
    accounts,
    clock,
    sleep: async () => {
      await Bun.sleep(1);
    },
    concurrency,
    onError: (error) => errors.push(error),
  });
  open.push(runner);
  const batches = createBatches({
    store,
    columnChoices,
    qrs,
    paths: { taken: async () => [], takenFolded: async () => [], reserved: async () => [] },
    designs,
    rendererFor: () => ({
      checkReadability: async () => ({ ...readability, svgHash: new Uint8Array(32) }),
    }),
    readTable,
    checkDestination,
    checkDestinationHere: async (destination) => ({ destination, needsRecheck: true }),
    runner,
    clock,
    sleep: async () => {
      now.ms += 1000;
      await Bun.sleep(1);
    },
    sampleLink: 'https://qr.example.com/7h3k9m2x',
  });
  return { batches, runner, errors, now, creates: () => creates };
}

const tableOf = (count: number) =>
  [
    'name,destination,note',
    ...Array.from({ length: count }, (_, at) => `T ${at},https://a/${at},n`),
  ].join('\n');
type Batches = ReturnType<typeof createBatches>;
const checked = async (batches: Batches, accountId: number, table: string) => {
  const found = await batches.check(accountId, table);
  if (found.kind === 'open') throw new Error('open');
  return found;
};
/** Reads a table into a draft. Returns its id. */
const draftOf = async (batches: Batches, accountId: number, table: string) =>
  (await batches.open(acting(accountId), new TextEncoder().encode(table), { languages: [] })).id;
const total = (accountId: number) => totalOf({ qrs }, accountId);
const finished = async (accountId: number, id: number): Promise<Batch | null> => {
  await until(async () => (await store.find(accountId, id))?.state !== 'running');
  return store.find(accountId, id);
};

/** Checks a table of so many rows, and starts the batch of its codes. */
async function begin(
  { batches }: ReturnType<typeof startProcess>,
  accountId: number,
  rows: number,
) {
  const table = await checked(batches, accountId, tableOf(rows));
  const id = await draftOf(batches, accountId, tableOf(rows));
  await batches.start(acting(accountId), id);
  return { id, table };
}

describe('a batch', () => {
  test('creates one code per row with its name and note, in the order of the table', async () => {
    const { accountId, designId } = await newOwner();
    const { batches } = startProcess({ concurrency: 4 });
    const table = await checked(batches, accountId, tableOf(250));
    expect(table).toMatchObject({ designId, readability: { isReadable: true } });
    const id = await draftOf(batches, accountId, tableOf(250));
    expect(await total(accountId)).toBe(0);
    await batches.start(acting(accountId), id);
    const done: Partial<Batch> = { state: 'done', rows: 250, created: 250, refused: 0 };
    expect(await finished(accountId, id)).toMatchObject(done);
    const rows = await store.rows(id, 'created', 0, 1000);
    const found = await qrs.findMany(
      accountId,
      rows.map(({ code }) => code ?? ''),
    );
    const ordered = found.toSorted((a, b) => a.id - b.id);
    expect(ordered.map(({ name, note, destination }) => [name, note, destination])).toEqual(
      Array.from({ length: 250 }, (_, at) => [`T ${at}`, 'n', `https://a/${at}`]),
    );
    // Newest first, as in lists.
    const listed = (await qrs.listPage(accountId, 250, 0)).qrs.map(({ id }) => id);
    expect(listed).toEqual(ordered.map(({ id }) => id));
    await expect(batches.start(acting(accountId), id)).rejects.toThrow('batch started');
  });

  test('is asked about, and what was said counts for the next table with the same headers', async () => {
    const { accountId } = await newOwner();
    const other = await newOwner();
    const { batches } = startProcess();
    const open = (table: string, owner = accountId) =>
      batches.open(acting(owner), new TextEncoder().encode(table), { languages: [] });
    const table = 'Stage,Page,App\nPier,https://a/1,https://b/1';
    const { id, isOpen } = await open(table);
    expect(isOpen).toBe(true);
    expect(await store.find(accountId, id)).toMatchObject({
      state: 'draft',
      rows: 0,
      hasFile: true,
    });
    const look = await batches.look(accountId, id, {});
    expect(look).toMatchObject({ isDestinationOpen: true, remembered: null });
    const columns = choicesOf(['name', 'destination', 'ignore']);
    expect(await batches.answer(accountId, id, { header: true, columns })).toBeNull();
    expect(await store.rows(id, 'all', 0, 9)).toMatchObject([
      { name: 'Pier', destination: 'https://a/1', problem: null },
    ]);
    const again = await open(table.replaceAll('/1', '/2'));
    expect(again.isOpen).toBe(false);
    expect(await store.rows(again.id, 'all', 0, 9)).toMatchObject([{ destination: 'https://a/2' }]);
    const { remembered } = await batches.look(accountId, again.id, {});
    expect(remembered).toEqual(['name', 'destination', 'ignore']);
    // It can still be said otherwise.
    const otherwise = choicesOf(['ignore', 'ignore', 'destination']);
    expect(
      await batches.answer(accountId, again.id, { header: true, columns: otherwise }),
    ).toBeNull();
    expect(await store.rows(again.id, 'all', 0, 9)).toMatchObject([
      { name: null, destination: 'https://b/2' },
    ]);
    expect((await open(table.replace('App', 'Shop'))).isOpen).toBe(true);
    expect((await open(table, other.accountId)).isOpen).toBe(true);
    await expect(batches.look(other.accountId, id, {})).rejects.toThrow('Nothing was found');
    await batches.start(acting(accountId), id);
    await expect(batches.look(accountId, id, {})).rejects.toThrow('file of the table gone');
  });

  test('is corrected row by row, and each is checked like one of the table', async () => {
    const { accountId } = await newOwner();
    const { batches } = startProcess();
    const id = await draftOf(batches, accountId, `${tableOf(2)}\nX,nonsense,\nY,nonsense,`);
    const problems = async () => {
      const rows = await store.rows(id, 'all', 0, 9);
      return rows.map(({ destination, problem }) => [destination, problem]);
    };
    const typed = (row: number, name: string, destination: string) =>
      new Map([[row, { ...mapLabels(() => ''), name, destination }]]);
    const twice = { kind: 'same as an earlier row', row: 2 } as const;
    await batches.correct(accountId, id, { typed: typed(4, 'T 0', ' https://a/0') });
    expect((await problems())[2]).toEqual(['https://a/0', twice]);
    await batches.correct(accountId, id, { typed: typed(4, 'Z', 'a.example/z') });
    expect((await problems())[2]).toEqual(['https://a.example/z', null]);
    await batches.correct(accountId, id, { typed: typed(5, 'a'.repeat(121), 'https://a/5') });
    expect((await problems())[3]?.[1]).toMatchObject({ kind: 'label too long', noun: 'name' });
    await batches.correct(accountId, id, { typed: new Map(), leaveOut: 'all' });
    expect((await problems())[3]).toEqual(['https://a/5', { kind: 'left out' }]);
    await batches.correct(accountId, id, { typed: new Map(), putBack: 5 });
    expect((await problems())[3]?.[1]).toMatchObject({ kind: 'label too long', noun: 'name' });
    await batches.correct(accountId, id, { typed: typed(5, 'V', 'https://a/5') });
    await batches.start(acting(accountId), id);
    expect(await finished(accountId, id)).toMatchObject({ created: 4, refused: 0 });
  });

  test('goes on in the next process where the last one ended, without a duplicate', async () => {
    const { accountId } = await newOwner();
    let closing: Promise<void> | null = null;
    const first = startProcess({
      prepared: () => {
        if (first.creates() === 20) closing = first.runner.close();
      },
    });
    const { id } = await begin(first, accountId, 60);
    await until(() => closing !== null);
    await closing;
    const { state, created } = (await store.find(accountId, id)) ?? {};
    expect(state).toBe('running');
    expect(created).toBeLessThan(60);
    const next = startProcess();
    next.runner.wake();
    expect(await finished(accountId, id)).toMatchObject({ state: 'done', created: 60 });
    expect(await total(accountId)).toBe(60);
    expect(next.creates()).toBe(60 - (created ?? 0));
  });

  test('of two processes at once creates each code once', async () => {
    const { accountId } = await newOwner();
    const one = startProcess();
    // Its clock is ahead, as if the lease of the other one had expired.
    const other = startProcess({ now: { ms: 2_000_000 } });
    const { id } = await begin(one, accountId, 80);
    await until(() => one.creates() > 5);
    other.runner.wake();
    expect(await finished(accountId, id)).toMatchObject({ state: 'done', created: 80 });
    expect(await total(accountId)).toBe(80);
    // It would take the batches of other tests.
    await other.runner.close();
  });

  test('that was killed goes on when the same command runs again', async () => {
    const { accountId, designId } = await newOwner();
    const killed = startProcess();
    const table = await checked(killed.batches, accountId, tableOf(30));
    // Leased by a process that is gone, after which the command runs again.
    const id = await draftOf(killed.batches, accountId, tableOf(30));
    await store.start(acting(accountId), id, { designId, folder: null }, noon);
    expect(await store.lease(killed.now.ms, killed.now.ms + 10_000, id)).not.toBeNull();
    const again = startProcess();
    const progress: number[] = [];
    const batch = await again.batches.run(acting(accountId), table, false, (done) =>
      progress.push(done),
    );
    expect(batch).toMatchObject({ id, state: 'done', created: 30, createdBefore: 0 });
    expect(progress.at(-1)).toBe(30);
    expect(await total(accountId)).toBe(30);
    // A finished import is no obstacle to another print run of the same table.
    expect((await again.batches.run(acting(accountId), table, false, () => {})).id).not.toBe(id);
    expect(await total(accountId)).toBe(60);
  });

  test('waits while the renderer is busy, and refuses a row that fails only now', async () => {
    const { accountId } = await newOwner();
    let failures = 0;
    const { batches } = startProcess({
      prepared: (url) => {
        if (url.endsWith('/1') && failures++ < 3) throw new ServerBusy('busy');
        if (url.endsWith('/2')) throw new ApiError('unsafe_url', 'Listed since a moment ago.');
      },
    });
    const table = await checked(batches, accountId, tableOf(4));
    const batch = await batches.run(acting(accountId), table, false, () => {});
    expect(batch).toMatchObject({ state: 'done', created: 3, refused: 1 });
    expect(failures).toBe(4);
    expect(await store.rows(batch.id, 'refused', 0, 5)).toMatchObject([
      { row: 4, problem: { kind: 'as stored', text: 'Listed since a moment ago.' } },
    ]);
  });

  test('stops when its account holder stops it, or when the plan expires', async () => {
    const { accountId } = await newOwner();
    const now = { ms: 1_000_000 };
    const slow = startProcess({
      now,
      prepared: () => {
        now.ms += 100;
      },
    });
    const { id, table } = await begin(slow, accountId, 500);
    await until(() => slow.creates() > 10);
    await slow.batches.stop(acting(accountId), id);
    expect(await finished(accountId, id)).toMatchObject({ state: 'stopped' });

    await accounts.changePlan(acting(accountId), now.ms + 5000, noon);
    const expired = await slow.batches.run(acting(accountId), table, false, () => {});
    expect(expired).toMatchObject({
      state: 'stopped',
      problem: { kind: 'plan expired' },
    });
    expect(expired.created).toBeGreaterThan(0);
    expect(expired.created).toBeLessThan(500);
  });

  test('with a row at which the server fails keeps neither its other rows nor other batches', async () => {
    const [one, other] = [await newOwner(), await newOwner()];
    const now = { ms: 1_000_000 };
    const { batches, runner, errors } = startProcess({
      now,
      concurrency: 1,
      prepared: (url) => {
        if (url.endsWith('/1')) throw new Error('a bug');
        if (url.endsWith('/2')) throw new ServerBusy('a worker ended');
      },
    });
    const startFor = async ({ accountId }: typeof one, table: string) => {
      const id = await draftOf(batches, accountId, table);
      await batches.start(acting(accountId), id);
      return id;
    };
    const odd = await startFor(one, tableOf(4));
    const good = await startFor(other, 'name,destination\nGood,https://good/');
    expect(await finished(other.accountId, good)).toMatchObject({ state: 'done', created: 1 });
    const isOver = async () => (await store.find(one.accountId, odd))?.state === 'done';
    await until(async () => {
      now.ms += 20_000;
      runner.wake();
      return isOver();
    });
    expect(await store.rows(odd, 'refused', 0, 5)).toMatchObject([
      { row: 3, problem: { kind: 'row failed' } },
      { row: 4, problem: { kind: 'row failed' } },
    ]);
    expect(await store.find(one.accountId, odd)).toMatchObject({ created: 2 });
    expect(errors).toHaveLength(6);
  });

  test('that fails unexpectedly is reported, and tried again', async () => {
    const { accountId } = await newOwner();
    let isBroken = true;
    const now = { ms: 1_000_000 };
    const broken = startProcess({
      now,
      prepared: () => {
        if (isBroken) throw new Error('a bug');
      },
    });
    const { id } = await begin(broken, accountId, 3);
    await until(() => broken.errors.length > 0);
    isBroken = false;
    now.ms += 20_000;
    broken.runner.wake();
    expect(await finished(accountId, id)).toMatchObject({ state: 'done', created: 3 });
  });
});
