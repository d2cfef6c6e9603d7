import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { type Api, createApi } from '../support/api.ts';
import { runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, serve } = createLaunches();
const [library] = existsSync('/usr/lib')
  ? [...new Glob('*/faketime/libfaketime.so.1').scanSync('/usr/lib')]
  : [];
// In CI on Linux it must be there: tests may not be skipped unseen.
const mayBeMissing = process.platform !== 'linux' || process.env['CI'] !== 'true';
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const hour = 3600;
const day = 24 * hour;

const limit = 30;

const near = (instant: string | null, ms: number) =>
  Math.abs(Date.parse(instant ?? '') - ms) < 60_000;

// The tests move the wall clock of one server. Its monotonic clock stays that of the kernel.
describe.skipIf(library === undefined && mayBeMissing)('a clock that jumps', () => {
  const dataFolder = newPath();
  let server: Launched;
  let api: Api;

  /** Sets the clock to a number of seconds from the true time and returns it in milliseconds. */
  const move = (seconds: number): number => {
    writeFileSync(join(dataFolder, 'clock'), `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`);
    return Date.now() + seconds * 1000;
  };

  const cli = (...args: string[]) =>
    runProgram(args, { cwd: dataFolder, env: { WAYMARK_DATA: dataFolder } });

  beforeAll(async () => {
    seeded.copyTo(dataFolder);
    move(0);
    server = await serve(dataFolder, {
      env: {
        WAYMARK_RATE_LIMIT: String(limit),
        LD_PRELOAD: join('/usr/lib', library ?? ''),
        FAKETIME_TIMESTAMP_FILE: join(dataFolder, 'clock'),
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
      },
    });
    api = createApi(server.origin, seeded.key);
  });
  afterAll(async () => {
    await server.stop();
  });

  test('moves the dates of codes and scans, and every scan is counted', async () => {
    for (const seconds of [hour, 400 * day, -400 * day]) {
      const nowMs = move(seconds);
      const { code: created, created_at } = await api.create('https://example.org/');
      expect([seconds, near(created_at, nowMs)]).toEqual([seconds, true]);
      for (const scanned of [created, code])
        expect((await visit(`${server.origin}/${scanned}`)).status).toBe(302);
      expect([seconds, near((await api.read(created)).last_scan, nowMs)]).toEqual([seconds, true]);
    }
    const { scans, last_scan } = await api.read(code);
    expect(scans).toBe(seeded.scans + 3);
    // The latest by the clock.
    expect(near(last_scan, Date.now() + 400 * day * 1000)).toBe(true);
    const dates = (await api.list()).data.map((qr) => qr.created_at);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test('is told while it is ahead, and once it has been', async () => {
    const warnings = async () => (await (await fetch(`${server.origin}/healthz`)).json()).warnings;
    const told = async (text: string) => (await warnings()).join(' ').includes(text);
    move(0);
    // The test before has moved it, if it has run.
    await api.list();
    move(500 * day);
    await until(() => told('was set forward from'));
    move(0);
    await until(() => told('was set back from'));
    expect(await told('was set forward')).toBe(false);
  });

  test('decides whether a plan is active; redirects go on', async () => {
    const until = new Date(move(0) + 10 * day * 1000).toISOString();
    expect((await cli('account', 'plan', 'alice@example.org', '--until', until)).exitCode).toBe(0);
    for (const [seconds, expected] of [
      [11 * day, '402 plan_required'],
      [9 * day, '200'],
      [-400 * day, '200'],
    ] as const) {
      move(seconds);
      expect(outcome(await api.call('GET /qrs'))).toBe(expected);
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    }
  });

  test("doesn't move the window of the rate limit", async () => {
    for (let requests = 0; outcome(await api.call('GET /qrs')) === '200'; requests++)
      expect(requests).toBeLessThan(limit);
    for (const seconds of [day, -day, 400 * day]) {
      move(seconds);
      const rejected = await api.call('GET /qrs');
      expect(outcome(rejected)).toBe('429 rate_limited');
      expect(Number(rejected.headers.get('retry-after'))).toBeWithin(1, 61);
    }
  });
});
