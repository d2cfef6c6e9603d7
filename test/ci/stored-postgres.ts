import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { advisoryLock } from '../../src/postgres/database/migrate.ts';
import { createLaunches } from '../faults/launch.ts';
import { expectStoredFacts, type Facts, storedEnv } from '../golden/facts.ts';
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

/** Serves from databases on PostgreSQL that released versions wrote. test/golden has the same for SQLite. */

const golden = join(import.meta.dir, '../golden');
const files = readdirSync(golden, { recursive: true, encoding: 'utf8' });
const stored = files.filter((file) => file.endsWith('waymark.sql.gz'));

const { newPath, launch } = createLaunches();

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  test('the database of 1.0.0 is stored', () => {
    expect(stored).toContain('1.0.0/waymark.sql.gz');
  });

  const load = async (file: string): Promise<string> => {
    const url = await postgres.createDatabase();
    const loaded = Bun.spawnSync(['psql', '--quiet', '--set=ON_ERROR_STOP=1', `--dbname=${url}`], {
      stdin: Bun.gunzipSync(await Bun.file(join(golden, file)).bytes()),
    });
    expect([loaded.exitCode, loaded.stderr.toString()]).toEqual([0, '']);
    return url;
  };

  test.each(stored)('%s is migrated and served as its version did', async (file) => {
    const path = join(golden, file);
    const url = await load(file);
    await expectStoredFacts(path, { ...storedEnv, WAYMARK_DATABASE_URL: url });
  });

  test.each(stored)(
    '%s is answered before the app has migrated it, and counted once',
    async (file) => {
      const url = await load(file);
      const path = join(golden, dirname(file), 'facts.json');
      const facts = (await Bun.file(path).json()) as Facts;
      const holder = new SQL(url, { max: 1 });
      await holder`SELECT pg_advisory_lock(${advisoryLock})`;
      const server = launch(newPath(), { env: { ...storedEnv, WAYMARK_DATABASE_URL: url } });
      await until(async () => (await visit(`${server.origin}/healthz`).catch(() => null)) !== null);
      const visits = 3;
      for (const [code, answer] of Object.entries(facts.redirects))
        for (let turn = 0; turn < visits; turn++) {
          const { status, to } = await visit(`${server.origin}/${code}`);
          expect([code, `${status} ${to ?? ''}`]).toEqual([code, answer]);
        }
      expect((await visit(`${server.origin}/no-such-code`)).status).toBe(404);
      await holder.close();
      expect(await server.listening).toBe(true);
      await server.stop();
      const total = async () => {
        const [row] = await postgres.run(
          url,
          `SELECT (SELECT sum(scans) FROM scan_counters)::int + (SELECT coalesce(sum(hits), 0)
           FROM pending_hits WHERE kind = 0)::int AS scans`,
        );
        return row?.['scans'];
      };
      const redirects = Object.values(facts.redirects).filter((answer) => answer.startsWith('302'));
      const before = facts.codes.reduce((sum, { scans }) => sum + scans, 0);
      expect(await total()).toBe(before + redirects.length * visits);
    },
  );
});
