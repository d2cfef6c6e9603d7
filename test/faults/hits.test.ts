import { Database } from 'bun:sqlite';
import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeHits } from '../../src/core/scans/hit-entries.ts';
import { createHitLog } from '../../src/redirect/sqlite/hit-log.ts';
import { storedEnv } from '../golden/facts.ts';
import { silentLog } from '../stores/scans.ts';
import { inDatabase } from '../support/database.ts';
import { startLoad } from '../support/load.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';

// The scans of the last second are in hits.db, which a killed server leaves.
const { newPath, launch } = createLaunches();
const server = await startServer({ WAYMARK_SHORT_URL: 'http://short.example.org' });
afterAll(server.close);
// Each test begins with a running server.
afterEach(async () => {
  await server.kill();
  await server.start();
});
const { api, email } = await server.account('alice@example.org');
const hitsPath = join(server.dataFolder, 'hits.db');

/** Adds scans to the log of a data folder without a server, as one does that is killed right after. */
async function addScans(folder: string, qrId: number, scans: number): Promise<void> {
  const log = createHitLog(folder, { durability: 'process', log: silentLog, folded: () => 0 });
  for (let scan = 0; scan < scans; scan++) await log.record(qrId, 'scan', Date.now());
  expect(log.end()).toBe(0);
  log.close();
  expect(existsSync(join(folder, 'hits.db'))).toBe(true);
}

/** A new code with some scans that are counted, and some that are not. */
async function scannedCode({ counted = 2, waiting = 5 } = {}): Promise<string> {
  const { code } = await api.create();
  for (let scan = 0; scan < counted; scan++) await visit(`${server.origin}/${code}`);
  await server.stop();
  expect(existsSync(hitsPath)).toBe(false);
  const database = new Database(join(server.dataFolder, 'waymark.db'), { readonly: true });
  const { id } = database
    .query<{ id: number }, [string]>('SELECT id FROM qrs WHERE code = ?')
    .get(code) ?? { id: 0 };
  database.close();
  await addScans(server.dataFolder, id, waiting);
  return code;
}

const scansOf = async (code: string) => (await api.read(code)).scans;
const cli = async (...args: string[]) => {
  const result = await server.cli(args);
  expect({ ...result, stdout: '' }).toMatchObject({ exitCode: 0 });
  return result.stdout;
};

test('totals never go back while scans are added to the counters under load', async () => {
  const { code } = await api.create();
  const clients = 2;
  const load = startLoad(`${server.origin}/${code}`, clients);
  let last = 0;
  const counted = async () => {
    const [row] = await inDatabase(
      server,
      `SELECT sum(scans) AS scans FROM scan_counters WHERE qr_id = (SELECT id FROM qrs WHERE code = '${code}')`,
    );
    return Number(row?.['scans'] ?? 0);
  };
  for (const _ of [1, 2]) {
    const before = await counted();
    do {
      const scans = await scansOf(code);
      expect(scans).toBeGreaterThanOrEqual(last);
      last = scans;
    } while ((await counted()) === before);
  }
  expect(last).toBeGreaterThan(0);
  await server.kill();
  const answered = await load.ended;
  await server.start();
  const scans = await scansOf(code);
  expect(scans).toBeGreaterThanOrEqual(answered);
  expect(scans).toBeLessThanOrEqual(answered + clients);
});

test('commands and backups count them beside a killed server, and the next start once', async () => {
  const code = await scannedCode();
  const listed = JSON.parse(await cli('code', 'list', '--account', email, '--json'));
  expect(JSON.stringify(listed)).toContain('"scans":7');
  const backup = join(server.dataFolder, '..', 'backup.db');
  await cli('backup', backup);
  expect(existsSync(hitsPath)).toBe(true);
  await server.start();
  expect(await scansOf(code)).toBe(7);
  await visit(`${server.origin}/${code}`);
  expect(await scansOf(code)).toBe(8);

  // What waits is of the database that is replaced.
  await server.kill();
  await addScans(server.dataFolder, 1, 3);
  await cli('restore', backup, '--force');
  expect(existsSync(hitsPath)).toBe(false);
  const kept = readdirSync(server.dataFolder).filter((name) => name.includes('-replaced-'));
  expect(new Set(kept.map((name) => name.replace(/-replaced-.*/, '')))).toEqual(
    new Set(['hits', 'waymark']),
  );
  await server.start();
  expect(await scansOf(code)).toBe(7);
});

test('an old log that is copied back is not counted again, and counts new scans', async () => {
  const code = await scannedCode();
  const old = join(server.folder, 'old-hits.db');
  cpSync(hitsPath, old);
  /** Restarts the server on the old log, and returns the scans before and after two more. */
  const startOnOldLog = async () => {
    await server.stop();
    expect(existsSync(hitsPath)).toBe(false);
    cpSync(old, hitsPath);
    await server.start();
    const before = await scansOf(code);
    for (const _ of [1, 2]) await visit(`${server.origin}/${code}`);
    return [before, await scansOf(code)];
  };
  await server.start();
  expect(await scansOf(code)).toBe(7);
  expect(await startOnOldLog()).toEqual([7, 9]);
  await server.stop();
  // Another log.
  await server.start();
  await visit(`${server.origin}/${code}`);
  expect(await scansOf(code)).toBe(10);
  expect(await startOnOldLog()).toEqual([10, 12]);
  const backup = join(server.folder, 'with-old-log.db');
  await cli('backup', backup);
  await server.stop();
  await cli('restore', backup, '--force');
  await server.start();
  expect(await startOnOldLog()).toEqual([12, 14]);
});

