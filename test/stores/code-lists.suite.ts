import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type CodeQuery, createCodeLists } from '../../src/core/codes/lists/lists.ts';
import { createPeriodLists, periodLengths } from '../../src/core/codes/lists/period-lists.ts';
import { type CodeFilter, type CodeSort, codeSorts } from '../../src/core/codes/ports.ts';
import type { NewQr, Qr } from '../../src/core/codes/qr.ts';
import { createBackgroundRuns } from '../../src/core/scans/background-results.ts';
import { lastDays, sumHours } from '../../src/core/scans/days.ts';
import { scanSeries } from '../../src/core/scans/series.ts';
import {
  acting,
  addOwner,
  addQr,
  beginBulkEdit,
  beginUndo,
  day,
  newLink,
  noon,
  type Owner,
} from './rows.ts';
import { hour } from './scans.ts';
import type { DatabaseUnderTest } from './suites.ts';

const today = Date.UTC(2026, 5, 1);

/** Tests of the port `CodeListStore`, and of what takes codes out of lists, for every adapter. */
export function codeListStoreSuite({ name, stores, addScans }: DatabaseUnderTest): void {
  const { codeLists: lists, qrs, bulkEdits, linkImports } = stores;
  const newOwner = () => addOwner(stores);
  const stored = (owner: Owner, fields?: Partial<NewQr>) => addQr(stores, owner, fields);
  const codeLists = createCodeLists({ lists, qrs, clock: { nowMs: () => today } });
  const pageAt = ({ accountId }: Owner, query: Partial<CodeQuery>) =>
    codeLists.page(accountId, {
      ...{ text: '', filter: {}, sort: 'newest', limit: 100, offset: 0 },
      ...query,
    });
  const page = async (owner: Owner, filter: CodeFilter, sort: CodeSort = 'newest') => {
    const found = await pageAt(owner, { filter, sort });
    expect(found.total).toBe(found.qrs.length);
    return found.qrs.map(({ code }) => code);
  };

  describe(`${name}: a text that no code contains`, () => {
    test('has the nearest one of the account and its filter', async () => {
      const owner = await newOwner();
      await stored(await newOwner(), { name: 'Shuttle of others' });
      await stored(owner, { name: 'Airport shuttle', folder: 'Signs' });
      await stored(owner, { name: 'Shuffle' });
      const nearText = (text: string, filter: CodeFilter = {}) =>
        codeLists.nearText(owner.accountId, { text, filter });
      expect(await nearText('shutle')).toBe('shuttle');
      expect(await nearText('sings')).toBe('Signs');
      expect(await nearText('shutle', { folder: null })).toBeNull();
      expect(await nearText('shufle', { folder: null })).toBe('Shuffle');
      expect(await nearText('nothing')).toBeNull();
    });
  });

  describe(`${name}: lists of codes`, () => {
    test('are sorted by age, by name as people count, and by scans', async () => {
      const owner = await newOwner();
      await stored(await newOwner(), { name: 'Table 1' });
      const names = ['Table 10', null, 'table 2', 'Äpfel ٣', 'Apfel ١٢', 'Table 9b'];
      const codes: Qr[] = [];
      for (const [at, one] of names.entries())
        codes.push(await stored(owner, { name: one, createdAtMs: today + at }));
      const [ten, none, two, apple3, apple12, nine] = codes.map(({ code }) => code);
      expect(await page(owner, {}, 'newest')).toEqual(codes.map(({ code }) => code).reverse());
      expect(await page(owner, {}, 'name')).toEqual([
        ...[apple3, apple12, two, nine, ten, none].map(String),
      ]);
      await addScans(codes[2]?.id ?? 0, Array(5).fill(today + 1));
      await addScans(codes[4]?.id ?? 0, Array(9).fill(today));
      expect((await page(owner, {}, 'scans')).slice(0, 2)).toEqual([apple12, two].map(String));
      expect((await page(owner, {}, 'last-scan')).slice(0, 2)).toEqual([two, apple12].map(String));
      expect(await page(owner, { isNeverScanned: true }, 'scans')).toHaveLength(4);
      expect(await page(owner, { quietSinceMs: today + 1 })).toEqual([String(apple12)]);
      for (const sort of codeSorts) {
        const all = await page(owner, {}, sort);
        for (const filter of [
          {},
          { status: 'active' },
          { status: 'active', folder: null },
        ] as const) {
          const rest = await pageAt(owner, { filter, sort, limit: 3, offset: 2 });
          expect(rest.qrs.map(({ code }) => code)).toEqual(all.slice(2, 5));
          expect([rest.total, rest.hasMore]).toEqual([6, true]);
          const last = await pageAt(owner, { filter, sort, limit: 3, offset: 4, needsTotal: true });
          expect(last.qrs.map(({ code }) => code)).toEqual(all.slice(4));
          expect([last.total, last.hasMore]).toEqual([6, false]);
          const none = await pageAt(owner, { filter, sort, limit: 3, offset: 7 });
          expect(none).toMatchObject({ qrs: [], hasMore: false });
        }
      }
      await qrs.changeLabels(acting(owner.accountId), String(none), { name: 'Aal' }, noon);
      expect((await page(owner, {}, 'name'))[0]).toBe(String(none));
    });

    test('are filtered by folder, status, design and scans, without archived codes', async () => {
      const owner = await newOwner();
      const first = await stored(owner, { folder: 'Menus', createdAtMs: today });
      const second = await stored(owner, { folder: 'Menus', createdAtMs: today + 1 });
      const third = await stored(owner, { createdAtMs: today + 2 });
      const all = [third, second, first].map(({ code }) => code);
      await qrs.changeStatus(acting(owner.accountId), third.code, 'active', 'paused', noon);
      const designId = first.image?.designId ?? 0;
      const expectPages = async (sort: CodeSort) => {
        expect(await page(owner, { folder: 'Menus' }, sort)).toHaveLength(2);
        expect(await page(owner, { folder: 'menus' }, sort)).toEqual([]);
        expect(await page(owner, { folder: '' }, sort)).toEqual([]);
        expect(await page(owner, { folder: null }, sort)).toEqual([third.code]);
        expect(await page(owner, { status: 'paused' }, sort)).toEqual([third.code]);
        expect(await page(owner, { status: 'active', folder: null }, sort)).toEqual([]);
        expect(await page(owner, { designId }, sort)).toHaveLength(3);
        expect(await page(owner, { designId: designId + 1_000_000 }, sort)).toEqual([]);
        expect(await page(owner, { isArchived: true }, sort)).toEqual([]);
      };
      for (const sort of codeSorts) await expectPages(sort);

      const archived = await qrs.changeLabels(
        acting(owner.accountId),
        second.code,
        { isArchived: true },
        noon,
      );
      expect(archived).toEqual({ ...second, isArchived: true });
      for (const sort of codeSorts) {
        expect((await page(owner, {}, sort)).sort()).toEqual([third.code, first.code].sort());
        expect(await page(owner, { isArchived: true }, sort)).toEqual([second.code]);
        expect(await page(owner, { isArchived: true, folder: 'Menus' }, sort)).toHaveLength(1);
        expect(await page(owner, { folder: 'Menus' }, sort)).toEqual([first.code]);
      }
      const found = async (filter: CodeFilter) =>
        (await qrs.searchBatch(owner.accountId, null, 'EXAMPLE', 10, filter)).found.length;
      expect([await found({}), await found({ isArchived: true })]).toEqual([2, 1]);
      const complete = await qrs.listPage(owner.accountId, 10, 0);
      expect([complete.total, complete.qrs.map(({ code }) => code)]).toEqual([3, all]);
    });

    test('have imported links like codes', async () => {
      const owner = await newOwner();
      const path = `p-${crypto.randomUUID()}`;
      const link = newLink(path, { name: 'Door 7', folder: 'Old', scans: 3, lastScanMs: today });
      await linkImports.add(
        acting(owner.accountId),
        [link, newLink(`${path}-2`, { name: 'Door 12' })],
        noon,
      );
      for (const sort of ['name', 'scans'] as const)
        expect(await page(owner, {}, sort)).toEqual([path, `${path}-2`]);
      expect(await page(owner, { folder: 'Old' })).toEqual([path]);
    });
  });

  describe(`${name}: lists by the scans of a period`, () => {
    const zone = 'Europe/Rome';
    const nowMs = today + 9 * hour;
    const periodLists = createPeriodLists({
      ...{ lists, qrs, clock: { nowMs: () => nowMs } },
      runs: createBackgroundRuns({ monotonicMs: () => performance.now() }),
    });
    const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[${zone}]`).epochMilliseconds;

    test('begin and end at midnight, and have the others behind, newest first', async () => {
      const owner = await newOwner();
      const first = at('2026-05-03T00:00');
      const added: (readonly number[])[] = [
        [first - 1, first - 1, first - 1],
        [first - 1, first],
        [],
        [first, today, nowMs],
      ];
      const codes: Qr[] = [];
      for (const times of added) {
        const qr = await stored(owner, { folder: 'Menus', createdAtMs: codes.length });
        await addScans(qr.id, times);
        codes.push(qr);
      }
      const names = codes.map(({ code }) => code);
      const scans = await periodLists.scans(codes, 30, zone);
      expect(codes.map(({ id }) => scans.get(id) ?? 0)).toEqual([0, 1, 0, 3]);
      for (const [text, filter] of [
        ['', {}],
        ['', { folder: 'Menus' }],
        ['example', {}],
      ] as const) {
        const query = { text, filter, days: 30, zone, limit: 3 } as const;
        const page = await periodLists.page(owner.accountId, { ...query, offset: 0 });
        const sorted = [3, 1, 2, 0].map((index) => String(names[index]));
        expect(page?.qrs.map(({ code }) => code)).toEqual(sorted.slice(0, 3));
        expect(page).toMatchObject({ total: 4, hasMore: true });
        const rest = await periodLists.page(owner.accountId, { ...query, offset: 3 });
        expect(rest?.qrs.map(({ code }) => code)).toEqual(sorted.slice(3));
        expect(rest?.hasMore).toBe(false);
        const all = await periodLists.readAll(owner.accountId, query);
        const read = all === null ? [] : (await Array.fromAsync(all)).flat();
        expect(read.map(({ code }) => code)).toEqual(sorted);
      }
    });

    test('have as many scans as the days of the codes', async () => {
      const owner = await newOwner();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.integer({ min: nowMs - 100 * day, max: nowMs })), {
            minLength: 1,
            maxLength: 4,
          }),
          fc.constantFrom(...periodLengths),
          fc.constantFrom('UTC', zone, 'Asia/Kolkata', 'America/St_Johns'),
          async (timesOfCodes, days, zone) => {
            const codes: Qr[] = [];
            for (const times of timesOfCodes) {
              const qr = await stored(owner);
              await addScans(
                qr.id,
                times.toSorted((a, b) => a - b),
              );
              codes.push(qr);
            }
            const range = lastDays(days, nowMs, zone);
            const sums = await periodLists.scans(codes, days, zone);
            for (const { id } of codes) {
              const hours = sumHours(await qrs.hourlyScans(id, 0, Number.MAX_SAFE_INTEGER));
              const points = scanSeries(range, hours, zone);
              expect(points).toHaveLength(days);
              const total = points.reduce((sum, { scans }) => sum + scans, 0);
              expect(sums.get(id) ?? 0).toBe(total);
            }
          },
        ),
        { numRuns: 20 },
      );
    });

    test('no longer have codes that were archived or moved since they were sorted', async () => {
      const owner = await newOwner();
      const codes = [await stored(owner, { folder: 'A' }), await stored(owner, { folder: 'A' })];
      // A result stays for twenty times as long as it took.
      let nowMs = 0;
      const runs = createBackgroundRuns({ monotonicMs: () => nowMs++ });
      const kept = createPeriodLists({ lists, qrs, clock: { nowMs: () => today }, runs });
      const page = async () => {
        const query = { text: '', filter: { folder: 'A' }, days: 7, zone } as const;
        const read = await kept.page(owner.accountId, { ...query, limit: 5, offset: 0 });
        return read?.qrs.length;
      };
      expect(await page()).toBe(2);
      const change = (qr: Qr | undefined, labels: { folder?: string; isArchived?: boolean }) =>
        qrs.changeLabels(acting(owner.accountId), qr?.code ?? '', labels, noon);
      await change(codes[0], { isArchived: true });
      expect(await page()).toBe(1);
      await change(codes[1], { folder: 'B' });
      expect(await page()).toBe(0);
    });
  });

  describe(`${name}: folders`, () => {
    test('are counted, renamed and removed, and their codes stay', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const first = await stored(owner, { folder: 'Menus' });
      const second = await stored(owner, { folder: 'Menus' });
      await stored(owner, { folder: 'Bar' });
      await stored(owner);
      await stored(other, { folder: 'Menus' });
      await qrs.changeLabels(acting(owner.accountId), second.code, { isArchived: true }, noon);
      const folders = async () =>
        Object.fromEntries(
          (await codeLists.countedFolders(owner.accountId)).map((one) => [one.name, one.codes]),
        );
      expect(await folders()).toEqual({ Menus: 1, Bar: 1, null: 1 });
      expect(await lists.folders(owner.accountId, null, 1000, 3)).toEqual([
        { name: null, codes: null },
        { name: 'Bar', codes: null },
        { name: 'Menus', codes: null },
      ]);
      expect(await lists.folders(owner.accountId, 'Bar', 1, 3)).toMatchObject([{ name: 'Menus' }]);
      expect(await lists.folders(owner.accountId, 'Menus', 1, 1000)).toEqual([]);
      expect(await lists.renameFolder(acting(owner.accountId), 'Menus', 'Bar', noon)).toBe(2);
      expect(await folders()).toEqual({ Bar: 2, null: 1 });
      expect(await lists.renameFolder(acting(owner.accountId), 'Bar', null, noon)).toBe(3);
      expect(await lists.renameFolder(acting(owner.accountId), 'Bar', 'x', noon)).toBe(0);
      expect((await qrs.find(owner.accountId, first.code))?.folder).toBeNull();
      const ofOther = await codeLists.folders(other.accountId);
      expect(ofOther.map((one) => one.name)).toEqual(['Menus']);
    });

    test('and the archive get many codes at once, and an edit is undone', async () => {
      const owner = await newOwner();
      const qr = await stored(owner, { folder: 'Menus' });
      const read = () => qrs.find(owner.accountId, qr.code);
      const edit = { qrId: qr.id, code: qr.code, needsRecheck: false };
      for (const [change, before, after, expected] of [
        [{ kind: 'folder', folder: 'Bar' }, 'Menus', 'Bar', { folder: 'Bar' }],
        [{ kind: 'folder', folder: null }, 'Menus', '', { folder: null }],
        [{ kind: 'archive' }, 'listed', 'archived', { isArchived: true }],
      ] as const) {
        const edits = [{ ...edit, before, after }];
        const id = await beginBulkEdit(stores, acting(owner.accountId), change, edits);
        expect(await bulkEdits.make(id, edits, [], today)).toEqual([qr.code]);
        expect(await read()).toMatchObject(expected);
        expect(await bulkEdits.last(owner.accountId)).toMatchObject({ change, changedSince: 0 });
        const undo = { ...edit, before: after, after: before };
        expect(await beginUndo(stores, acting(owner.accountId), id)).toBeTrue();
        expect(await bulkEdits.make(id, [undo], [], today)).toEqual([qr.code]);
        expect(await read()).toEqual(qr);
      }
      const edits = [{ ...edit, before: 'listed', after: 'archived' }];
      const act = acting(owner.accountId);
      const id = await beginBulkEdit(stores, act, { kind: 'archive' }, edits);
      await bulkEdits.make(id, edits, [], today);
      await qrs.changeLabels(acting(owner.accountId), qr.code, { isArchived: false }, noon);
      expect(await bulkEdits.last(owner.accountId)).toMatchObject({ changedSince: 1 });
    });
  });

  test(`${name}: scans per hour of several codes`, async () => {
    const owner = await newOwner();
    const [one, two] = [await stored(owner), await stored(owner)];
    const later = today - day + 7_200_000;
    const times = [today - 3 * day, today - 3 * day, today - day, today - day, later, later, later];
    await addScans(one.id, times);
    await addScans(two.id, Array(5).fill(today + 5));
    const found = await lists.hourlyScans([one.id, two.id], today - 2 * day);
    expect(found.toSorted((a, b) => a.hourMs - b.hourMs)).toEqual([
      { qrId: one.id, hourMs: today - day, scans: 2 },
      { qrId: one.id, hourMs: later, scans: 3 },
      { qrId: two.id, hourMs: today, scans: 5 },
    ]);
    expect(await lists.hourlyScans([], today)).toEqual([]);
  });
}
