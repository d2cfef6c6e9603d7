import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLaunches } from '../faults/launch.ts';
import { seed } from '../faults/seeded.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { runProgram } from '../support/program.ts';
import { visit } from '../support/visit.ts';

const { newPath, folderWith, launch, serve } = createLaunches();
const codeCount = 3000;
const pageBytes = 4096;
const seeded = await seed(newPath(), 1);
const { good, codes, rootPage } = fill(seeded.copyTo(newPath()));

/** Adds codes to a data folder. Returns the database as one file, all codes, and the root page of their table. */
function fill(folder: string) {
  const database = new Database(join(folder, 'waymark.db'), { strict: true });
  addManyQrs(database, { accountId: 1, designId: 1 }, codeCount);
  database.run('UPDATE qrs SET short_link = replace(short_link, rtrim(short_link, code), ?)', [
    'http://short.example.org/',
  ]);
  database.run('DELETE FROM short_url_prefixes WHERE prefix <> ?', ['http://short.example.org']);
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const rows = database
    .query<{ code: string; destination: string }, []>('SELECT code, destination FROM qrs')
    .all();
  const root = database
    .query<{ page: number }, []>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'qrs'")
    .get();
  database.close();
  return {
    good: readFileSync(join(folder, 'waymark.db')),
    codes: rows,
    rootPage: (root?.page ?? 0) - 1,
  };
}

/** Returns the numbers of pages of a b-tree type (SQLite's file format, 1.6), which contain a text. */
function pagesOf(type: 'table interior' | 'table leaf' | 'index leaf', text: string): number[] {
  const flag = { 'table interior': 5, 'table leaf': 13, 'index leaf': 10 }[type];
  return Array.from({ length: good.length / pageBytes }, (_, number) => number).filter((number) => {
    const page = good.subarray(number * pageBytes, (number + 1) * pageBytes);
    return number > 0 && page[0] === flag && page.includes(text);
  });
}

const leaves = pagesOf('table leaf', 'http://short.example.org/');
const indexLeaves = pagesOf('index leaf', codes.at(-1)?.code ?? '');
const designPages = pagesOf('table leaf', '"foreground"');
const accountPages = pagesOf('table leaf', 'alice@example.org');

function withZeroed(pages: readonly number[]): Uint8Array {
  const bytes = Buffer.from(good);
  for (const page of pages) bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
  return bytes;
}

async function run(folder: string, args: readonly string[]) {
  return runProgram([...args], {
    cwd: dirname(folder),
    env: { WAYMARK_DATA: folder, WAYMARK_SHORT_URL: 'http://short.example.org' },
  });
}

/** Repairs a folder, puts the copy in place in a new one, and returns what was printed and the new folder. */
async function repairInto(folder: string) {
  const [file, restored] = [`${newPath()}.db`, newPath()];
  const { exitCode, stdout, stderr } = await run(folder, ['repair', '--to', file, '--json']);
  const restore = await run(restored, ['restore', file]);
  expect([restore.exitCode, restore.stderr]).toEqual([0, '']);
  // Every field is checked by the tests.
  const report = JSON.parse(stdout) as {
    codes: number;
    missing: {
      codes: string[];
      rows: { table: string; unreadable: { first: number; last: number }[] }[];
      notes: string[];
    };
  };
  return { exitCode, stderr, report, restored };
}