test('a copy of a backup by hand beside the log of hits counts nothing twice', async () => {
  const code = await scannedCode();
  const backup = join(server.dataFolder, '..', 'by-hand.db');
  await cli('backup', backup);
  cpSync(backup, join(server.dataFolder, 'waymark.db'));
  await server.start();
  expect(await scansOf(code)).toBe(7);
});

test('repair keeps them', async () => {
  const code = await scannedCode();
  const repaired = join(server.dataFolder, '..', 'repaired.db');
  await cli('repair', '--to', repaired);
  await cli('restore', repaired, '--force');
  await server.start();
  expect(await scansOf(code)).toBe(7);
});

test('the codes of a deleted account keep them', async () => {
  const bob = await server.account('bob@example.org');
  const { code } = await bob.api.create();
  await visit(`${server.origin}/${code}`);
  await cli('account', 'delete', bob.email, '--codes', `to:${email}`, '--yes');
  await visit(`${server.origin}/${code}`);
  expect(await scansOf(code)).toBe(2);
  await server.stop();
  await server.start();
  expect(await scansOf(code)).toBe(2);
});

test('a damaged log is reported by doctor, and the next start puts it aside and goes on', async () => {
  const code = await scannedCode();
  writeFileSync(hitsPath, 'no database '.repeat(1000));
  const report = await server.cli(['doctor']);
  expect(report.exitCode).toBe(1);
  expect(report.stdout + report.stderr).toMatch(/hits\.db in the data folder.* is damaged/);
  expect(await cli('code', 'list', '--account', email)).toContain(code);
  await server.start();
  expect(server.log()).toContain('the file of scans that wait to be counted was damaged');
  await visit(`${server.origin}/${code}`);
  expect(await scansOf(code)).toBe(3);
  expect(readdirSync(server.dataFolder).join()).toMatch(/hits-damaged-.*\.db/);
});

test('a start without the database is refused, because they belong to its codes', async () => {
  const code = await scannedCode();
  const [path, aside] = [join(server.dataFolder, 'waymark.db'), join(server.dataFolder, 'aside')];
  renameSync(path, aside);
  expect(await server.start().catch(String)).toContain('ended with 1 at the start');
  expect(server.log()).toMatch(/waymark\.db is missing, but .*hits\.db has the latest scans/);
  renameSync(aside, path);
  await server.start();
  expect(await scansOf(code)).toBe(7);
});

describe.each(['1.0.0', '1.1.0'])('a database of %s', (version) => {
  /** A folder with the stored database, some scans in its own log, and some in hits.db. */
  async function stored() {
    const folder = newPath();
    mkdirSync(folder, { mode: 0o700 });
    const packed = Bun.file(join(import.meta.dir, '../golden', version, 'waymark.db.gz'));
    const path = join(folder, 'waymark.db');
    writeFileSync(path, Bun.gunzipSync(await packed.bytes()));
    const read = () => {
      const database = new Database(path, { readonly: true });
      const all = (sql: string) => database.query<{ value: number }, []>(sql).all();
      const rows = database.query<{ hits: Uint8Array }, []>('SELECT hits FROM scan_log').all();
      const inLog = rows.map(({ hits }) => decodeHits(hits)?.length ?? 0);
      const state = {
        schema: all('SELECT user_version AS value FROM pragma_user_version')[0]?.value,
        inLog: inLog.reduce((sum, length) => sum + length / 3, 0),
        counted: all('SELECT sum(scans) AS value FROM scan_counters')[0]?.value ?? 0,
      };
      database.close();
      return state;
    };
    const before = read();
    const database = new Database(path);
    const { id } = database.query<{ id: number }, []>('SELECT min(id) AS id FROM qrs').get() ?? {
      id: 0,
    };
    const insert = database.query('INSERT INTO scan_log (hits) VALUES (?)');
    for (let row = 0; row < 4; row++)
      insert.run(new Uint8Array(new Float64Array([id * 8, Date.now(), 1]).buffer));
    database.close();
    await addScans(folder, id, 5);
    return { folder, before, read };
  }

  test('has all of them counted after the upgrade', async () => {
    const { folder, before, read } = await stored();
    const upgraded = launch(folder, { env: storedEnv });
    expect([await upgraded.listening, upgraded.output()]).toEqual([true, expect.any(String)]);
    await upgraded.stop();
    const after = read();
    expect(after.inLog).toBe(0);
    expect(after.counted).toBe(before.counted + before.inLog + 9);
  });

  test('has all of them in its own log after a refused upgrade', async () => {
    const { folder, before, read } = await stored();
    const refused = launch(folder, { env: { WAYMARK_SHORT_URL: 'https://elsewhere.example.org' } });
    expect(await refused.listening).toBe(false);
    expect(read()).toEqual({ ...before, inLog: before.inLog + 9 });
    expect(existsSync(join(folder, 'hits.db'))).toBe(false);
    const again = launch(folder, { env: storedEnv });
    expect(await again.listening).toBe(true);
    await again.stop();
    expect(read().counted).toBe(before.counted + before.inLog + 9);
  });
});
