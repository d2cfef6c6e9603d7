import { describe, expect, jest, test } from 'bun:test';
import fc from 'fast-check';
import { type HitKind, hitKinds } from '../../src/core/scans.ts';
import { makeFold } from '../../src/sqlite/fold.ts';
import type { Store } from '../../src/sqlite/open.ts';
import { makeQrStore } from '../../src/sqlite/qrs.ts';
import { encode } from '../../src/sqlite/scan-batch.ts';
import { makeHourlyScans } from '../../src/sqlite/scan-counters.ts';
import { makeScanLog } from '../../src/sqlite/scan-log.ts';
import { flawsOf, holdingsOf } from '../../src/sqlite/soundness.ts';
import { openStore } from '../../src/sqlite/store.ts';
import { until } from '../support/until.ts';
import { makeFolders } from './folder.ts';

const { newFolder, openIn } = makeFolders();

const hour = 3_600_000;
const noon = Date.UTC(2026, 5, 1, 12);

interface Hit {
  readonly qrId: number;
  readonly kind: HitKind;
  readonly atMs: number;
}

const hits = fc.record<Hit>({
  qrId: fc.constantFrom(1, 2, 3, 2 ** 31),
  kind: fc.constantFrom(...hitKinds),
  atMs: fc.integer({ min: noon - 3 * hour, max: noon + hour }),
});

/** What the counters must say of some hits. */
function expected(all: readonly Hit[]) {
  const scans: Record<string, [scans: number, lastMs: number]> = {};
  const hours: Record<string, number> = {};
  const uncounted: Record<string, number> = {};
  for (const { qrId, kind, atMs } of all) {
    if (kind !== 'scan') {
      uncounted[`${qrId} ${kind}`] = (uncounted[`${qrId} ${kind}`] ?? 0) + 1;
      continue;
    }
    const [count, lastMs] = scans[qrId] ?? [0, 0];
    scans[qrId] = [count + 1, Math.max(lastMs, atMs)];
    const key = `${qrId} ${Math.floor(atMs / hour) * hour}`;
    hours[key] = (hours[key] ?? 0) + 1;
  }
  return { scans, hours, uncounted };
}

/** What the counters say. */
function counters({ $client }: Store): ReturnType<typeof expected> {
  type Row = [number, number, number];
  const all = (sql: string) => $client.query<never, []>(sql).values() as unknown as Row[]; // three integers
  return {
    scans: Object.fromEntries(
      all('SELECT qr_id, scans, last_scan FROM scan_counters').map(([id, n, ms]) => [id, [n, ms]]),
    ),
    hours: Object.fromEntries(
      all('SELECT qr_id, qr_id, qr_id FROM scan_counters').flatMap(([id]) =>
        makeHourlyScans($client)(id, 0).map(({ hourMs, scans }) => [`${id} ${hourMs}`, scans]),
      ),
    ),
    uncounted: Object.fromEntries(
      all('SELECT qr_id, kind, hits FROM uncounted_hits').map(([id, kind, n]) => [
        `${id} ${hitKinds[kind]}`,
        n,
      ]),
    ),
  };
}

/** Counts the rows that the log ever has: on a busy machine they are folded before a test looks. */
function countRows({ $client }: Store): () => number {
  $client.run(
    `CREATE TABLE rows_ever (number); INSERT INTO rows_ever VALUES (0);
     CREATE TRIGGER row_written AFTER INSERT ON scan_log
       BEGIN UPDATE rows_ever SET number = number + 1; END`,
  );
  return () => Number($client.query('SELECT number FROM rows_ever').values()[0]?.[0]);
}

function rowsOfLog({ $client }: Store): number {
  return Number($client.query('SELECT count(*) FROM scan_log').values()[0]?.[0]);
}

const oneScan = [{ qrId: 1, kind: 'scan', atMs: noon }] as const;