describe('repair', () => {
  test('of a sound database copies everything and exits with 0', async () => {
    const { exitCode, stderr, report } = await repairInto(folderWith(good));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(report).toMatchObject({
      codes: codes.length,
      hits: expect.any(Number),
      missing: { codes: [], rows: [], notes: [] },
    });
  });

  test('copies threat lists, and leaves one out that is incomplete', async () => {
    const folder = folderWith(good);
    const list = `${newPath()}.txt`;
    writeFileSync(list, 'evil.example\nbad.example\n');
    for (const source of ['kept', 'cut'])
      expect(await run(folder, ['safety', 'import', list, '--source', source])).toMatchObject({
        exitCode: 0,
      });
    const database = new Database(join(folder, 'waymark.db'));
    database.run('DELETE FROM threat_list_entries WHERE list_id = 2');
    database.close();
    const { exitCode, report, restored } = await repairInto(folder);
    expect(exitCode).toBe(1);
    expect(report.missing.notes).toEqual(['threat list "cut" cannot be read; import it again']);
    const { stdout } = await run(restored, ['safety', 'check', 'https://evil.example/', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'flagged', decided_by: 'kept' });
  });

  test('of a database without pages of codes and of an index: every code redirects or is listed', async () => {
    const bytes = withZeroed([...leaves.slice(3, 6), ...indexLeaves]);
    const { exitCode, stderr, report, restored } = await repairInto(folderWith(bytes));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('are missing')]);
    const missing = new Set(report.missing.codes);
    expect(missing.size).toBeGreaterThan(10);
    const lost = report.missing.rows.find(({ table }) => table === 'qrs')?.unreadable ?? [];
    const lostRows = lost.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    expect(report.codes + lostRows).toBe(codes.length);
    // A code whose entry in the index is lost too is listed by its row.
    expect(missing.size).toBeGreaterThan(lostRows / 2);

    const server = await serve(restored);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    for (const { code, destination } of codes.filter(
      (one, nth) => nth % 50 === 0 || missing.has(one.code),
    )) {
      const { status, to } = await visit(`${server.origin}/${code}`);
      expect([code, status, to]).toEqual(
        missing.has(code) ? [code, 404, null] : [code, 302, destination],
      );
    }
    await server.stop();
  });

  test('of a table whose first page is lost lists every code, and a server refuses to start', async () => {
    const folder = folderWith(withZeroed([rootPage]));
    const { exitCode, report } = await repairInto(folder);
    expect([exitCode, report.codes]).toEqual([1, 0]);
    expect(report.missing.codes).toEqual(codes.map(({ code }) => code).sort());
    const server = launch(folder);
    expect(await server.listening).toBe(false);
    expect(server.output()).toMatch(/waymark repair --to FILE.*waymark restore FILE/);
  });

  test.each([
    ['designs', designPages, /Design \d+ cannot be read/],
    ['accounts', accountPages, /Account 1 cannot be read.*lost-account-1@repair\.invalid/],
  ])('keeps all codes of lost %s', async (_, pages, note) => {
    expect(pages.length).toBeGreaterThan(0);
    const { exitCode, report, restored } = await repairInto(folderWith(withZeroed(pages)));
    expect(exitCode).toBe(1);
    expect(report.codes).toBe(codes.length);
    expect(report.missing.notes.join('\n')).toMatch(note);
    const { stdout } = await run(restored, ['export', '--format', 'csv']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(codes.length + 1);
  });

  test('of a file that is no database is rejected, and writes nothing', async () => {
    const file = `${newPath()}.db`;
    const folder = folderWith(new Uint8Array(good.length).fill(7));
    const { exitCode, stderr } = await run(folder, ['repair', '--to', file]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^waymark: [^\n]+\n$/)]);
    // Repair is what failed.
    expect(stderr).not.toContain('waymark repair');
    expect(stderr).toContain('waymark restore');
    expect(await Bun.file(file).exists()).toBe(false);
  });
});

test.each(['csv', 'caddy'])(
  'export as %s writes what can be read and exits with 1',
  async (format) => {
    const folder = folderWith(withZeroed([...leaves.slice(3, 6), ...indexLeaves]));
    const { exitCode, stdout, stderr } = await run(folder, ['export', '--format', format]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/\d+ codes cannot be read.*waymark repair --to FILE.*waymark restore/),
    ]);
    const written = codes.filter(({ code }) => stdout.includes(code));
    expect(written.length).toBeGreaterThan(codes.length * 0.9);
    expect(written.length).toBeLessThan(codes.length);
  },
);

describe('damage under a running server', () => {
  test('the first request that meets it makes /healthz 503, and readable codes redirect', async () => {
    const folder = folderWith(good);
    const server = await serve(folder);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    writeFileSync(join(folder, 'waymark.db'), withZeroed([...leaves.slice(3, 6), ...indexLeaves]), {
      flag: 'r+',
    });

    const statuses: Record<number, number> = {};
    for (const { code, destination } of codes) {
      const { status, to, headers } = await visit(`${server.origin}/${code}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 302) expect(to).toBe(destination);
      else expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    }
    expect(statuses[302]).toBeGreaterThan(codes.length * 0.9);
    expect(statuses[503]).toBeGreaterThan(10);
    expect((await visit(`${server.origin}/zzzzzzzz`)).status).toBe(404);

    const health = await fetch(`${server.origin}/healthz`);
    expect([health.status, await health.text()]).toEqual([
      503,
      expect.stringMatching(/database is damaged.*waymark repair --to FILE.*waymark restore FILE/),
    ]);
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain(
      'waymark_health{condition="database_damaged",severity="problem"} 1\n',
    );
    const create = await fetch(`${server.origin}/api/v1/qrs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${seeded.key}`, 'Content-Type': 'application/json' },
      body: '{"url":"https://example.org"}',
    });
    expect(create.status).toBe(503);
    expect(server.output().match(/ error The database is damaged/g)).toHaveLength(1);
    await server.stop();
  });

  test('a request of the API that meets it is answered 503, and makes /healthz 503', async () => {
    const folder = folderWith(good);
    const server = await serve(folder);
    writeFileSync(join(folder, 'waymark.db'), withZeroed(leaves), { flag: 'r+' });
    const list = await fetch(`${server.origin}/api/v1/qrs?limit=100`, {
      headers: { Authorization: `Bearer ${seeded.key}` },
    });
    expect([list.status, await list.json()]).toEqual([
      503,
      { error: { code: 'unavailable', message: expect.any(String) } },
    ]);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(503);
    await server.stop();
  });
});
