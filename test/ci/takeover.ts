import { expect, test } from 'bun:test';
import type { Copy } from '../support/copies.ts';
import { hasPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { isHealthy, withCopies } from './copies/copies.ts';

const takeoverDeadlineMs = 15_000;

test.skipIf(!hasPostgres)(
  'copies that are killed are replaced by the others, and the scans of all are aggregated',
  async () => {
    await withCopies(0, {}, async ({ databaseUrl, sql, newCopy, createKey, addCodes }) => {
      await createKey();
      const copies: Copy[] = Array.from({ length: 3 }, () =>
        newCopy({ WAYMARK_DATABASE_URL: databaseUrl }),
      );
      await Promise.all(copies.map((copy) => copy.start()));
      // The apps have checked the images of the codes so far: those of the test have none.
      await until(async () => (await Promise.all(copies.map(isHealthy))).every(Boolean));
      const codes = await addCodes(3);

      let answered = 0;
      const scanEverywhere = async () => {
        for (const { origin } of copies)
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
      while (copies.length > 1) {
        // Some of them are left to the others.
        await scanEverywhere();
        const startMs = performance.now();
        await copies.shift()?.kill();
        await scanEverywhere();
        await until(isAggregated, takeoverDeadlineMs);
        tookMs.push(Math.round(performance.now() - startMs));
      }
      console.log({ answered, tookMs });
      expect(Math.max(...tookMs)).toBeLessThan(takeoverDeadlineMs);
    });
  },
  120_000,
);
