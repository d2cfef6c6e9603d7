import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { addAccount } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { inDatabase } from '../support/database.ts';
import { addPastScans } from '../support/past-scans.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { type Env, programCommand, programEnv } from '../support/program.ts';
import { isCompleteRun } from '../support/sample.ts';
import { createCommands } from './folder.ts';

// More than a pipe holds.
const codes = 3000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-export-'));
  const store = openWithDrizzle(folder, { durability: 'process', busyTimeoutMs: 0 });
  addManyQrs(store.$client, await addAccount(store, 'a@example.org'), codes);
  store.$client.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// Its memory is in test/ci/export.ts.
test.each([
  ['a reader that closes the pipe is no error', '| true', 0, ''],
  ['a full disk is an error', '>/dev/full', 1, 'standard output cannot be written'],
])('%s', async (_, redirection, exitCode, message) => {
  // The shell sends the output somewhere.
  const line = `set -o pipefail; "$@" ${redirection}`;
  const child = Bun.spawn(['bash', '-c', line, 'bash', ...programCommand(), 'export'], {
    env: programEnv({ WAYMARK_DATA: folder }),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await new Response(child.stderr).text();
  expect(await child.exited).toBe(exitCode);
  expect(stderr.split('\n').length - 1).toBe(exitCode);
  expect(stderr).toContain(message);
});

describe('after accounts are deleted, codes are exported', () => {
  const {
    folder: ownFolder,
    json,
    waymark,
  } = createCommands({
    WAYMARK_SHORT_URL: 'https://qr.example.com',
  });
  const ways = ['keep', 'stop', 'to:heir@example.com'];

  /** Creates an account with two codes and an imported link for each way, and deletes it in that way. */
  async function deleteAccounts(env: Env): Promise<void> {
    await json('account create heir@example.com', { env });
    for (const [number, way] of ways.entries()) {
      const email = `owner${number}@example.com`;
      await json(`account create ${email}`, { env });
      for (const code of ['a', 'b'])
        await json(`code create https://example.com/${number}/${code} --account ${email}`, { env });
      await Bun.write(
        join(ownFolder, 'links.csv'),
        `path,destination\nold-${number},https://example.com/${number}/old\n`,
      );
      await json(`link import links.csv --account ${email}`, { env });
      await json(`account delete ${email} --codes ${way} --yes`, { env });
    }
  }

  /** Returns what the codes of an export lead to. */
  const exported = async (env: Env, flags = '') => {
    const rows = (await json(`export${flags}`, { env })) as Record<string, unknown>[];
    return rows.map(({ location, http_status: status }) => [location, status]).toSorted();
  };

  test.each(['nginx', 'caddy', 'redirects', 'csv', 'json'])('as %s', async (format) => {
    const { exitCode, stderr, stdout } = await waymark(`export --format ${format}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('https://example.com/0/old');
    expect(stdout).not.toContain('https://example.com/1/');
  });

  /** Expects what the ways of deletion leave. */
  async function expectExports(env: Env): Promise<void> {
    const active = (number: number) =>
      ['a', 'b', 'old'].map((name) => [`https://example.com/${number}/${name}`, 302]);
    const gone = [0, 1, 2].map(() => [null, 410]);
    expect(await exported(env)).toEqual([...active(0), ...active(2), ...gone].toSorted());
    expect(await exported(env, ' --account heir@example.com')).toEqual(active(2));
    expect(await exported(env, ' --account nobody')).toEqual([...active(0), ...gone].toSorted());
    expect(await json(`export --out ${crypto.randomUUID()}.csv`, { env })).toMatchObject({
      codes: 9,
      active: 6,
      gone: 3,
    });
    expect((await waymark('verify', { env })).exitCode).toBe(0);
  }

  beforeAll(() => deleteAccounts({}));

  test('from SQLite, and from a restored backup', async () => {
    await expectExports({});
    await json('backup backup.db');
    const env = { WAYMARK_DATA: join(ownFolder, 'restored') };
    await json('restore backup.db', { env });
    await expectExports(env);
  });

  test.skipIf(!hasPostgres || !isCompleteRun)(
    'from PostgreSQL, and after a move to SQLite and back',
    async () => {
      const postgres = await sharedPostgres();
      const env = { WAYMARK_DATABASE_URL: await postgres.createDatabase() };
      await deleteAccounts(env);
      await expectExports(env);
      const moved = { WAYMARK_DATA: join(ownFolder, 'moved') };
      await json(`move --to ${moved.WAYMARK_DATA}`, { env });
      await expectExports(moved);
      const back = { WAYMARK_DATABASE_URL: await postgres.createDatabase() };
      await json(`move --to ${back.WAYMARK_DATABASE_URL}`, { env: moved });
      await expectExports(back);
    },
  );
});

describe('scans by day', () => {
  const {
    folder: ownFolder,
    json,
    waymark,
  } = createCommands({ WAYMARK_SHORT_URL: 'https://qr.example.com' });
  const dataFolder = join(ownFolder, 'data');
  const dayMs = 86_400_000;
  const times = fc.array(
    fc.tuple(
      fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 5, 1) }),
      fc.integer({ min: 1, max: 99 }),
    ),
    { minLength: 1, maxLength: 30 },
  );

  const expectDays = async (env: Env) => {
    await json('account create a@example.com', { env });
    await json('account create b@example.com', { env });
    const expected = new Map<string, number>();
    const totals = new Map<string, number>();
    for (const [number, scans] of fc.sample(times, 4).entries()) {
      const email = number === 3 ? 'b@example.com' : 'a@example.com';
      const labels = ['--name', `Table, ${number}`, '--folder', '=Menus'];
      const create = ['code', 'create', 'https://example.com/', '--account', email, ...labels];
      const { stdout } = await waymark([...create, '--json'], { env });
      // The command prints this.
      const { code } = JSON.parse(stdout) as { code: string };
      await addPastScans({ database: env, dataFolder }, code, scans);
      // The counters have those of the last hour.
      const latest = [Date.UTC(2026, 5, 2, 23, 30), 1 + number] as const;
      await inDatabase(
        { database: env, dataFolder },
        `UPDATE scan_counters SET last_scan = ${latest[0]}, scans_in_hour = ${latest[1]},
          last_hour = ${latest[0] - 1_800_000} WHERE qr_id = (SELECT id FROM qrs WHERE code = '${code}')`,
      );
      for (const [atMs, count] of [...scans, latest]) {
        const day = new Date(atMs - (atMs % dayMs)).toISOString().slice(0, 10);
        const line = `${day},${code},"Table, ${number}",'=Menus`;
        expected.set(line, (expected.get(line) ?? 0) + count);
        totals.set(email, (totals.get(email) ?? 0) + count);
      }
    }
    const { exitCode, stderr, stdout } = await waymark('export --format days', { env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [head, ...lines] = stdout.trimEnd().split('\r\n');
    expect(head).toBe('day,code,name,folder,scans');
    expect(lines.toSorted()).toEqual(
      [...expected].map(([line, scans]) => `${line},${scans}`).toSorted(),
    );
    const keys = lines.map((line) => line.slice(11, 19) + line.slice(0, 10));
    expect(keys).toEqual(keys.toSorted());
    const own = await waymark('export --format days --account b@example.com', { env });
    const scans = own.stdout.trimEnd().split('\r\n').slice(1);
    expect(scans.reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0)).toBe(
      totals.get('b@example.com') ?? 0,
    );
  };

  test('are those of the totals, on SQLite', () => expectDays({}));

  test.skipIf(!hasPostgres)('are those of the totals, on PostgreSQL', async () =>
    expectDays({ WAYMARK_DATABASE_URL: await (await sharedPostgres()).createDatabase() }),
  );

  test('are written to a file, and are no JSON', async () => {
    const { exitCode, stdout } = await waymark('export --format days --out scans.csv');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('the scans of 4 codes, by day.'),
    ]);
    expect(await Bun.file(join(ownFolder, 'scans.csv')).text()).toStartWith('day,code,name');
    const refused = await waymark('export --format days --json');
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--json prints JSON, not days.'),
    ]);
  });
});