describe('recording', () => {
  test('the hits of one turn are one row, which others see before any of them resolves', async () => {
    const folder = newFolder();
    const other = openIn(folder);
    const rowsEver = countRows(other);
    const log = makeScanLog(openIn(folder));
    const rowsSeen = await Promise.all(
      [1, 2, 3, 1, 2].map(async (qrId) => {
        expect(await log.record(qrId, 'scan', noon)).toBe('committed');
        return rowsEver();
      }),
    );
    expect(rowsSeen).toEqual([1, 1, 1, 1, 1]);
    await log.record(1, 'head', noon);
    expect(rowsEver()).toBe(2);
    expect(log.status()).toEqual({ committed: 6, waiting: 0, problem: null });
    log.close();
    expect(rowsOfLog(other)).toBe(0);
    expect(counters(other).scans).toEqual({ 1: [2, noon], 2: [2, noon], 3: [1, noon] });
  });

  test('nothing is written before the turn ends', () => {
    const store = openIn(newFolder());
    const log = makeScanLog(store);
    void log.record(1, 'scan', noon);
    expect(rowsOfLog(store)).toBe(0);
    log.close();
    expect(counters(store)).toEqual(expected(oneScan));
  });

  test('a turn of thousands is committed whole, in rows that are cheap to fold', async () => {
    const store = openIn(newFolder());
    const log = makeScanLog(store);
    const turn = Array.from({ length: 1800 }, (_, n) => ({ ...oneScan[0], qrId: n % 7 }));
    const outcomes = await Promise.all(turn.map(({ qrId }) => log.record(qrId, 'scan', noon)));
    expect(new Set(outcomes)).toEqual(new Set(['committed']));
    expect(rowsOfLog(store)).toBe(4);
    log.close();
    expect(counters(store)).toEqual(expected(turn));
  });

  test('a scan counts at once for who asks, folded or not', async () => {
    const store = openIn(newFolder());
    const log = makeScanLog(store);
    // In one turn: the fold comes 20 ms after the first, which a busy machine may take over three.
    await Promise.all([
      log.record(1, 'scan', noon + 5),
      log.record(1, 'scan', noon),
      log.record(1, 'crawler', noon + 9),
    ]);
    expect(log.unfolded(1)).toEqual({ hits: 2, lastMs: noon + 5 });
    expect(log.unfolded(2)).toBeUndefined();
    log.close();
  });
});

