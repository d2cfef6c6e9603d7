import { expect, test } from 'bun:test';
import type { Copy } from '../support/copies.ts';
import { hasPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { withCopies } from './copies/copies.ts';

/** First key of the leader's advisory lock, see src/postgres/leader.ts. */
const leaderLock = 0x57_41_59_02;
const takeoverDeadlineMs = 15_000;

test.skipIf(!hasPostgres)(
  'a leader that is killed is replaced, and the scans of all copies are aggregated',
  async () => {
    await withCopies(0, {}, async ({ databaseUrl, sql, newCopy, createKey, addCodes }) => {
      await createKey();
      /** By the user as which each connects, so that PostgreSQL tells whose session has the lock. */
      const copies = new Map<string, Copy>();
      for (const user of ['copy_1', 'copy_2', 'copy_3']) {
        await sql.unsafe(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'secret'`);
        const own = Object.assign(new URL(databaseUrl), { username: user, password: 'secret' });
        copies.set(user, newCopy({ WAYMARK_DATABASE_URL: own.href }));
      }
      await Promise.all([...copies.values()].map((copy) => copy.start()));
      const codes = await addCodes(3);

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
    });
  },
  120_000,
);
