import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ValkeyUnusable } from '../../src/core/errors.ts';
import { createSlidingWindow } from '../../src/limits/memory/rate-limiter.ts';
import { createMemoryThrottles } from '../../src/limits/memory/throttle.ts';
import {
  createScript,
  openValkey,
  unsuitability,
  type Valkey,
} from '../../src/limits/valkey/connection.ts';
import { createValkeyRateLimiter } from '../../src/limits/valkey/rate-limiter.ts';
import { createValkeyThrottles } from '../../src/limits/valkey/throttle.ts';
import { runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { hasValkey, startValkey, type ValkeyServer } from '../support/valkey.ts';
import { type LimitsUnderTest, rateLimiterSuite, throttleSuite } from './limits.suite.ts';

const startMs = Date.now();

/** Returns how many connections a server has accepted. */
async function connectionsOf(client: Bun.RedisClient): Promise<number> {
  const info = String(await client.send('INFO', []));
  return Number(/total_connections_received:(\d+)/.exec(info)?.[1]);
}

describe.skipIf(!hasValkey)('Valkey', () => {
  let server: ValkeyServer;
  let locked: ValkeyServer;
  let valkey: Valkey;
  let admin: Bun.RedisClient;
  const changes: (string | null)[] = [];
  const opened: { close(): unknown }[] = [];
  const open = async (url: string) => {
    const connection = await openValkey(url);
    opened.push(connection);
    return connection;
  };
  const start = async (...settings: string[]) => {
    const started = await startValkey(...settings);
    opened.push(started);
    return started;
  };
  beforeAll(async () => {
    server = await startValkey();
    locked = await start('--requirepass', 'secret');
    valkey = await openValkey(server.url, (problem) => changes.push(problem));
    admin = new Bun.RedisClient(server.url);
  });
  afterAll(async () => {
    valkey.close();
    admin.close();
    for (const one of opened) await one.close();
    await server.close();
  });

  const clock = { monotonicMs: () => 0 };
  /** Creates limits that use the clock of Valkey. */
  const limitsOn = (on: Pick<Valkey, 'run'>) => ({
    createRate: (limit: number) =>
      createValkeyRateLimiter(on, limit, createSlidingWindow(1, clock)),
    createThrottle: createValkeyThrottles(on, createMemoryThrottles(clock)),
  });
  /** Creates limits whose clock only `pass` moves. That of Valkey would also move while the machine is busy. */
  const setUp = (on: Pick<Valkey, 'run'> = valkey): LimitsUnderTest => {
    let nowMs = startMs;
    const run: Valkey['run'] = ({ text }, key, args) => {
      const time = `{ ${Math.floor(nowMs / 1000)}, ${(nowMs % 1000) * 1000} }`;
      const parts = text.split("redis.call('TIME')");
      expect(parts).toHaveLength(2);
      return on.run(createScript(parts.join(time)), key, args);
    };
    return {
      ...limitsOn({ run }),
      pass: async (ms) => {
        nowMs += ms;
      },
    };
  };
  rateLimiterSuite('Valkey', () => setUp());
  throttleSuite('Valkey', () => setUp());

  test('counts the requests of several copies together', async () => {
    const one = limitsOn(valkey).createRate(3);
    const other = limitsOn(await open(server.url)).createRate(3);
    const all = await Promise.all([one, other, one, other, one].map((rate) => rate.admit('both')));
    expect(all.filter(({ admitted }) => admitted)).toHaveLength(3);
    expect(await one.used('both')).toBe(3);
  });

  test('drops times of the future also in front of those that an earlier version added', async () => {
    const nowMicros = startMs * 1000;
    const times = [nowMicros + 3.6e9, nowMicros + 3.6e9, nowMicros - 1e6].map(String);
    await admin.send('RPUSH', ['waymark:rate:mixed', ...times]);
    expect(await setUp().createRate(2).admit('mixed')).toMatchObject({
      admitted: true,
      remaining: 0,
      resetSeconds: 59,
    });
  });

  test('a clock that was set back leaves the wait of a throttle as it is, and it passes', async () => {
    const { createThrottle, pass } = setUp();
    const throttle = createThrottle('set back', { burst: 1, intervalMs: 10_000 });
    for (let failures = 0; failures < 3; failures++) await throttle.countFailure('name');
    const waitSeconds = await throttle.waitSeconds('name');
    await pass(-3_600_000);
    expect(waitSeconds).toBe(30);
    expect(await throttle.waitSeconds('name')).toBe(waitSeconds);
    await pass(20_000);
    expect(await throttle.waitSeconds('name')).toBe(waitSeconds - 20);
    await throttle.countFailure('name');
    await pass(-3_600_000);
    await throttle.countFailure('name');
    expect(await throttle.waitSeconds('name')).toBe(waitSeconds);
  });

  test('a throttle reads what earlier versions stored', async () => {
    const throttle = setUp().createThrottle('earlier', { burst: 1, intervalMs: 10_000 });
    await admin.set('waymark:throttle:earlier:name', String(startMs + 20_000));
    expect(await throttle.waitSeconds('name')).toBe(20);
    await throttle.countFailure('name');
    // An earlier version reads it as a number.
    const stored = Number(await admin.get('waymark:throttle:earlier:name'));
    expect(Math.floor(stored)).toBe(startMs + 30_000);
  });

  test('leaves nothing behind', async () => {
    await setUp().createRate(3).admit('short');
    const ttl = Number(await admin.send('PTTL', ['waymark:rate:short']));
    expect(ttl).toBeGreaterThan(50_000);
    expect(ttl).toBeLessThanOrEqual(60_000);
  });

  test('that does not respond is replaced by a window in memory, until it does', async () => {
    const rate = setUp().createRate(5);
    expect(valkey.problem()).toBeNull();
    await server.kill();
    const decisions = [await rate.admit('away'), await rate.admit('away')];
    // The fallback of this test has a limit of one.
    expect(decisions).toMatchObject([{ admitted: true, limit: 1 }, { admitted: false }]);
    await until(() => valkey.problem()?.includes('does not respond') === true);
    await server.start();
    await until(() => valkey.problem() === null);
    expect(await rate.admit('away')).toMatchObject({ admitted: true, limit: 5, remaining: 4 });
    expect(changes.at(-1)).toBeNull();
  });

  test('that closes idle connections, or one in use, is no problem, and counts on', async () => {
    const { url } = await start('--timeout', '1');
    const problems: (string | null)[] = [];
    const connection = await openValkey(url, (problem) => problems.push(problem));
    const other = new Bun.RedisClient(url);
    opened.push(connection, other);
    const rate = setUp(connection).createRate(100);
    const [before, { remaining }] = [await connectionsOf(other), await rate.admit('idle')];
    await until(async () => (await connectionsOf(other)) > before + 1);
    expect(await rate.admit('idle')).toMatchObject({ limit: 100, remaining: remaining - 1 });

    // Of some age, because a server that closes each connection at once is a problem.
    const isOfAge = async () =>
      !/ age=0 (?!.*cmd=client)/.test(
        String(await other.send('CLIENT', ['LIST', 'TYPE', 'NORMAL'])),
      );
    await until(isOfAge);
    const asked = Array.from({ length: 20 }, () => rate.admit('busy'));
    await other.send('CLIENT', ['KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    const decisions = await Promise.all([...asked, rate.admit('busy')]);
    expect(decisions.map(({ limit }) => limit)).toEqual(Array(21).fill(100));
    expect(connection.problem()).toBeNull();
    expect(problems).toEqual([null]);
  });

  test('that hangs delays one request only', async () => {
    const rate = setUp().createRate(5);
    process.kill(server.pid(), 'SIGSTOP');
    try {
      expect(await rate.admit('hangs')).toMatchObject({ limit: 1 });
      let hasWaited = false;
      setImmediate(() => {
        hasWaited = true;
      });
      expect(await rate.admit('hangs')).toMatchObject({ limit: 1 });
      expect(hasWaited).toBe(false);
    } finally {
      process.kill(server.pid(), 'SIGCONT');
    }
    await until(() => valkey.problem() === null);
  });

  test.each([
    [
      'has no memory left',
      ['CONFIG', 'SET', 'maxmemory', '1'],
      'OOM',
      ['CONFIG', 'SET', 'maxmemory', '0'],
    ],
    [
      'forbids scripts',
      ['ACL', 'SETUSER', 'default', '-eval', '-evalsha'],
      'NOPERM',
      ['ACL', 'SETUSER', 'default', '+@all'],
    ],
  ] as const)(
    'that %s is a problem until it changes',
    async (_, [begin, ...how], message, [end, ...back]) => {
      const { url } = await start();
      const problems: (string | null)[] = [];
      const connection = await openValkey(url, (problem) => problems.push(problem));
      const operator = new Bun.RedisClient(url);
      opened.push(connection, operator);
      const rate = setUp(connection).createRate(5);
      await operator.send(begin, how);
      expect(await rate.admit('refused')).toMatchObject({ limit: 1 });
      const before = await connectionsOf(operator);
      await until(async () => (await connectionsOf(operator)) >= before + 4);
      expect(problems.slice(1).filter((problem) => !problem?.startsWith(message))).toEqual([]);
      await operator.send(end, back);
      await until(() => connection.problem() === null);
      expect(await rate.admit('refused')).toMatchObject({ limit: 5 });
    },
  );

  const rejection = async (url: string): Promise<string> => {
    const error = await openValkey(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValkeyUnusable);
    const { message } = error as ValkeyUnusable; // just tested
    expect(message).not.toContain('hunter2');
    return message;
  };

  test('with a wrong password is refused by name, without the password', async () => {
    const address = `127.0.0.1:${locked.port}`;
    expect(await rejection(`redis://:hunter2@${address}`)).toContain(`Valkey at ${address}`);
    expect(await rejection(`redis://:hunter2@${address}`)).toContain('Check the user and the pass');
    expect(await rejection(`redis://${address}`)).toContain('Check the user and the password');
    const right = await open(`redis://:secret@${address}`);
    expect(right.problem()).toBeNull();
  });

  test('without the database of the URL is refused', async () => {
    const address = `redis://:secret@127.0.0.1:${locked.port}`;
    const message = await rejection(`${address}/99`);
    expect(message).toContain('Check the number of the database at the end of WAYMARK_VALKEY_URL');
    expect((await open(`${address}/15`)).problem()).toBeNull();
  });

  test('that evicts keys, and a replica, are refused with what to do', async () => {
    const evicting = await start('--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru');
    expect(await rejection(evicting.url)).toContain('Set maxmemory-policy to noeviction');
    const replica = await start('--replicaof', '127.0.0.1', String(server.port));
    expect(await rejection(replica.url)).toContain('it is a replica');
    const bounded = await start('--maxmemory', '10mb', '--maxmemory-policy', 'noeviction');
    expect((await open(bounded.url)).problem()).toBeNull();
  });

  test('that cannot be reached is no reason to refuse a start', async () => {
    const connection = await open('redis://127.0.0.1:1');
    expect(connection.problem()).toContain('does not respond');
    expect(await setUp(connection).createRate(9).admit('alone')).toMatchObject({ limit: 1 });
  });

  test('is checked by doctor', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'waymark-doctor-'));
    const check = async (url: string) => {
      const { stdout } = await runProgram(['doctor', '--json'], {
        cwd,
        env: { WAYMARK_VALKEY_URL: url, WAYMARK_DATA: cwd },
      });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string }[] };
      return checks.find(({ name }) => name === 'Valkey');
    };
    const address = `127.0.0.1:${locked.port}`;
    expect(await check(`redis://:secret@${address}`)).toMatchObject({ status: 'ok' });
    const wrong = await check(`redis://:hunter2@${address}`);
    expect(wrong).toMatchObject({ status: 'broken' });
    expect(wrong?.message).not.toContain('hunter2');
    expect(await check('redis://127.0.0.1:1')).toMatchObject({ status: 'warning' });
    rmSync(cwd, { recursive: true });
  });

  test('of an old version is refused', () => {
    expect(unsuitability('redis_version:6.2.14\r\nrole:master')).toContain('version 6');
    expect(unsuitability('redis_version:7.2.4\r\nvalkey_version:8.0.1\r\nrole:master')).toBeNull();
  });
});
