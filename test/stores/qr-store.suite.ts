import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { QrLabels } from '../../src/core/codes/fields.ts';
import type { IdempotencyKey } from '../../src/core/codes/idempotency.ts';
import { searchMatcher } from '../../src/core/codes/lists/search.ts';
import type { NewQr, Qr } from '../../src/core/codes/qr.ts';
import type { QrCursor } from '../../src/core/ports.ts';
import { words } from '../support/words.ts';
import {
  acting,
  addOwner,
  addQr,
  command,
  day,
  newQr,
  nextCode,
  noon,
  type Owner,
  totalOf,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

/** Returns a QR whose hash is an array, because stores return different kinds of byte arrays. */
function comparable<T extends Pick<NewQr, 'image'>>(qr: T): Record<string, unknown> {
  return {
    ...qr,
    image: qr.image && { ...qr.image, imageHash: qr.image.imageHash && [...qr.image.imageHash] },
  };
}

function retryKey(name: string, atMs = noon): IdempotencyKey {
  const digest = new Bun.CryptoHasher('sha256').update(name).digest();
  return { digest: new Uint8Array(digest), atMs };
}

/** Tests of the port `QrStore`, for every adapter. */
export function qrStoreSuite({ name, stores, addScans, countKeys }: DatabaseUnderTest): void {
  const store = stores.qrs;
  const newOwner = () => addOwner(stores);

  const stored = (owner: Owner, fields?: Partial<NewQr>) => addQr(stores, owner, fields);
  const total = ({ accountId }: Owner) => totalOf(stores, accountId);

  describe(`${name}: insert and find`, () => {
    test('a new QR is active and has no scans', async () => {
      const owner = await newOwner();
      const qr = newQr(owner);
      expect(await store.insert(qr, null, command)).toHaveProperty('stored');
      const found = await store.find(owner.accountId, qr.code);
      expect(found && comparable(found)).toEqual({
        ...comparable(qr),
        id: expect.any(Number),
        status: 'active',
        scans: 0,
        isArchived: false,
        lastScanMs: null,
        flag: null,
      });
      expect(await store.formerDestinations(found?.id ?? 0, 10)).toEqual([]);
      expect(await store.hourlyScans(found?.id ?? 0, 0, Number.MAX_SAFE_INTEGER)).toEqual([]);
      const uncounted = { head: 0, prefetch: 0, preview: 0, crawler: 0, warning: 0 };
      expect(await store.uncountedHits(found?.id ?? 0)).toEqual(uncounted);
    });

    test("another account's QR is not found, nor an unknown code", async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const { code } = await stored(owner);
      expect(await store.find(other.accountId, code)).toBeNull();
      expect(await store.find(owner.accountId, nextCode())).toBeNull();
    });

    test('an existing code is taken, and nothing is stored', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const { code } = await stored(owner);
      const retry = retryKey(`taken ${code}`);
      for (const account of [owner, other])
        expect(
          await store.insert(newQr(account, { code, destination: 'https://b/' }), retry, command),
        ).toBe('taken');
      expect((await store.find(owner.accountId, code))?.destination).toBe('https://example.com/');
      expect([await total(owner), await total(other)]).toEqual([1, 0]);
      expect(await store.findByIdempotencyKey(retry)).toBeNull();
    });
  });

  describe(`${name}: idempotency keys`, () => {
    test('within 24 hours the same key returns the first QR in its current state', async () => {
      const owner = await newOwner();
      const first = newQr(owner);
      const name = `first ${first.code}`;
      expect(await store.findByIdempotencyKey(retryKey(name))).toBeNull();
      expect(await store.insert(first, retryKey(name), command)).toHaveProperty('stored');
      await store.changeDestination(acting(owner.accountId), first.code, 'https://b/', noon);
      for (const atMs of [noon, noon + day - 1, noon - 1000]) {
        const again = await store.insert(newQr(owner), retryKey(name, atMs), command);
        expect(again).toMatchObject({ earlier: { code: first.code, destination: 'https://b/' } });
        expect((await store.findByIdempotencyKey(retryKey(name, atMs)))?.code).toBe(first.code);
      }
      expect(await total(owner)).toBe(1);
    });

    test('another key is another request', async () => {
      const owner = await newOwner();
      expect(await store.insert(newQr(owner), retryKey('one'), command)).toHaveProperty('stored');
      expect(await store.insert(newQr(owner), retryKey('two'), command)).toHaveProperty('stored');
      expect(await store.insert(newQr(owner), null, command)).toHaveProperty('stored');
      expect(await total(owner)).toBe(3);
    });

    test.each([
      ['after 24 hours', day + 1],
      ['after the clock was set back by more', -day - 1],
    ])('%s the same key stores a new QR', async (_, passedMs) => {
      const owner = await newOwner();
      const [first, second] = [newQr(owner), newQr(owner)];
      const name = `late ${first.code}`;
      expect(await store.insert(first, retryKey(name), command)).toHaveProperty('stored');
      const later = retryKey(name, noon + passedMs);
      expect(await store.findByIdempotencyKey(later)).toBeNull();
      expect(await store.insert(second, later, command)).toHaveProperty('stored');
      expect((await store.findByIdempotencyKey(later))?.code).toBe(second.code);
    });

    test('a create deletes expired keys, and those of today stay', async () => {
      const owner = await newOwner();
      for (const old of ['old 1', 'old 2', 'old 3'])
        await store.insert(newQr(owner), retryKey(old, noon - day), command);
      await store.insert(newQr(owner), retryKey('today', noon - 1), command);
      const before = await countKeys();
      await store.insert(newQr(owner), retryKey('now', noon), command);
      expect(await countKeys()).toBeLessThanOrEqual(before - 2);
      expect(await store.findByIdempotencyKey(retryKey('today', noon))).not.toBeNull();
    });
  });

  describe(`${name}: pages`, () => {
    test('a page is a slice of the list, newest first, then by code', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const ages = [3, 0, 5, 5, 1, 0, 2, 5, 4, 4, 0, 3];
      const all = ages.map((ageMs) => newQr(owner, { createdAtMs: noon - ageMs }));
      for (const qr of all.toReversed()) await store.insert(qr, null, command);
      await store.insert(newQr(other), null, command);
      const sorted = all.toSorted(
        (a, b) => b.createdAtMs - a.createdAtMs || (a.code < b.code ? -1 : 1),
      );
      for (const limit of [1, 5, 12, 50])
        for (const offset of [0, 4, 11, 40]) {
          const { qrs, total } = await store.listPage(owner.accountId, limit, offset);
          const expected = sorted.slice(offset, offset + limit);
          expect(qrs.map(({ code }) => code)).toEqual(expected.map(({ code }) => code));
          expect(total).toBe(all.length);
        }
    });

    test('a page has complete QRs', async () => {
      const owner = await newOwner();
      const qr = await stored(owner);
      expect((await store.listPage(owner.accountId, 50, 0)).qrs).toEqual([qr]);
    });
  });

  test(`${name}: imported links have no image, keep the case of their path, and are listed with the codes`, async () => {
    const owner = await newOwner();
    const path = `Menu/${nextCode()}`;
    const link = await stored(owner, { code: path, image: null });
    expect(link).toMatchObject({ code: path, image: null });
    expect(await store.find(owner.accountId, path.toLowerCase())).toBeNull();
    expect((await store.listPage(owner.accountId, 10, 0)).qrs).toEqual([link]);
    const changed = await store.changeDestination(
      acting(owner.accountId),
      path,
      'https://b/',
      noon,
    );
    expect(changed).toMatchObject({ code: path, image: null, destination: 'https://b/' });
  });

  test(`${name}: names and notes are stored unchanged, and change alone or together`, async () => {
    const owner = await newOwner();
    const qr = await stored(owner, { name: 'Tisch 7 „Süd“', note: 'two\nlines' });
    expect(qr).toMatchObject({ name: 'Tisch 7 „Süd“', note: 'two\nlines' });
    const change = (labels: Partial<QrLabels>, accountId = owner.accountId) =>
      store.changeLabels(acting(accountId), qr.code, labels, noon);
    expect(await change({ name: '七番テーブル' })).toEqual({ ...qr, name: '七番テーブル' });
    expect(await change({ note: null })).toMatchObject({ name: '七番テーブル', note: null });
    expect(await change({})).toMatchObject({ name: '七番テーブル', note: null });
    expect(await change({ name: null, note: 'n' })).toEqual({ ...qr, name: null, note: 'n' });
    expect(await change({ name: 'x' }, (await newOwner()).accountId)).toBeNull();
    expect(await store.find(owner.accountId, qr.code)).toMatchObject({ name: null, note: 'n' });
  });

  test(`${name}: several codes are found together, without unknown ones and another account's`, async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const [one, two, link] = [
      await stored(owner),
      await stored(owner),
      await stored(owner, { code: `a"b, ${nextCode()}`, image: null }),
    ];
    const codes = [one.code, link.code, (await stored(other)).code, nextCode()];
    const found = await store.findMany(owner.accountId, codes);
    expect(found.map(({ code }) => code).sort()).toEqual([one.code, link.code].sort());
    expect(found.find(({ id }) => id === one.id)).toEqual(one);
    expect(await store.findMany(owner.accountId, [])).toEqual([]);
    expect(await store.findMany(owner.accountId, [two.code])).toEqual([two]);
  });

  describe(`${name}: search`, () => {
    test('finds name, note, destination and code in any case', async () => {
      const owner = await newOwner();
      const qr = await stored(owner, {
        name: 'Straße ΟΔΟΣ Ёлка',
        note: 'İstanbul ｆｕｌｌ',
        destination: 'https://example.com/Über',
      });
      await stored(owner, { destination: 'https://example.org/', createdAtMs: noon - 1 });
      const found = async (text: string) =>
        (await store.searchBatch(owner.accountId, null, text, 10)).found.map(({ code }) => code);
      const texts = words('STRASSE straße οδος οδοσ ёЛКА i̇stanbul FULL /üBER');
      for (const text of [...texts, qr.code.slice(2)])
        expect([text, await found(text)]).toEqual([text, [qr.code]]);
      expect(await found('EXAMPLE')).toHaveLength(2);
      expect(await found('%')).toEqual([]);
      expect(await found('')).toHaveLength(2);
    });

    test('finds what a plain comparison of folded texts finds', async () => {
      const owner = await newOwner();
      const names = ['Äpfel', 'äPFEL 2', 'Groß', 'GROSS', 'σοφός', 'ΣΟΦΌΣ', 'Київ', 'КИЇВ', '東京'];
      for (const name of names) await stored(owner, { name, destination: 'https://x.example/' });
      const part = fc
        .constantFrom(...names)
        .chain((name) => fc.nat({ max: name.length - 1 }).map((at) => name.slice(at)));
      const all = (await store.listPage(owner.accountId, 100, 0)).qrs;
      await fc.assert(
        fc.asyncProperty(part, fc.boolean(), async (text, isUpper) => {
          const typed = isUpper ? text.toUpperCase() : text.toLowerCase();
          const { found } = await store.searchBatch(owner.accountId, null, typed, 100);
          expect(found).toEqual(all.filter(searchMatcher(text)));
          expect(found.length).toBeGreaterThan(0);
        }),
        { numRuns: 15 },
      );
    });

    test('returns each code once in the order of the list, with any batch size', async () => {
      const owner = await newOwner();
      for (let nth = 0; nth < 20; nth++) {
        const createdAtMs = noon + Math.floor(nth / 4) * 1000;
        const destination = `https://example.com/${nth % 3 === 0 ? 'needle' : 'hay'}`;
        await stored(owner, { createdAtMs, destination });
      }
      const listed = (await store.listPage(owner.accountId, 100, 0)).qrs
        .filter(({ destination }) => destination.endsWith('needle'))
        .map(({ code }) => code);
      expect(listed).toHaveLength(7);
      for (const limit of [1, 6, 7, 19, 20, 21]) {
        const codes: string[] = [];
        let cursor: QrCursor | null = null;
        do {
          const batch = await store.searchBatch(owner.accountId, cursor, 'needle', limit);
          codes.push(...batch.found.map(({ code }) => code));
          cursor = batch.next;
        } while (cursor !== null);
        expect(codes).toEqual(listed);
      }
    });
  });

  describe(`${name}: changes`, () => {
    test('a new destination changes nothing else, and former ones are kept', async () => {
      const owner = await newOwner();
      const qr = await stored(owner);
      const to = (destination: string, atMs: number) =>
        store.changeDestination(acting(owner.accountId), qr.code, destination, atMs);
      expect(await to('https://b/', noon + 1)).toEqual({ ...qr, destination: 'https://b/' });
      expect(await to('https://c/', noon + 2)).toEqual({ ...qr, destination: 'https://c/' });
      const last = { ...qr, destination: 'https://c/' };
      expect(await store.find(owner.accountId, qr.code)).toEqual(last);
      expect(await store.formerDestinations(qr.id, 10)).toEqual([
        { destination: 'https://b/', untilMs: noon + 2, isReplacedAsPlanned: false },
        { destination: 'https://example.com/', untilMs: noon + 1, isReplacedAsPlanned: false },
      ]);
      expect(await store.formerDestinations(qr.id, 1)).toEqual([
        { destination: 'https://b/', untilMs: noon + 2, isReplacedAsPlanned: false },
      ]);
    });

    test('the same destination changes nothing', async () => {
      const owner = await newOwner();
      const qr = await stored(owner);
      expect(
        await store.changeDestination(acting(owner.accountId), qr.code, qr.destination, noon),
      ).toEqual(qr);
      expect(await store.formerDestinations(qr.id, 10)).toEqual([]);
    });

    test("another account's QR is not changed, nor one that is not there", async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const qr = await stored(owner);
      for (const [accountId, code] of [
        [other.accountId, qr.code],
        [owner.accountId, nextCode()],
      ] as const) {
        expect(
          await store.changeDestination(acting(accountId), code, 'https://evil/', noon),
        ).toBeNull();
        expect(
          await store.changeStatus(acting(accountId), code, 'active', 'blocked', noon),
        ).toBeNull();
      }
      expect(await store.find(owner.accountId, qr.code)).toEqual(qr);
      expect(await store.formerDestinations(qr.id, 10)).toEqual([]);
    });

    test('a path is of one code, and kept from other accounts for two years', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const [{ id, code }, foreign] = [await stored(owner), await stored(other)];
      const path = `Path of ${code}`;
      const set = (one: Owner, of: string, to: string | null, atMs = noon) =>
        store.changeLabels(acting(one.accountId), of, { path: to }, atMs);
      expect(await set(owner, code, path)).toMatchObject({ code, path });
      expect(await set(owner, code, path)).toMatchObject({ path });
      expect(await set(other, code, 'not theirs')).toBeNull();
      expect(await set(other, foreign.code, path)).toBe('path exists');
      expect(await set(other, foreign.code, code)).toBe('path exists');
      expect(await set(other, foreign.code, code.toUpperCase())).toBe('path exists');
      expect(await set(other, foreign.code, path.toUpperCase())).toBe('path in another case');
      expect(await set(owner, code, path.toLowerCase())).toMatchObject({
        path: path.toLowerCase(),
      });
      expect(await set(other, foreign.code, path)).toBe('path in another case');
      expect(await set(owner, code, path)).toMatchObject({ path });
      const created = newQr(other, { path });
      expect(await store.insert(created, null, command)).toBe('path exists');
      expect(await store.find(other.accountId, created.code)).toBeNull();
      const [found] = (await store.searchBatch(owner.accountId, null, path, 100)).found;
      expect(found).toMatchObject({ code, path });

      await addScans(id, [noon]);
      expect(await set(owner, code, null)).toMatchObject({ path: null });
      const twoYears = Date.UTC(2028, 5, 1, 12);
      expect(await set(other, foreign.code, path, twoYears - 1)).toBe('path reserved');
      expect(await stores.linkImports.reserved(other.accountId, [path], twoYears - 1)).toEqual([
        path,
      ]);
      expect(await stores.linkImports.reserved(owner.accountId, [path], noon)).toEqual([]);
      expect(await set(owner, code, path)).toMatchObject({ path });
      expect(await set(owner, code, null)).toMatchObject({ path: null });
      expect(await set(other, foreign.code, path, twoYears + 2 * day)).toMatchObject({ path });
      expect(await set(owner, code, path, twoYears + 2 * day)).toBe('path exists');
    });

    test('a path is free at once if nobody scanned its code, and ten of a code are kept', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const [{ id, code }, foreign] = [await stored(owner), await stored(other)];
      const set = (one: Owner, of: string, to: string | null, atMs: number) =>
        store.changeLabels(acting(one.accountId), of, { path: to }, atMs);
      const paths = Array.from({ length: 14 }, (_, at) => `${code} ${at}`);
      const reserved = async () =>
        (await stores.linkImports.reserved(other.accountId, paths, noon + 99)).toSorted();
      await set(owner, code, paths[0] ?? '', noon);
      await set(owner, code, paths[1] ?? '', noon + 1);
      expect(await set(other, foreign.code, paths[0] ?? '', noon + 2)).toMatchObject({});
      expect(await reserved()).toEqual([]);
      // Before it had the path.
      await addScans(id, [noon + 2]);
      await set(owner, code, paths[2] ?? '', noon + 3);
      expect(await reserved()).toEqual([paths[1] ?? '']);
      await set(owner, code, paths[3] ?? '', noon + 4);
      expect(await reserved()).toEqual([paths[1] ?? '']);
      const created = newQr(owner, { path: `new ${code}`, createdAtMs: noon });
      expect(await store.insert(created, null, command)).toHaveProperty('stored');
      await set(owner, created.code, null, noon + 5);
      expect(await set(other, foreign.code, `new ${code}`, noon + 6)).toMatchObject({});
      // A scan in the future, as of a wrong clock, lets each be kept.
      await set(owner, code, null, noon + 7);
      const busy = await stored(owner);
      await addScans(busy.id, [noon + 1000]);
      for (const [at, path] of paths.slice(2).entries())
        await set(owner, busy.code, path, noon + 10 + at);
      await set(owner, busy.code, null, noon + 50);
      expect(await reserved()).toEqual([paths[1] ?? '', ...paths.slice(4)].toSorted());
    });

    test('codes are found by name and destination, also where many have one name', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const add = async (one: Owner, name: string | null, destination: string) =>
        store.insert(newQr(one, { name, destination }), null, command);
      await add(owner, 'Menu', 'https://a/');
      await add(owner, 'menu', 'https://b/');
      await add(owner, null, 'https://a/');
      await add(other, 'Menu', 'https://c/');
      const asked = [
        { name: 'Menu', destination: 'https://a/' },
        { name: 'Menu', destination: 'https://b/' },
        { name: 'Menu', destination: 'https://c/' },
        { name: null, destination: 'https://a/' },
        { name: '', destination: 'https://a/' },
        { name: 'Other', destination: 'https://a/' },
      ];
      const found = await store.findSame(owner.accountId, asked);
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([asked[0], asked[3]]));
      for (let at = 0; at < 1010; at++) await add(owner, 'Table', `https://table/${at}`);
      const last = { name: 'Table', destination: 'https://table/1009' };
      expect(await store.findSame(owner.accountId, [...asked, last])).toContainEqual(last);
      expect(await store.findSame(owner.accountId, [])).toEqual([]);
    });

    test('a name and a path are changed together, or not at all', async () => {
      const owner = await newOwner();
      const [first, second] = [await stored(owner), await stored(owner)];
      const change = (of: Qr, labels: { name: string; path: string }) =>
        store.changeLabels(acting(owner.accountId), of.code, labels, noon);
      const path = `together ${first.code}`;
      expect(await change(first, { name: 'Both', path })).toMatchObject({ name: 'Both', path });
      expect(await change(second, { name: 'None', path })).toBe('path exists');
      expect(await store.find(owner.accountId, second.code)).toEqual(second);
    });

    test('no code is created that is the path of another one', async () => {
      const owner = await newOwner();
      const { code } = await stored(owner);
      const path = nextCode();
      await store.changeLabels(acting(owner.accountId), code, { path }, noon);
      expect(await store.insert(newQr(owner, { code: path }), null, command)).toBe('taken');
    });

    test('the page of a paused code says what it or its account says, and not a flagged link', async () => {
      const owner = await newOwner();
      const { id, code } = await stored(owner);
      const asked = acting(owner.accountId);
      const none = { businessName: null, pausedMessage: null, pausedLink: null };
      expect(await store.pausedTexts(id)).toEqual({ ...none, isOwnMessage: false });
      const texts = { businessName: 'Ada', pausedMessage: 'Holiday', pausedLink: 'https://b/' };
      await stores.accounts.changePausedTexts(asked, texts, noon);
      expect(await store.pausedTexts(id)).toEqual({ ...texts, isOwnMessage: false });
      // It is not paused.
      await store.changeStatus(asked, code, 'paused', 'paused', noon, 'Own');
      expect(await store.pausedTexts(id)).toMatchObject({ isOwnMessage: false });
      await store.changeStatus(asked, code, 'active', 'paused', noon, 'Own');
      await store.changeStatus(asked, code, 'paused', 'paused', noon, 'Other');
      const link = { accountId: owner.accountId, link: 'https://b/', isFlagged: false };
      await stores.flags.setPausedLinkFlagged(link, true);
      expect(await store.pausedTexts(id)).toEqual({
        ...{ businessName: 'Ada', pausedMessage: 'Other', pausedLink: null },
        isOwnMessage: true,
      });
      expect(await store.pausedTexts(-1)).toBeNull();
    });

    test('a status changes only from the expected one', async () => {
      const owner = await newOwner();
      const { code } = await stored(owner);
      const change = async (
        ...[from, to]: ['active' | 'paused' | 'blocked', 'active' | 'blocked']
      ) => (await store.changeStatus(acting(owner.accountId), code, from, to, noon))?.status;
      expect(await change('paused', 'active')).toBe('active');
      expect(await change('active', 'blocked')).toBe('blocked');
      expect(await change('paused', 'active')).toBe('blocked');
      expect(
        (await store.changeDestination(acting(owner.accountId), code, 'https://b/', noon))?.status,
      ).toBe('blocked');
    });
  });
}
