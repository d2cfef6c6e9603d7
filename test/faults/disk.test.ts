import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { integrityError } from '../../src/sqlite/maintenance/integrity.ts';
import { type Api, createApi } from '../support/api.ts';
import { isCompleteRun } from '../support/sample.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';
import { createLaunches, type Launched } from './launch.ts';
import { canMount, createMounts, fill } from './mounts.ts';
import { seed } from './seeded.ts';
import { canTrace, intercept } from './strace.ts';

const { newPath, launch, serve } = createLaunches();
const { mountWith } = createMounts();
const seeded = await seed(newPath(), 2);
const [code = '', other = ''] = seeded.codes.map((one) => one.code);

/** Makes writes fail. @returns lets them succeed again */
type Fault = (server: Launched, dataFolder: string) => Promise<() => Promise<void> | void>;

/**
 * Uses a server while writes fail and afterwards: it redirects every time, rejects writes that then
 * changed nothing, and counts all scans in the end.
 */
async function endure(dataFolder: string, fault: Fault, problem = /scans cannot be written/i) {
  const server = await serve(dataFolder);
  const api = createApi(server.origin, seeded.key);
  let redirects = seeded.scans;
  const scan = async (times: number) => {
    for (let turn = 0; turn < times; turn++) {
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
      redirects++;
    }
  };
  const { total } = await api.list('?limit=1');

  await scan(5);
  const relieve = await fault(server, dataFolder);
  // The write-ahead log may still have room for a few hundred edits.
  const edit = (turn: number) =>
    send(server.origin, 'PATCH', `/qrs/${code}`, `https://example.org/edit/${turn}`);
  for (let turn = 0; turn < 1000 && (await edit(turn)).ok; turn++);
  await expectUnavailable(await send(server.origin, 'POST', '/qrs'));
  await scan(20);
  const before = await api.read(other);
  await expectUnavailable(await send(server.origin, 'PATCH', `/qrs/${other}`));
  expect(await api.read(other)).toEqual(before);
  expect((await visit(`${server.origin}/${other}`)).to).toBe(before.destination);
  expect((await api.list('?limit=1')).total).toBe(total);
  const askHealth = () => fetch(`${server.origin}/healthz`);
  await until(async () => !(await askHealth()).ok);
  const health = await askHealth();
  expect(health.status).toBe(503);
  expect(await health.text()).toMatch(problem);
  await scan(5);
  const creates = Array.from({ length: 5 }, () => send(server.origin, 'POST', '/qrs'));
  await scan(5);
  for (const late of await Promise.all(creates)) await expectUnavailable(late);

  await relieve();
  await until(async () => (await fetch(`${server.origin}/healthz`)).ok);
  expect((await api.read(code)).scans).toBe(redirects);
  await api.create('https://example.org/2');
  expect(outcome(await api.call(`PATCH /qrs/${other}`, { url: 'https://example.org/3' }))).toBe(
    '200',
  );
  await scan(1);
  await expectSound(server, dataFolder, { api, total: total + 1, redirects });
}

