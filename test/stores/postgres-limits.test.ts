import { afterAll, describe, expect, test } from 'bun:test';
import { sql as fragment } from 'drizzle-orm';
import fc from 'fast-check';
import { composeLimits } from '../../src/compose/limits.ts';
import { createStorage } from '../../src/compose/storage.ts';
import type { KeyAdmission, RateLimiter, SharedLimits } from '../../src/core/accounts/ports.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { createLimits } from '../../src/postgres/limits/limits.ts';
import { createConnection } from '../../src/redirect/postgres/connection.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { type LimitsUnderTest, rateLimiterSuite, throttleSuite } from './limits.suite.ts';
import { acting, addOwner } from './rows.ts';

if (!hasPostgres) test.skip('PostgreSQL is not installed', () => {});
else {
  const postgres = await sharedPostgres();
  const databaseUrl = await postgres.createDatabase();
  const storage = await createStorage({ data: './data', databaseUrl });
  const stores = await storage.openForCommand({ create: true });
  const settings = { plan_cache_mode: 'force_generic_plan' };
  const copies = Array.from({ length: 2 }, () =>
    createConnection(databaseUrl, { max: 4, statementTimeoutMs: 10_000, settings }),
  ) as [ReturnType<typeof createConnection>, ReturnType<typeof createConnection>];
  const [copy, otherCopy] = copies;
  const sql = copy.sql();
  afterAll(() => Promise.all([stores, ...copies].map((one) => one.close())));

  // Only `pass` moves this clock. That of PostgreSQL would also move while the machine is busy.
  await sql`CREATE TABLE test_clock AS SELECT now() AS now`;
  const limits = createLimits(copy, fragment.raw('(SELECT now FROM test_clock)'));
  const pass = async (ms: number) => {
    await sql`UPDATE test_clock SET now = now + ${ms} * interval '1 millisecond'`;
    // What a server does within a minute.
    if (ms < 0) await limits.clean();
  };

  const addKey = async (hash: string) => {
    const { accountId } = await addOwner(stores);
    await stores.keys.replace(acting(accountId), hash, 'last', 1);
    return accountId;
  };
  /** Returns a limiter that makes an account and its key for each name. */
  const rateOf = ({ admit, used }: KeyAdmission): RateLimiter => {
    const made = new Map<string, Promise<unknown>>();
    return {
      admit: async (hash) => {
        const making = made.get(hash) ?? addKey(hash);
        made.set(hash, making);
        await making;
        const request = await admit(hash, 1);
        if (request === null) throw new Error(`the key ${hash} is not valid`);
        return request.decision;
      },
      used,
    };
  };
  const setUp = (): LimitsUnderTest => ({
    createRate: (limit) => rateOf(limits.createAdmission(limit)),
    createThrottle: limits.createThrottle,
    pass,
  });
  rateLimiterSuite('PostgreSQL', setUp);
  throttleSuite('PostgreSQL', setUp);

  describe('the requests of a key', () => {
    test('are counted together by all copies, however they meet', async () => {
      await addKey('both');
      const [one, other] = copies.map((each) => createLimits(each).createAdmission(60));
      const requests = Array.from({ length: 200 }, (_, n) =>
        (n % 2 === 0 ? one : other)?.admit('both', 1),
      );
      const admitted = (await Promise.all(requests))
        .flatMap((request) => request?.decision ?? [])
        .filter((decision) => decision.admitted);
      const remaining = admitted.map((decision) => decision.remaining).sort((a, b) => b - a);
      expect(remaining).toEqual(Array.from({ length: 60 }, (_, n) => 59 - n));
      expect(await other?.used('both')).toBe(60);
    });

    test('count for its account, for the key that it replaces while that works, and for no other', async () => {
      const admission = limits.createAdmission(60);
      const accountId = await addKey('former');
      const owner = await stores.keys.findOwner('former', 1);
      const request = await admission.admit('former', 1);
      expect(request?.account).toEqual(owner?.account);
      expect(request?.account.id).toBe(accountId);
      expect(request?.decision).toEqual({
        admitted: true,
        limit: 60,
        remaining: 59,
        resetSeconds: 60,
      });
      await stores.keys.replace(acting(accountId), 'current', 'last', 2, { formerUntilMs: 100 });
      const remaining = async (hash: string, nowMs: number) =>
        (await admission.admit(hash, nowMs))?.decision.remaining ?? null;
      expect([await remaining('former', 99), await remaining('current', 99)]).toEqual([59, 58]);
      expect([await remaining('former', 100), await remaining('unknown', 99)]).toEqual([
        null,
        null,
      ]);
      expect(await admission.used('current')).toBe(2);
      const stored = await sql`SELECT FROM rate_windows WHERE key = 'unknown'`;
      expect(stored).toHaveLength(0);
    });

    test.each([100, 101, 1000, 100_000])(
      'are at most %i in any minute, in a row of bounded size',
      async (limit) => {
        const rate = rateOf(limits.createAdmission(limit));
        const key = `limit ${limit}`;
        const burst = Array.from({ length: Math.min(limit, 1000) + 50 }, () => rate.admit(key));
        const admitted = (await Promise.all(burst)).filter((one) => one.admitted).length;
        expect(admitted).toBe(Math.min(limit, burst.length));
        expect(await rate.used(key)).toBe(admitted);
        const [row] =
          await sql`SELECT cardinality(times) AS times FROM rate_windows WHERE key = ${key}`;
        expect(row.times).toBeLessThanOrEqual(100);
        await pass(60_000);
        expect(await rate.admit(key)).toMatchObject({ admitted: true, remaining: limit - 1 });
      },
    );

    test('that come steadily are at most the limit in any minute', async () => {
      const gaps = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 300, maxLength: 300 });
      await fc.assert(
        fc.asyncProperty(gaps, async (gapsMs) => {
          const rate = rateOf(limits.createAdmission(150));
          const key = crypto.randomUUID();
          const admittedMs: number[] = [];
          let nowMs = 0;
          for (const gapMs of gapsMs) {
            nowMs += gapMs;
            await pass(gapMs);
            const counted = admittedMs.filter((ms) => ms > nowMs - 60_000).length;
            const { admitted } = await rate.admit(key);
            if (admitted) admittedMs.push(nowMs);
            if (admitted) expect(counted).toBeLessThan(150);
            else expect(counted).toBeGreaterThanOrEqual(148);
          }
        }),
        { numRuns: 5 },
      );
    });
  });

  test('the failures of several copies are counted together', async () => {
    const [one, other] = copies.map((each) =>
      createLimits(each).createThrottle('shared', { burst: 3, intervalMs: 3_600_000 }),
    );
    await Promise.all([one, other, one, other].map((throttle) => throttle?.countFailure('name')));
    const hours = 2 * 3600;
    expect(await one?.waitSeconds('name')).toBeGreaterThan(hours - 600);
    expect(await other?.waitSeconds('name')).toBeLessThanOrEqual(hours);
    expect(await other?.waitSeconds('another')).toBe(0);
  });

  test('a clock that was set back leaves the wait of a throttle as it is, and it passes', async () => {
    const throttle = limits.createThrottle('set back', { burst: 1, intervalMs: 10_000 });
    for (let failures = 0; failures < 3; failures++) await throttle.countFailure('name');
    const waitSeconds = await throttle.waitSeconds('name');
    await pass(-3_600_000);
    expect(waitSeconds).toBe(30);
    expect(await throttle.waitSeconds('name')).toBe(waitSeconds);
    await pass(20_000);
    expect(await throttle.waitSeconds('name')).toBe(waitSeconds - 20);
    await throttle.countFailure('name');
    await sql`UPDATE test_clock SET now = now - interval '1 hour'`;
    await throttle.countFailure('name');
    expect(await throttle.waitSeconds('name')).toBe(waitSeconds);
  });

  test('what limits nothing any more is removed, and no name is stored as it is', async () => {
    const rate = rateOf(limits.createAdmission(3));
    const throttle = limits.createThrottle('origin', { burst: 1, intervalMs: 50_000 });
    await sql`DELETE FROM throttles`;
    await rate.admit('early');
    await throttle.countFailure('192.0.2.7');
    const throttles = await sql`SELECT * FROM throttles`;
    expect(throttles).toHaveLength(1);
    expect(JSON.stringify(throttles)).not.toContain('192.0.2.7');
    await pass(49_000);
    await rate.admit('late');
    await limits.clean();
    const left = async () => [
      ...(await sql`SELECT key AS name FROM rate_windows WHERE key IN ('early', 'late') ORDER BY 1`),
      ...(await sql`SELECT 'throttle' AS name FROM throttles`),
    ];
    expect(await left()).toEqual([{ name: 'early' }, { name: 'late' }, { name: 'throttle' }]);
    await pass(11_000);
    await limits.clean();
    expect(await left()).toEqual([{ name: 'late' }]);
    expect(await rate.used('late')).toBe(1);
  });

  test('the tables have no write-ahead log', async () => {
    const rows = await sql`SELECT relname FROM pg_class
      WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`;
    expect([...rows]).toEqual([{ relname: 'rate_windows' }, { relname: 'throttles' }]);
  });

  test('while they cannot be written, each copy counts for itself', async () => {
    let isAway = true;
    const unless =
      <Values extends unknown[], T>(run: (...values: Values) => Promise<T>) =>
      async (...values: Values) => {
        if (isAway) throw new StoreUnavailable('away');
        return run(...values);
      };
    const shared = createLimits(otherCopy);
    const flaky: SharedLimits = {
      createAdmission: (limit) => {
        const { admit, used } = shared.createAdmission(limit);
        return { admit: unless(admit), used: unless(used) };
      },
      createThrottle: (kind, options) => {
        const { waitSeconds, countFailure } = shared.createThrottle(kind, options);
        return { waitSeconds: unless(waitSeconds), countFailure: unless(countFailure) };
      },
      clean: shared.clean,
    };
    const { admission, createThrottle, close } = composeLimits(
      { rateLimit: 2 },
      stores.keys,
      flaky,
    );
    const throttle = createThrottle('away', { burst: 1, intervalMs: 600_000 });
    const rate = rateOf(admission);
    const admitted = async () => (await rate.admit('away')).admitted;
    expect([await admitted(), await admitted(), await admitted()]).toEqual([true, true, false]);
    expect(await rate.used('away')).toBe(2);
    await throttle.countFailure('name');
    expect(await throttle.waitSeconds('name')).toBeGreaterThan(300);
    isAway = false;
    expect(await rate.admit('away')).toMatchObject({ admitted: true, remaining: 1 });
    expect(await throttle.waitSeconds('name')).toBe(0);
    close();
  });
}