describe('folding', () => {
  test('any hits in any turns add up per QR, hour and kind', async () => {
    const turns = fc.array(fc.array(hits, { minLength: 1, maxLength: 20 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const store = openStore(newFolder(), { durability: 'process', busyTimeoutMs: 0 });
        const rowsEver = countRows(store);
        const log = makeScanLog(store);
        for (const turn of all)
          await Promise.all(turn.map(({ qrId, kind, atMs }) => log.record(qrId, kind, atMs)));
        expect(rowsEver()).toBe(all.length);
        log.close();
        expect(counters(store)).toEqual(expected(all.flat()));
        expect(rowsOfLog(store)).toBe(0);
        store.$client.close();
      }),
      { numRuns: 25 },
    );
  });

  test('goes on by itself while hits arrive, and every answer in between is exact', async () => {
    const store = openIn(newFolder());
    const log = makeScanLog(store);
    const qrs = makeQrStore(store, { forget: () => {} }, log);
    store.$client.run(
      `INSERT INTO accounts (id, email, created_at) VALUES (1, 'a@example.com', 0);
       INSERT INTO designs (id, account_id, foreground, background, module_shape, finder_shape,
         logo_size_percent, logo_patch, quiet_zone, created_at)
         VALUES (1, 1, '#000000', '#ffffff', 'square', 'square', 22, 'square', 4, 0);
       INSERT INTO qrs (id, code, account_id, design_id, short_link, destination, created_at, image_hash)
         VALUES (1, '00000000', 1, 1, 'https://q/00000000', 'https://a/', 0, zeroblob(32))`,
    );
    let scans = 0;
    // As many turns as it takes until the fold's timer has fired at least twice.
    const folded = () => Number(counters(store).scans['1']?.[0] ?? 0);
    for (let folds = 0, before = 0; folds < 2; ) {
      await log.record(1, 'scan', noon + ++scans);
      expect(await qrs.find(1, '00000000')).toMatchObject({ scans, lastScanMs: noon + scans });
      if (folded() > before) folds++;
      before = folded();
      if (scans > 200_000) throw new Error('it never folds');
    }
    log.close();
    expect(folded()).toBe(scans);
  });

  test('what a crash left in the log is folded once by the next start', async () => {
    const folder = newFolder();
    const crashed = makeScanLog(openIn(folder));
    await Promise.all(Array.from({ length: 3 }, () => crashed.record(1, 'scan', noon)));
    await crashed.record(1, 'preview', noon);
    // Never closed: from here on it is as if the process had died.
    const store = openIn(folder);
    expect(rowsOfLog(store)).toBe(2);
    makeScanLog(store).close();
    const all = [...oneScan, ...oneScan, ...oneScan, { ...oneScan[0], kind: 'preview' } as const];
    expect(counters(store)).toEqual(expected(all));
    makeScanLog(store).close();
    expect(counters(store)).toEqual(expected(all));
  });

  test('an hour that an earlier schema began is counted on, also once it is over', async () => {
    const store = openIn(newFolder());
    store.$client.run(
      `INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (1, 3, ${noon});
       INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (1, ${noon}, 3)`,
    );
    const hours = makeHourlyScans(store.$client);
    for (const [atMs, scans] of [
      [noon + 5, [4]],
      [noon + hour, [4, 1]],
      [noon + 7, [5, 1]],
    ] as const) {
      const log = makeScanLog(store);
      await log.record(1, 'scan', atMs);
      log.close();
      expect(hours(1, 0).map((inHour) => inHour.scans)).toEqual([...scans]);
    }
    expect(hours(1, noon + hour)).toEqual([{ hourMs: noon + hour, scans: 1 }]);
    expect(counters(store).scans).toEqual({ 1: [6, noon + hour] });
  });

  test('a long log is put in order and folded in steps, exact after each, whoever takes the next', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const log = makeScanLog(store);
    const all = Array.from(
      { length: 5000 },
      (_, n): Hit => ({
        qrId: (n * 7919) % 1801,
        kind: n % 11 === 0 ? 'head' : 'scan',
        // The second half reaches from one hour into the next, in no order.
        atMs: noon + (n < 2500 ? 0 : ((n * 31) % 60) * 60_000 + hour / 2),
      }),
    );
    await Promise.all(all.map(({ qrId, kind, atMs }) => log.record(qrId, kind, atMs)));
    let steps = 0;
    let fold = makeFold(store.$client);
    while (fold() !== null) {
      expect(holdingsOf(store.$client).hits).toBe(all.length);
      // From here on it is as if the process had died and another one had been started.
      if (++steps % 3 === 0) fold = makeFold(openIn(folder).$client);
    }
    expect(steps).toBeGreaterThan(9);
    expect(counters(store)).toEqual(expected(all));
    expect(rowsOfLog(store)).toBe(0);
    log.close();
  });

  test('a log that begins again is put in order again, also where it gives the same ids', async () => {
    const store = openIn(newFolder());
    const log = makeScanLog(store);
    const fold = makeFold(store.$client);
    const turn = Array.from({ length: 1200 }, (_, n): Hit => ({ ...oneScan[0], qrId: n % 600 }));
    for (let times = 1; times <= 2; times++) {
      await Promise.all(turn.map(({ qrId }) => log.record(qrId, 'scan', noon)));
      expect(store.$client.query('SELECT min(id) FROM scan_log').values()).toEqual([[1]]);
      expect(fold()).toEqual({ folded: [], shorterBy: 600, more: true });
      while (fold() !== null);
      expect(counters(store)).toEqual(expected(Array(times).fill(turn).flat()));
    }
    log.close();
  });

  test('a crash between adding up and forgetting undoes the adding up', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const log = makeScanLog(store);
    await log.record(1, 'scan', noon);
    store.$client.run(
      `CREATE TRIGGER crash BEFORE DELETE ON scan_log BEGIN SELECT raise(ABORT, 'crash'); END`,
    );
    const problems: string[] = [];
    const after = makeScanLog(
      openIn(folder),
      () => {},
      (problem) => problems.push(problem),
    );
    after.close();
    expect(after.foldProblem()).toBe('crash');
    expect(problems).toEqual(['crash']);
    expect(counters(store).scans).toEqual({});
    store.$client.run('DROP TRIGGER crash');
    log.close();
    expect(counters(store)).toEqual(expected(oneScan));
  });
});

describe('a row that a damaged disk has changed', () => {
  test.each([
    ['is cut off', () => encode([8, noon, 1]).slice(0, 23)],
    ['is text', () => 'scan'],
    ['names no code', () => encode([-8, noon, 1])],
    ['names no kind', () => encode([8 + 7, noon, 1])],
    ['has no date', () => encode([8, Number.NaN, 1])],
    ['counts nothing', () => encode([8, noon, 0])],
    ['counts a part', () => encode([8, noon, 0.5])],
  ])('that %s is a flaw of the database, and scans go on being written', async (_, row) => {
    const store = openIn(newFolder());
    expect(flawsOf(store.$client)).toEqual([]);
    store.$client.query('INSERT INTO scan_log (entries) VALUES (?)').run(row());
    expect(flawsOf(store.$client)).toEqual(['a row of scan_log cannot be read']);
    const log = makeScanLog(store);
    expect(await log.record(1, 'scan', noon)).toBe('committed');
    log.close();
    expect(log.foldProblem()).toBe('a row of scan_log cannot be read');
    expect(store.$client.query('SELECT count(*) AS rows FROM scan_log').get()).toEqual({ rows: 2 });
  });
});

