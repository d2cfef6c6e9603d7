import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { serve } from '../reputation/stub.ts';
import { createApi } from '../support/api.ts';
import { runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const [library] = existsSync('/usr/lib')
  ? [...new Glob('*/faketime/libfaketime.so.1').scanSync('/usr/lib')]
  : [];
// In CI on Linux it must be there, so that these never stay away unseen.
const mayBeMissing = process.platform !== 'linux' || process.env['CI'] !== 'true';
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const hour = 3600;
const day = 24 * hour;

/** A server whose wall clock a test moves, while its monotonic clock goes on as the kernel's does. */
async function onMovedClock(env: Record<string, string> = {}) {
  const dataFolder = seeded.copyTo(newPath());
  const file = join(dataFolder, 'clock');
  const move = (seconds: number) => {
    writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`);
  };
  move(0);
  const moved = {
    LD_PRELOAD: join('/usr/lib', library ?? ''),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  const server = launch(dataFolder, { env: { ...env, ...moved } });
  expect(await server.listening).toBe(true);
  return {
    server,
    dataFolder,
    api: createApi(server.origin, seeded.key),
    /** By so many seconds from the true time. */
    move,
    nowMs: (seconds: number) => Date.now() + seconds * 1000,
    end: async () => {
      server.signal('SIGTERM');
      expect(await server.ended).toBe(0);
    },
  };
}

const near = (instant: string | null, ms: number) =>
  Math.abs(Date.parse(instant ?? '') - ms) < 60_000;

describe.skipIf(library === undefined && mayBeMissing)('a clock that jumps', () => {
  test('moves the dates of scans and codes with it, and nothing breaks', async () => {
    const { server, api, move, nowMs, end } = await onMovedClock();
    let { scans } = await api.read(code);
    for (const seconds of [hour, -hour, 400 * day, 0, -400 * day]) {
      move(seconds);
      const { code: made, created_at } = await api.create('https://example.org/');
      expect([seconds, near(created_at, nowMs(seconds))]).toEqual([seconds, true]);
      expect((await visit(`${server.origin}/${made}`)).status).toBe(302);
      const { last_scan } = await api.read(made);
      expect([seconds, near(last_scan, nowMs(seconds))]).toEqual([seconds, true]);
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
      scans++;
      const seen = await api.read(code);
      expect(seen.scans).toBe(scans);
    }
    // The last scan is the latest by the clock, whenever the clock said so.
    expect(near((await api.read(code)).last_scan, nowMs(400 * day))).toBe(true);
    await end();
  });

  test('leaves the pages of a list whole: every code once, by its date', async () => {
    const { api, move, end } = await onMovedClock();
    for (const seconds of [0, hour, -hour, day, -day]) {
      move(seconds);
      await api.create('https://example.org/');
    }
    const { data, total } = await api.list();
    const pages = [];
    for (let offset = 0; offset < total; offset += 2)
      pages.push(...(await api.list(`?limit=2&offset=${offset}`)).data);
    expect(pages.map((qr) => qr.code)).toEqual(data.map((qr) => qr.code));
    const dates = data.map((qr) => qr.created_at);
    expect(dates).toEqual([...dates].sort().reverse());
    await end();
  });

  test('neither opens nor closes the window of the rate limit', async () => {
    const { api, move, end } = await onMovedClock({ WAYMARK_RATE_LIMIT: '5' });
    for (const seconds of [0, day, -day, hour, 0]) {
      move(seconds);
      expect(outcome(await api.call('GET /qrs'))).toBe('200');
    }
    for (const seconds of [day, -day, 400 * day]) {
      move(seconds);
      const refused = await api.call('GET /qrs');
      expect(outcome(refused)).toBe('429 rate_limited');
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
    }
    await end();
  });

  test('decides over plans: the API follows it, the redirect does not', async () => {
    const { server, dataFolder, api, move, nowMs, end } = await onMovedClock();
    const until = new Date(nowMs(10 * day)).toISOString();
    const { exitCode } = await runProgram(
      ['account', 'plan', 'alice@example.org', '--until', until],
      { cwd: dataFolder, env: { WAYMARK_DATA: dataFolder } },
    );
    expect(exitCode).toBe(0);
    for (const [seconds, expected] of [
      [0, '200'],
      [11 * day, '402 plan_required'],
      [9 * day, '200'],
      [-400 * day, '200'],
    ] as const) {
      move(seconds);
      expect(outcome(await api.call('GET /qrs'))).toBe(expected);
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    }
    await end();
  });

  test('that passes a day has every destination looked at again, with the provider', async () => {
    const asked: string[] = [];
    const provider = serve(async (request) => {
      asked.push(await request.text());
      return Response.json({ unsafe: true, threat: 'MALWARE' });
    });
    const { server, api, move, end } = await onMovedClock({
      WAYMARK_SAFE_BROWSING: 'http',
      WAYMARK_SAFE_BROWSING_URL: provider.url,
    });
    // The day begins with what is loaded when the API is first asked.
    await api.list();
    move(day - hour);
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    expect(asked).toEqual([]);
    move(day + hour);
    // The warning page stands where the redirect was.
    await until(async () => (await visit(`${server.origin}/${code}`)).status === 200);
    expect(asked).toEqual([expect.stringContaining(seeded.codes[0]?.destination ?? '')]);
    await end();
  });
});
