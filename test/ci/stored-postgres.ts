import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectStoredFacts, storedEnv } from '../golden/facts.ts';
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts';

/** Serves from databases on PostgreSQL that released versions wrote. test/golden has the same for SQLite. */

const golden = join(import.meta.dir, '../golden');
const files = readdirSync(golden, { recursive: true, encoding: 'utf8' });
const stored = files.filter((file) => file.endsWith('waymark.sql.gz'));

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  test('the database of 1.0.0 is stored', () => {
    expect(stored).toContain('1.0.0/waymark.sql.gz');
  });

  test.each(stored)('%s is migrated and served as its version did', async (file) => {
    const path = join(golden, file);
    const url = await postgres.createDatabase();
    const loaded = Bun.spawnSync(['psql', '--quiet', '--set=ON_ERROR_STOP=1', `--dbname=${url}`], {
      stdin: Bun.gunzipSync(await Bun.file(path).bytes()),
    });
    expect([loaded.exitCode, loaded.stderr.toString()]).toEqual([0, '']);
    await expectStoredFacts(path, { ...storedEnv, WAYMARK_DATABASE_URL: url });
  });
});