describe('while the database cannot be written', () => {
  /** A scan log whose database another connection holds. */
  function blocked() {
    const folder = newFolder();
    const store = openIn(folder);
    const other = openIn(folder).$client;
    const problems: (string | null)[] = [];
    const log = makeScanLog(store, (problem) => problems.push(problem));
    other.run('BEGIN EXCLUSIVE');
    return { store, log, problems, free: () => other.run('ROLLBACK') };
  }

  test('hits wait, the reason is told once, and all are counted once it can be', async () => {
    const { store, log, problems, free } = blocked();
    const outcomes = [
      await log.record(1, 'scan', noon),
      ...(await Promise.all([log.record(1, 'scan', noon + 1), log.record(2, 'head', noon)])),
      await log.record(1, 'scan', noon - hour),
    ];
    expect(outcomes).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    await until(() => problems.length > 0);
    expect(problems).toEqual([expect.stringContaining('locked')]);
    expect(log.status()).toEqual({ committed: 0, waiting: 4, problem: problems[0] ?? null });
    free();
    await until(() => log.status().waiting === 0);
    expect(problems).toEqual([expect.stringContaining('locked'), null]);
    expect(log.status()).toEqual({ committed: 4, waiting: 0, problem: null });
    expect(log.unfolded(1)).toEqual({ hits: 3, lastMs: noon + 1 });
    expect(await log.record(1, 'scan', noon + 2)).toBe('committed');
    log.close();
    expect(counters(store)).toEqual(
      expected([
        { qrId: 1, kind: 'scan', atMs: noon },
        { qrId: 1, kind: 'scan', atMs: noon + 1 },
        { qrId: 2, kind: 'head', atMs: noon },
        { qrId: 1, kind: 'scan', atMs: noon - hour },
        { qrId: 1, kind: 'scan', atMs: noon + 2 },
      ]),
    );
  });

  test('a write of another process that is soon over is no problem to tell of', async () => {
    const { store, log, problems, free } = blocked();
    expect(await log.record(1, 'scan', noon)).toBe('waiting');
    expect(log.status()).toEqual({ committed: 0, waiting: 1, problem: null });
    free();
    await until(() => log.status().waiting === 0);
    expect(await log.record(1, 'scan', noon)).toBe('committed');
    expect(problems).toEqual([]);
    log.close();
    expect(counters(store).scans).toEqual({ 1: [2, noon] });
  });

  test('hundreds of thousands of hits wait in little memory', async () => {
    const { store, log, free } = blocked();
    const many = 200_000;
    await Promise.all(Array.from({ length: many }, (_, n) => log.record(n % 5, 'scan', noon)));
    expect(log.status().waiting).toBe(many);
    free();
    log.close();
    expect(counters(store).scans['4']).toEqual([many / 5, noon]);
  });

  test('hits that wait are written when the server ends, and nothing goes on afterwards', async () => {
    const { store, log, free } = blocked();
    await log.record(1, 'scan', noon);
    free();
    jest.useFakeTimers();
    try {
      expect(log.close()).toBe(0);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
    expect(counters(store)).toEqual(expected(oneScan));
  });

  test('a server that ends all the same says how many hits it loses', async () => {
    const { store, log, free } = blocked();
    await Promise.all([log.record(1, 'scan', noon), log.record(1, 'scan', noon)]);
    expect(log.close()).toBe(2);
    free();
    expect(counters(store)).toEqual(expected([]));
  });

  test('a file that has become read-only is the same', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const problems: (string | null)[] = [];
    const log = makeScanLog(store, (problem) => problems.push(problem));
    store.$client.run('PRAGMA query_only = ON');
    expect(await log.record(1, 'scan', noon)).toBe('waiting');
    expect(problems).toEqual([expect.stringContaining('readonly')]);
    store.$client.run('PRAGMA query_only = OFF');
    log.close();
    expect(counters(openIn(folder))).toEqual(expected(oneScan));
  });
});