/** Sends a write. The API client of the tests rejects 503, which the contract doesn't list. */
function send(
  origin: string,
  method: 'POST' | 'PATCH',
  path: string,
  url = 'https://example.org/1',
): Promise<Response> {
  const headers = { Authorization: `Bearer ${seeded.key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url });
  return fetch(`${origin}/api/v1${path}`, { method, headers, body, keepalive: false });
}

async function expectUnavailable(rejected: Response): Promise<void> {
  const body: unknown = await rejected.json();
  expect([rejected.status, body]).toEqual([
    503,
    { error: { code: 'unavailable', message: expect.any(String) } },
  ]);
  expect(rejected.headers.get('retry-after')).toBe('1');
}

/** Stops the server and expects a sound database with all answered writes and no rejected ones. */
async function expectSound(
  server: Launched,
  dataFolder: string,
  { api, total, redirects }: { api: Api; total: number; redirects: number },
) {
  expect((await api.list('?limit=1')).total).toBe(total);
  await server.stop();
  for (const name of ['waymark.db-wal', 'hits.db'])
    expect([name, existsSync(join(dataFolder, name))]).toEqual([name, false]);
  const database = new Database(join(dataFolder, 'waymark.db'), { readonly: true });
  const number = (sql: string) => database.query(sql).values()[0]?.[0];
  expect(integrityError(database)).toBeNull();
  expect(number('SELECT count(*) FROM qrs')).toBe(total);
  expect(number('SELECT qr_count FROM accounts')).toBe(total);
  expect(
    number(`SELECT scans FROM scan_counters JOIN qrs ON qrs.id = qr_id WHERE code = '${code}'`),
  ).toBe(redirects);
  expect(number('SELECT count(*) FROM scan_log')).toBe(0);
  database.close();
}

/** Fails system calls on the databases and their logs. */
const failing =
  (injection: string, ...suffixes: string[]): Fault =>
  async ({ pid }, dataFolder) => {
    const [, calls = ''] = /^inject=([^:]+):/.exec(injection) ?? [];
    const paths = ['waymark.db', 'hits.db'].flatMap((name) =>
      suffixes.map((suffix) => join(dataFolder, name + suffix)),
    );
    return intercept(pid, [`trace=${calls}`, injection], paths);
  };

describe('redirects go on, creates and edits are rejected, and buffered scans are written later', () => {
  test.skipIf(!canMount)('while the disk is full', async () => {
    const mount = mountWith('size=2m');
    await endure(seeded.copyTo(join(mount, 'data')), async (_, dataFolder) => fill(dataFolder));
  });

  test.skipIf(!canTrace || !isCompleteRun).each([
    ['the log cannot be written: EIO', 'inject=pwrite64:error=EIO', ['-wal']],
    ['the log cannot be synced: EIO', 'inject=fsync,fdatasync:error=EIO', ['-wal']],
  ])('while %s', async (_, injection, suffixes) => {
    await endure(seeded.copyTo(newPath()), failing(injection, ...suffixes));
  });

  test('while another process locks the database', async () => {
    const lock: Fault = async (_, dataFolder) => {
      const other = new Database(join(dataFolder, 'waymark.db'));
      other.run('PRAGMA busy_timeout = 5000');
      other.run('BEGIN EXCLUSIVE');
      return () => {
        other.run('ROLLBACK');
        other.close();
      };
    };
    await endure(
      seeded.copyTo(newPath()),
      lock,
      /Scans are on disk, but cannot be counted: .*If hits\.db is damaged, restart the server/,
    );
  });
});

describe.skipIf(!canMount)('a start on a full disk', () => {
  /** Uses a server, fills its disk, and ends it by a signal. */
  const endOnFullDisk = async (
    signal: NodeJS.Signals,
    use: (origin: string) => Promise<unknown> = async () => {},
  ) => {
    const dataFolder = seeded.copyTo(join(mountWith('size=2m'), 'data'));
    const first = await serve(dataFolder);
    await use(first.origin);
    const relieve = fill(dataFolder);
    first.signal(signal);
    await first.ended;
    return { dataFolder, relieve, next: () => serve(dataFolder) };
  };
  const isHealthy = async (origin: string) => (await fetch(`${origin}/healthz`)).ok;
  const allScansOf = async (origin: string, scans: number) => {
    const api = createApi(origin, seeded.key);
    await until(async () => (await send(origin, 'POST', '/qrs')).status === 201);
    await until(async () => (await api.read(code)).scans === scans);
    expect(await isHealthy(origin)).toBe(true);
  };

  test('after a crash redirects printed codes, and counts once there is room', async () => {
    const { relieve, next } = await endOnFullDisk('SIGKILL', (origin) =>
      visit(`${origin}/${code}`),
    );
    const { origin } = await next();
    expect((await visit(`${origin}/${code}`)).status).toBe(302);
    relieve();
    await allScansOf(origin, seeded.scans + 2);
  });

  test('after a crash that lost the shared memory redirects to the latest destinations', async () => {
    const latest = 'https://example.org/latest';
    const { dataFolder, relieve, next } = await endOnFullDisk('SIGKILL', (origin) =>
      createApi(origin, seeded.key).call(`PATCH /qrs/${other}`, { url: latest }),
    );
    rmSync(join(dataFolder, 'waymark.db-shm'));
    fill(dataFolder);

    const { origin, stop } = await next();
    const page = () => visit(`${origin}/${other}`);
    expect(await page()).toMatchObject({ status: 302, to: latest });
    expect((await fetch(`${origin}/healthz`)).status).toBe(503);
    relieve();
    await until(() => isHealthy(origin));
    expect(await page()).toMatchObject({ status: 302, to: latest });
    await allScansOf(origin, seeded.scans);
    await stop();
  });

  test('after a stop only redirects, and is whole once there is room, without a restart', async () => {
    const { dataFolder, relieve, next } = await endOnFullDisk('SIGTERM');
    fill(dataFolder);

    const { origin, stop } = await next();
    expect((await visit(`${origin}/${code}`)).status).toBe(302);
    const health = await fetch(`${origin}/healthz`);
    expect(health.status).toBe(503);
    expect(await health.text()).toContain('the disk was full at the start');
    expect((await send(origin, 'POST', '/qrs')).status).toBe(503);

    relieve();
    await until(() => isHealthy(origin));
    expect((await visit(`${origin}/${code}`)).status).toBe(302);
    await allScansOf(origin, seeded.scans + 2);
    await stop();
  });

  test('without a database is refused, and the message says why', async () => {
    const folder = mountWith('size=64k');
    fill(folder);
    const server = launch(folder);
    expect([await server.listening, await server.ended]).toEqual([false, 1]);
    expect(server.output()).toContain('the disk is full. Free some space');
  });
});
