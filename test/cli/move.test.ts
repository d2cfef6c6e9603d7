import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { hasPostgres, type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { runProgram } from '../support/program.ts';
import { startServer } from '../support/server.ts';

describe.skipIf(!hasPostgres)('move', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-move-'));
  const data = join(folder, 'data');
  let postgres: SharedPostgres;
  let url: string;
  let code: string;
  const shortUrl = 'https://qr.example.com';

  const run = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await runProgram(args, {
      cwd: folder,
      env: { WAYMARK_DATA: data, WAYMARK_SHORT_URL: shortUrl, ...env },
    });
    return { exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
  };
  const json = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await run([...args, '--json'], env);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    postgres = await sharedPostgres();
    url = await postgres.createDatabase();
    const server = await startServer({
      WAYMARK_DATA: data,
      WAYMARK_DATABASE_URL: undefined,
      WAYMARK_SHORT_URL: shortUrl,
    });
    const { api } = await server.account('anna@example.com');
    const created = await api.create('https://example.com/menu');
    code = created.code;
    await api.create();
    await server.cli(['safety', 'import', '-', '--source', 'feed'], { stdin: 'evil.example' });
    for (let scan = 0; scan < 3; scan++)
      await fetch(`${server.origin}/${code}`, { redirect: 'manual' });
    // The hits stay in the log, which is moved as well.
    await server.kill();
    await server.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('copies a data folder into a database, and back into another folder', async () => {
    const moved = { accounts: 1, codes: 2, scans: 3, images: 2 };
    expect(await json(['move', '--to', url])).toEqual(moved);
    const back = join(folder, 'back');
    expect(await json(['move', '--to', back], { WAYMARK_DATABASE_URL: url })).toEqual(moved);
    for (const env of [{ WAYMARK_DATABASE_URL: url }, { WAYMARK_DATA: back }])
      expect(await json(['safety', 'check', 'https://evil.example/'], env)).toMatchObject({
        decided_by: 'feed',
      });
    expect(await json(['code', 'show', code], { WAYMARK_DATA: back })).toMatchObject({
      code,
      scans: 3,
      destination: 'https://example.com/menu',
    });
    expect(readdirSync(back).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('moves no value that Waymark cannot have stored', async () => {
    const hostile = join(folder, 'hostile');
    cpSync(data, hostile, { recursive: true });
    const database = new Database(join(hostile, 'waymark.db'));
    database.run("UPDATE qrs SET destination = 'javascript:alert(1)'");
    database.close();
    const target = await postgres.createDatabase();
    const { exitCode, stderr } = await run(['move', '--to', target], { WAYMARK_DATA: hostile });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('2 codes have a destination that Waymark does not accept: ');
    const sql = new SQL(target, { max: 1 });
    expect((await sql.unsafe('SELECT 1 FROM qrs')).length).toBe(0);
    await sql.close();
  });

  test('is refused into a database with accounts, and into a folder with a database', async () => {
    const again = await run(['move', '--to', url]);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain('has accounts already');
    expect(again.stderr).not.toContain('secret');
    const onto = await run(['move', '--to', data], { WAYMARK_DATABASE_URL: url });
    expect(onto.exitCode).toBe(1);
    expect(onto.stderr).toContain('There is a database in');
  });

  test('leaves an empty database when it fails', async () => {
    const empty = await postgres.createDatabase();
    const { stderr } = await run(['account', 'create', 'x@example.com'], {
      WAYMARK_DATABASE_URL: empty,
    });
    expect(stderr).toBe('');
    // A code that only the copy would have.
    await postgres.run(
      empty,
      `DELETE FROM sessions; UPDATE accounts SET default_design_id = NULL; DELETE FROM designs; DELETE FROM accounts;
       CREATE FUNCTION spoil() RETURNS trigger AS 'BEGIN NEW.destination = ''https://spoilt.example/''; RETURN NEW; END' LANGUAGE plpgsql;
       CREATE TRIGGER spoil BEFORE INSERT ON qrs FOR EACH ROW EXECUTE FUNCTION spoil()`,
    );
    const failed = await run(['move', '--to', empty]);
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain('The copy differs from the original in qrs');
    const sql = new SQL(empty, { max: 1 });
    const rows = await sql.unsafe(
      'SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM qrs) AS rows',
    );
    await sql.close();
    expect(rows[0]?.rows).toBe('0');
  });

  test('waits for no server: one that runs is named', async () => {
    const server = await startServer({ WAYMARK_DATABASE_URL: url, WAYMARK_SHORT_URL: shortUrl });
    const out = await run(['move', '--to', join(folder, 'out')], { WAYMARK_DATABASE_URL: url });
    expect(out.exitCode).toBe(1);
    expect(out.stderr).toContain('A Waymark server uses the database');
    await server.close();
  });

  test('a backup of PostgreSQL is a file that either restores', async () => {
    const env = { WAYMARK_DATABASE_URL: url };
    const file = join(folder, 'backup.db');
    expect(await json(['backup', file], env)).toMatchObject({ accounts: 1, codes: 2, hits: 3 });
    await json(['account', 'create', 'ben@example.com'], env);
    const refused = await run(['restore', file], env);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('Add --force to replace the database');
    const { kept } = await json(['restore', file, '--force'], env);
    expect(
      (await json(['account', 'list'], env)).map((one: { email: string }) => one.email),
    ).toEqual(['anna@example.com']);
    // What was replaced is kept as a backup.
    const other = join(folder, 'other');
    await json(['restore', kept], { WAYMARK_DATA: other });
    expect(await json(['account', 'list'], { WAYMARK_DATA: other })).toHaveLength(2);
  });
});
