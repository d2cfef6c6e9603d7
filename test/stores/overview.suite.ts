import { describe, expect, test } from 'bun:test';
import { addOwner, addQr, type Owner } from './rows.ts';
import { hour, noon } from './scans.ts';
import type { DatabaseUnderTest } from './suites.ts';

/** Tests of the port `OverviewStore`, for every adapter. */
export function overviewStoreSuite({ name, stores, addScans }: DatabaseUnderTest): void {
  const { qrs, overview } = stores;
  const newOwner = () => addOwner(stores);
  const window = { sinceMs: noon - 48 * hour, untilMs: noon + hour, lateMs: noon - 24 * hour };

  const createQr = async (owner: Owner, createdAtMs: number, timesMs: readonly number[] = []) => {
    const { id, code } = await addQr(stores, owner, { createdAtMs });
    await addScans(id, timesMs);
    return code;
  };

  describe(`${name}: counters of all codes`, () => {
    test('have scans per code and per hour, in the order of the list', async () => {
      const owner = await newOwner();
      const unscanned = await createQr(owner, 1);
      const before = [window.sinceMs - 1, window.sinceMs];
      const quiet = await createQr(owner, 2, before);
      const late = [window.lateMs - 1, window.lateMs, window.lateMs + 1, noon, noon + 5];
      const scanned = await createQr(owner, 3, late);
      await createQr(await newOwner(), 4, [noon]);

      const { codes, hours } = await overview.readCounters(owner, window, null, 10);
      expect(codes).toEqual([
        { code: scanned, createdAtMs: 3, scans: 5, lastScanMs: noon + 5, lateScans: 4 },
        { code: quiet, createdAtMs: 2, scans: 2, lastScanMs: window.sinceMs, lateScans: 0 },
        { code: unscanned, createdAtMs: 1, scans: 0, lastScanMs: null, lateScans: 0 },
      ]);
      expect(hours.toSorted((one, other) => one.hourMs - other.hourMs)).toEqual([
        { hourMs: window.sinceMs, scans: 1 },
        { hourMs: window.lateMs - hour, scans: 1 },
        { hourMs: window.lateMs, scans: 2 },
        { hourMs: noon, scans: 2 },
      ]);
    });

    test('are those of a folder, and of the hours before the end', async () => {
      const owner = await newOwner();
      const { accountId } = owner;
      const newest = { folder: 'Menüs', createdAtMs: 2 };
      const { id, code } = await addQr(stores, owner, newest);
      const { id: other } = await addQr(stores, owner, { createdAtMs: 3 });
      const { id: older, code: last } = await addQr(stores, owner, { ...newest, createdAtMs: 1 });
      await addScans(id, [noon, noon + hour]);
      for (const one of [other, older]) await addScans(one, [noon - hour]);
      const scope = { accountId, folder: 'Menüs' };
      const { codes, hours } = await overview.readCounters(scope, window, null, 10);
      expect(codes.map((one) => one.code)).toEqual([code, last]);
      expect(hours.toSorted((one, two) => one.hourMs - two.hourMs)).toEqual([
        { hourMs: noon - hour, scans: 1 },
        { hourMs: noon, scans: 1 },
      ]);
      const [first] = codes;
      const next = await overview.readCounters(scope, window, first ?? null, 10);
      expect(next.codes.map((one) => one.code)).toEqual([last]);
      const none = await overview.readCounters({ accountId, folder: 'none' }, window, null, 10);
      expect(none).toEqual({ codes: [], hours: [] });
    });

    test('are read in batches', async () => {
      const owner = await newOwner();
      // Of equal age, the code decides.
      for (const createdAtMs of [1, 2, 2, 2, 3]) await createQr(owner, createdAtMs, [noon]);
      const { qrs: listed } = await qrs.listPage(owner.accountId, 10, 0);
      const read: string[] = [];
      let scans = 0;
      for (let cursor = null; ; ) {
        const batch = await overview.readCounters(owner, window, cursor, 2);
        read.push(...batch.codes.map(({ code }) => code));
        for (const one of batch.hours) scans += one.scans;
        const last = batch.codes.at(-1);
        if (last === undefined || batch.codes.length < 2) break;
        cursor = last;
      }
      expect(read).toEqual(listed.map(({ code }) => code));
      expect(scans).toBe(5);
    });
  });
}
