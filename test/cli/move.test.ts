import { beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { hasPostgres, type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import type { Env } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { createCommands } from './folder.ts';

describe.skipIf(!hasPostgres)('move', () => {
  const shortUrl = 'https://qr.example.com';
  const { folder, waymark } = createCommands({ WAYMARK_SHORT_URL: shortUrl });
  const data = join(folder, 'data');
  let postgres: SharedPostgres;
  let url: string;
  let code: string;

  /** Runs a command that succeeds without a warning, and reads what it prints for machines. */
  const json = async (line: string, env: Env = {}) => {
    const { exitCode, stdout, stderr } = await waymark(`${line} --json`, { env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  /** Runs a command that is refused, and returns the reason. */
  const refusal = async (line: string, env: Env = {}) => {
    const { exitCode, stderr } = await waymark(line, { env });
    expect(exitCode).toBe(1);
    return stderr;
  };
  const rowsIn = (database: string, statement: string) =>
    inDatabase({ database: { WAYMARK_DATABASE_URL: database }, dataFolder: '' }, statement);

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
    const scan = () => fetch(`${server.origin}/${code}`, { redirect: 'manual' });
    await server.cli(['code', 'set', code, '--path', 'former']);
    // Without it, the path would be free at once.
    await scan();
    await server.cli(['code', 'set', code, '--path', 'Menu']);
    for (const line of [
      ['domain', 'add', 'https://go.example.com', '--front', 'https://example.com/front'],
      ['account', 'set', 'anna@example.com', '--domain', 'https://go.example.com'],
      [
        ...['code', 'create', 'https://example.com/go', '--account', 'anna@example.com'],
        '--path',
        'Menu',
      ],
    ])
      expect(await server.cli(line)).toMatchObject({ exitCode: 0 });
    await server.cli(['safety', 'import', '-', '--source', 'feed'], { stdin: 'evil.example' });
    for (let scans = 1; scans < 3; scans++) await scan();
    // The hits stay in the log, which is moved as well.
    await server.kill();
    await server.close();
  });

  test('copies a data folder into a database, and back into another folder', async () => {
    const moved = { accounts: 1, codes: 3, scans: 3, images: 3 };
    expect(await json(`move --to ${url}`)).toEqual(moved);
    const back = join(folder, 'back');
    expect(await json(`move --to ${back}`, { WAYMARK_DATABASE_URL: url })).toEqual(moved);
    for (const env of [{ WAYMARK_DATABASE_URL: url }, { WAYMARK_DATA: back }])
      expect(await json('safety check https://evil.example/', env)).toMatchObject({
        decided_by: 'feed',
      });
    expect(await json('code show Menu', { WAYMARK_DATA: back })).toMatchObject({
      code,
      path: 'Menu',
      scans: 3,
      destination: 'https://example.com/menu',
    });
    for (const env of [{ WAYMARK_DATABASE_URL: url }, { WAYMARK_DATA: back }])
      expect(await json('domain list', env)).toContainEqual(
        expect.objectContaining({ url: 'https://go.example.com', accounts: null, codes: 1 }),
      );
    const created = 'code create https://example.com/new --account anna@example.com';
    expect((await json(created, { WAYMARK_DATA: back })).url).toStartWith(
      'https://go.example.com/',
    );
    expect(
      await json('code show https://go.example.com/Menu', { WAYMARK_DATA: back }),
    ).toMatchObject({
      destination: 'https://example.com/go',
    });
    expect(readdirSync(back).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('moves no value that Waymark cannot have stored', async () => {
    const hostile = join(folder, 'hostile');
    cpSync(data, hostile, { recursive: true });
    await inDatabase(
      { database: {}, dataFolder: hostile },
      "UPDATE qrs SET destination = 'javascript:alert(1)'",
    );
    const target = await postgres.createDatabase();
    expect(await refusal(`move --to ${target}`, { WAYMARK_DATA: hostile })).toContain(
      '3 codes have a destination that Waymark does not accept: ',
    );
    expect(await rowsIn(target, 'SELECT 1 FROM qrs')).toHaveLength(0);
  });

  test('is refused into a database with accounts, and into a folder with a database', async () => {
    const again = await refusal(`move --to ${url}`);
    expect(again).toContain('has accounts already');
    expect(again).not.toContain('secret');
    expect(await refusal(`move --to ${data}`, { WAYMARK_DATABASE_URL: url })).toContain(
      'There is a database in',
    );
    expect(await refusal('move --to mysql://me:secret@db.example.com/waymark')).toMatch(
      /^(?!.*secret).*--to must be the address of a PostgreSQL database/,
    );
  });

  test('leaves an empty database when it fails', async () => {
    const empty = await postgres.createDatabase();
    const created = await waymark('account create x@example.com', {
      env: { WAYMARK_DATABASE_URL: empty },
    });
    expect(created.stderr).toBe('');
    // A code that only the copy would have.
    await postgres.run(
      empty,
      `DELETE FROM sessions; UPDATE accounts SET default_design_id = NULL; DELETE FROM designs; DELETE FROM accounts;
       CREATE FUNCTION spoil() RETURNS trigger AS 'BEGIN NEW.destination = ''https://spoilt.example/''; RETURN NEW; END' LANGUAGE plpgsql;
       CREATE TRIGGER spoil BEFORE INSERT ON qrs FOR EACH ROW EXECUTE FUNCTION spoil()`,
    );
    expect(await refusal(`move --to ${empty}`)).toContain(
      'The copy differs from the original in qrs',
    );
    const counted = 'SELECT (SELECT count(*) FROM accounts) + count(*) AS rows FROM qrs';
    expect((await rowsIn(empty, counted))[0]).toEqual({ rows: '0' });
  });

  test('waits for no server: one that runs is named', async () => {
    const server = await startServer({ WAYMARK_DATABASE_URL: url, WAYMARK_SHORT_URL: shortUrl });
    expect(await refusal(`move --to ${folder}/out`, { WAYMARK_DATABASE_URL: url })).toContain(
      'A Waymark server uses the database',
    );
    await server.close();
  });

  test('a backup of PostgreSQL is a file that either restores', async () => {
    const env = { WAYMARK_DATABASE_URL: url };
    const file = join(folder, 'backup.db');
    expect(await json(`backup ${file}`, env)).toMatchObject({ accounts: 1, codes: 3, hits: 3 });
    await json('account create ben@example.com', env);
    expect(await refusal(`restore ${file}`, env)).toContain('Add --force to replace the database');
    const { kept } = await json(`restore ${file} --force`, env);
    expect(await json('account list', env)).toMatchObject([{ email: 'anna@example.com' }]);
    expect(await json('code show Menu', env)).toMatchObject({ code, path: 'Menu' });
    expect(await rowsIn(url, 'SELECT path FROM given_up_paths')).toEqual([{ path: 'former' }]);
    // What was replaced is kept as a backup.
    const other = { WAYMARK_DATA: join(folder, 'other') };
    await json(`restore ${kept}`, other);
    expect(await json('account list', other)).toHaveLength(2);
  });
});
