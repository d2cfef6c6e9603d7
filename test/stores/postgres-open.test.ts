import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { DatabaseUnusable } from '../../src/core/errors.ts';
import { readMigrations } from '../../src/lib/build/migrations.macro.ts';
import { migrate, readMigrationState } from '../../src/postgres/database/migrate.ts';
import { inspect, prepare } from '../../src/postgres/database/open.ts';
import { type Connection, createConnection } from '../../src/redirect/postgres/connection.ts';
import { hasPostgres, type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

const limits = { max: 2, statementTimeoutMs: 10_000 };

describe.skipIf(!hasPostgres)('a PostgreSQL database', () => {
  let postgres: SharedPostgres;
  const folder = mkdtempSync(join(tmpdir(), 'waymark-open-'));
  const connections: Connection[] = [];
  const connect = (url: string): Connection => {
    const connection = createConnection(url, limits);
    connections.push(connection);
    return connection;
  };
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const rejection = async (url: string): Promise<string> => {
    const error = await prepare(connect(url)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatabaseUnusable);
    const { message } = error as DatabaseUnusable; // just tested
    expect(message).not.toContain('secret');
    return message;
  };

  const run = (url: string, command: readonly string[]) =>
    runProgram(command, { cwd: folder, env: { WAYMARK_DATABASE_URL: url } });

  test('gets its schema from several copies that start together', async () => {
    const url = await postgres.createDatabase();
    expect((await inspect(connect(url))).isEmpty).toBe(true);
    await Promise.all(Array.from({ length: 4 }, () => prepare(connect(url))));
    expect(await inspect(connect(url))).toMatchObject({ isEmpty: false, missingSteps: 0 });
  });

  test('is refused when it has tables of another program', async () => {
    const url = await postgres.createDatabase();
    await postgres.run(url, 'CREATE TABLE invoices (id int)');
    expect(await rejection(url)).toContain('tables of another program (invoices)');
  });

  test('that does not exist, or rejects the password, or does not respond, is named with what to do', async () => {
    const url = new URL(await postgres.createDatabase());
    const changed = (change: Partial<URL>) => Object.assign(new URL(url), change).href;
    expect(await rejection(changed({ pathname: '/nowhere' }))).toContain('Create the database');
    expect(await rejection(changed({ password: 'secret-but-wrong' }))).toContain('the password');
    expect(await rejection(changed({ port: '1' }))).toContain('Check that PostgreSQL runs');
  });

  test('that may not be changed is refused', async () => {
    const url = await postgres.createDatabase();
    await postgres.run(url, "CREATE ROLE guest LOGIN PASSWORD 'guest-secret'");
    const guest = Object.assign(new URL(url), { username: 'guest', password: 'guest-secret' });
    expect(await rejection(guest.href)).toContain('permission denied');
    const name = new URL(url).pathname.slice(1);
    await postgres.run(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await rejection(url)).toContain('is read-only');
  });

  test.each([
    ['LATIN1', ['serve', 'doctor', 'account create a@example.com']],
    ['SQL_ASCII', ['serve']],
  ])('in %s is refused by the server and all commands', async (encoding, commands) => {
    const name = `in_${encoding.toLowerCase()}`;
    const options = "TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'";
    await postgres.run(postgres.url, `CREATE DATABASE ${name} ENCODING '${encoding}' ${options}`);
    const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await run(url, command.split(' '));
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toContain(`has the encoding ${encoding}, but Waymark needs UTF8`);
      expect(stdout + stderr).toContain('createdb --encoding UTF8 --template template0');
    }
  });

  test('that ends idle sessions does not end ours', async () => {
    const url = await postgres.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await postgres.run(url, `ALTER DATABASE ${name} SET idle_session_timeout = '1ms'`);
    const { sql } = connect(url);
    const [own] = await sql().unsafe('SELECT pg_backend_pid() AS pid');
    const other = connect(url);
    const idle = async () => {
      const rows = await other
        .sql()
        .unsafe(
          `SELECT now() - state_change > interval '100 ms' AS "isOld" FROM pg_stat_activity WHERE pid = $1`,
          [own?.pid],
        );
      return rows.length === 0 ? 'ended' : rows[0].isOld ? 'kept' : null;
    };
    await until(async () => (await idle()) !== null);
    expect(await idle()).toBe('kept');
  });

  test('that rejects a statement makes a command fail with its message alone', async () => {
    const url = await postgres.createDatabase();
    await prepare(connect(url));
    await postgres.run(
      url,
      `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not today'; END $$;
       CREATE TRIGGER reject BEFORE INSERT ON accounts EXECUTE FUNCTION reject()`,
    );
    const { exitCode, stdout, stderr } = await run(url, ['account', 'create', 'a@example.com']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'waymark: The database rejected a statement (not today). Please report this, with the command and its output.\n',
    );
  });

  test('that no release made is refused with what to do', async () => {
    const url = await postgres.createDatabase();
    await migrate(connect(url).sql(), readMigrations('drizzle/postgres').slice(0, 20));
    // As a version after 1.1.0 did that was never released: steps that are one now.
    await postgres.run(url, 'UPDATE waymark SET schema_version = 40');
    expect(await rejection(url)).toMatch(/never released.* Restore a backup that a released/);
  });

  test('of a later version is used, unless a step in between is marked as breaking', async () => {
    const url = await postgres.createDatabase();
    const known = readMigrations('drizzle/postgres');
    const expand = { name: 'more', statements: ['CREATE TABLE more (id int)'], isBreaking: false };
    const breaking = { name: 'less', statements: ['DROP TABLE more'], isBreaking: true };
    const { sql } = connect(url);
    await migrate(sql(), [...known, expand]);
    expect(await inspect(connect(url))).toMatchObject({ missingSteps: 0 });
    await migrate(sql(), [...known, expand, breaking]);
    const refused = await rejection(url);
    expect(refused).toContain(`made by a newer Waymark (schema ${known.length + 2}).`);
    expect(refused).toContain(`This is Waymark ${version} (schema ${known.length}).`);
    const values = "('9.8.7', '', 0)";
    await postgres.run(
      url,
      `INSERT INTO server_versions (version, renderer, since) VALUES ${values}`,
    );
    expect(await rejection(url)).toContain(`newer Waymark (9.8.7, schema ${known.length + 2})`);
  });

  test('is not migrated by a breaking step while a server of an earlier version uses it', async () => {
    const url = await postgres.createDatabase();
    const known = readMigrations('drizzle/postgres');
    const lastBreaking = known.findLastIndex((step) => step.isBreaking);
    await migrate(connect(url).sql(), known.slice(0, lastBreaking));
    const settings = { application_name: 'waymark serve' };
    const earlier = createConnection(url, { ...limits, settings });
    await earlier.sql().unsafe('SELECT 1');
    expect(await rejection(url)).toContain('Stop all of them');
    expect((await inspect(connect(url))).missingSteps).toBe(known.length - lastBreaking);
    await earlier.close();
    await until(() =>
      prepare(connect(url)).then(
        () => true,
        () => false,
      ),
    );
    expect((await inspect(connect(url))).missingSteps).toBe(0);
  });

  test('is migrated beside a transaction that reads its tables, without a wait of the readers', async () => {
    const url = await postgres.createDatabase();
    await prepare(connect(url));
    const step = { statements: ['ALTER TABLE qrs ADD COLUMN extra text'], isBreaking: false };
    const { sql } = connect(url);
    let migration = Promise.resolve();
    await connect(url)
      .sql()
      .begin(async (reader) => {
        await reader.unsafe('SELECT count(*) FROM qrs');
        migration = migrate(sql(), [
          ...readMigrations('drizzle/postgres'),
          { name: 'extra', ...step },
        ]);
        const waiting = () => sql().unsafe('SELECT 1 FROM pg_locks WHERE NOT granted');
        await until(async () => (await waiting()).length > 0);
        // If they waited for the migration, which waits for this reader, no one would ever go on.
        for (let read = 0; read < 20; read++) await sql().unsafe('SELECT count(*) FROM qrs');
      });
    await migration;
    expect((await readMigrationState(sql(), 'test')).missingSteps).toBe(0);
  });
});
