import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { type Copy, createCopy } from '../support/copies.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { createLoggedProcesses } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

/** First key of the leader's advisory lock, see src/postgres/leader.ts. */
const leaderLock = 0x57_41_59_02;
const takeoverDeadlineMs = 15_000;
const codes = ['00000001', '00000002', '00000003'];

test.skipIf(!hasPostgres)(
  'a leader that is killed is replaced, and the scans of all copies are aggregated',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-takeover-'));
    const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
    try {
      const postgres = await startPostgres({ synchronous_commit: 'on' });
      closing.unshift(postgres.close);
      const url = await postgres.createDatabase();
      const sql = new SQL(url, { max: 1 });
      closing.unshift(() => sql.close());
      const processes = createLoggedProcesses(join(folder, 'copies.log'));

      /** By the user as which each connects, so that PostgreSQL tells whose session has the lock. */
      const copies = new Map<string, Copy>();
      for (const user of ['copy_1', 'copy_2', 'copy_3']) {
        await postgres.run(url, `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'secret'`);
        const own = Object.assign(new URL(url), { username: user, password: 'secret' });
        const env = { WAYMARK_DATABASE_URL: own.href, WAYMARK_PUBLIC_URL: 'http://qr.example.com' };
        const copy = createCopy(folder, env, processes);
        copies.set(user, copy);
        closing.unshift(copy.kill);
      }
      await Promise.all([...copies.values()].map((copy) => copy.start()));
      await sql.unsafe(`
        INSERT INTO accounts (email, created_at) VALUES ('a@example.com', 0);
        INSERT INTO designs (account_id, settings, created_at) VALUES (1, '{}', 0);
        INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
          SELECT lpad(number::text, 8, '0'), 1, 1, '', 'https://example.com/', 0, ''
          FROM generate_series(1, ${codes.length}) AS number`);

      /** Returns the user whose session has the lock. */
      const leader = async (): Promise<string> => {
        const rows: { user: string }[] = await sql`
          SELECT usename AS user FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE locktype = 'advisory' AND granted AND classid = ${leaderLock}::oid`;
        expect(rows).toHaveLength(1);
        return rows[0]?.user ?? '';
      };
      let answered = 0;
      const scanEverywhere = async () => {
        for (const { origin } of copies.values())
          for (const code of codes) {
            expect((await visit(`${origin}/${code}`)).status).toBe(302);
            answered++;
          }
      };
      const isAggregated = async () => {
        const [left] = await sql`SELECT count(*)::int AS hits FROM pending_hits`;
        const [counted] =
          await sql`SELECT coalesce(sum(scans), 0)::int AS scans FROM scan_counters`;
        expect(counted.scans).toBeLessThanOrEqual(answered);
        return left.hits === 0 && counted.scans === answered;
      };

      await scanEverywhere();
      await until(isAggregated, takeoverDeadlineMs);
      const tookMs: number[] = [];
      while (copies.size > 1) {
        const killed = await leader();
        // Some of them are left to the next leader.
        await scanEverywhere();
        const startMs = performance.now();
        await copies.get(killed)?.kill();
        copies.delete(killed);
        await scanEverywhere();
        await until(isAggregated, takeoverDeadlineMs);
        tookMs.push(Math.round(performance.now() - startMs));
        expect([...copies.keys()]).toContain(await leader());
      }
      console.log({ answered, tookMs });
      expect(Math.max(...tookMs)).toBeLessThan(takeoverDeadlineMs);
    } finally {
      for (const close of closing) await close();
    }
  },
  120_000,
);
