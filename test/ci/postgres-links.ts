import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseCodeNumber } from '../../src/core/codes/code.ts';
import { type HitKind, hitKinds } from '../../src/core/scans/hit.ts';
import { hitKey } from '../../src/core/scans/hit-entries.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createChangeRedirects } from '../../src/postgres/change-redirects.ts';
import { withDrizzle } from '../../src/postgres/database/drizzle.ts';
import { prepare } from '../../src/postgres/database/open.ts';
import { watchConnection } from '../../src/postgres/database/watch.ts';
import { createExclusiveTasks } from '../../src/postgres/exclusive.ts';
import { aggregateStep, startAggregation } from '../../src/postgres/scans/aggregation.ts';
import { type Connection, createConnection } from '../../src/redirect/postgres/connection.ts';
import { isUnavailable } from '../../src/redirect/postgres/errors.ts';
import {
  createLinkStore,
  followSettings,
  type PostgresLinkStore,
} from '../../src/redirect/postgres/link-targets.ts';
import { acceptLoss } from '../../src/redirect/postgres/lost-changes.ts';
import { createSession } from '../../src/redirect/postgres/session.ts';
import { createWaitingHits } from '../../src/redirect/sqlite/waiting-hits.ts';
import type { FollowedLink } from '../../src/redirect/storage.ts';
import { createFolders } from '../stores/folder.ts';
import { countersIn, expected, type Hit, hits, noon, selectCounters } from '../stores/scans.ts';
import { startFlakyProxy } from '../support/flaky-proxy.ts';
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

/** The number of a code of {@link addQrs}. */
const numberOf = (index: number) => {
  const code = `0000000${index}`;
  return parseCodeNumber(code, 0, code.length) ?? -1;
};
const unknown = parseCodeNumber('zzzzzzzz', 0, 8) ?? -1;
const destinationOf = (index: number) => `https://example.com/${index}`;

describe.skipIf(!hasPostgres)('short links on PostgreSQL', () => {
  const { newFolder } = createFolders();
  let postgres: Postgres;
  const open: (() => unknown)[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    for (const close of open) await close();
    await postgres.close();
  });

  const connect = (url: string, max = 2): Connection => {
    const options = { max, statementTimeoutMs: 10_000, settings: followSettings };
    const connection = createConnection(url, options);
    open.push(connection.close);
    return connection;
  };

  /** Creates a database with eight codes, and a store. */
  async function setUp(through: (url: string) => string = (url) => url) {
    const url = await postgres.createDatabase();
    const admin = connect(url, 1);
    await prepare(admin);
    await admin.sql().unsafe(`
      INSERT INTO accounts (email, created_at) VALUES ('a@example.com', 0);
      INSERT INTO designs (account_id, settings, created_at) VALUES (1, '{}', 0);
      INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
        SELECT '0000000' || i, 1, 1, '', 'https://example.com/' || i, 0, '' FROM generate_series(1, 8) AS i`);
    const unknown: number[] = [];
    const newStore = (folder = newFolder()): PostgresLinkStore => {
      const options = { statementTimeoutMs: 10_000, settings: followSettings };
      const sessions = {
        hits: createSession(through(url), options),
        lookUps: createSession(through(url), options),
      };
      open.push(sessions.hits.close, sessions.lookUps.close);
      return createLinkStore(sessions, {
        copy: Math.floor(Math.random() * 2 ** 50),
        waiting: createWaitingHits(folder, {
          durability: 'process',
          log: createLogger('json', Date.now, () => {}),
        }),
        onProblem: () => {},
        onUnknown: (hits) => unknown.push(hits),
        // As long as a busy machine needs.
        stepMs: 400,
      });
    };
    return { url, admin, newStore, unknown, links: newStore() };
  }

  /** Does the same, with a proxy between the database and the store. */
  async function setUpBehindProxy() {
    const proxy = await startFlakyProxy(postgres);
    open.push(proxy.close);
    const behind = await setUp((url) => Object.assign(new URL(url), { port: proxy.port }).href);
    await follow(behind.links, 1);
    await warmUp(behind.links, behind.admin);
    return { proxy, ...behind };
  }

  /** Changes codes as another copy or a command does. */
  const change = (admin: Connection, statement: string, codes: readonly string[]) =>
    createChangeRedirects(
      withDrizzle(admin.sql),
      withDrizzle(admin.lookUps),
      admin,
    )(async (transaction) => {
      await transaction.execute(statement);
      return { codes, result: undefined };
    });

  const settled = async (link: FollowedLink) => {
    await link.ready;
    return link.target;
  };
  const follow = (links: PostgresLinkStore, index: number, kind: HitKind = 'scan', atMs = noon) =>
    settled(links.follow(numberOf(index), kind, atMs));
  const isRecovered = (links: PostgresLinkStore) => {
    const { buffered, problem } = links.status();
    return buffered === 0 && problem === null;
  };
  /** Opens all connections of the store: for look-ups, and for hits, which it deletes. */
  const warmUp = async (links: PostgresLinkStore, admin: Connection) => {
    await follow(links, 8);
    const followed: Promise<unknown>[] = [];
    for (let ticks = 0; ticks < 8; ticks++) {
      followed.push(follow(links, 8), settled(links.follow(unknown, 'scan', noon)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(followed);
    // On a busy machine, some may wait in the file.
    await until(() => isRecovered(links));
    await admin.sql().unsafe(`DELETE FROM scan_log WHERE ${8 * 8} = ANY (targets)`);
  };
  /** The hits that are not aggregated, by code and kind. */
  const pending = async (admin: Connection) => {
    const rows: { id: number; kind: number; hits: number }[] = await admin
      .sql()
      .unsafe(
        'SELECT qr_id::int AS id, kind::int, sum(hits)::int AS hits FROM pending_hits GROUP BY 1, 2',
      );
    return Object.fromEntries(rows.map(({ id, kind, hits }) => [`${id} ${hitKinds[kind]}`, hits]));
  };

  test('are looked up once, and counted in one statement per tick', async () => {
    const { links, admin } = await setUp();
    const rows = async () =>
      (await admin.sql().unsafe('SELECT count(*)::int FROM scan_log').values())[0][0];
    for (const round of [1, 2]) {
      const many = [1, 2, 1, 3].map((index) => links.follow(numberOf(index), 'scan', noon));
      const crawled = links.follow(numberOf(3), 'crawler', noon);
      expect(await Promise.all(many.map(settled))).toMatchObject(
        [1, 2, 1, 3].map((index) => ({
          qrId: index,
          location: destinationOf(index),
          status: 'active',
          flaggedBy: null,
        })),
      );
      await settled(crawled);
      expect(await rows()).toBe(round);
      expect(await settled(links.follow(unknown, 'scan', noon))).toBeNull();
    }
    expect(await pending(admin)).toEqual({ '1 scan': 4, '2 scan': 2, '3 scan': 2, '3 crawler': 2 });
    expect(links.status()).toEqual({ committed: 10, buffered: 0, problem: null });
  });

  test('follow a change, and count nothing while paused', async () => {
    const { links, admin } = await setUp();
    await Promise.all([1, 2].map((index) => follow(links, index)));
    await change(admin, "UPDATE qrs SET destination = 'https://b/ü' WHERE id = 1", ['00000001']);
    expect(await follow(links, 1)).toMatchObject({ location: 'https://b/%C3%BC' });
    await change(admin, "UPDATE qrs SET status = 'paused' WHERE id = 1", ['00000001']);
    await change(admin, "INSERT INTO flags VALUES (2, 'evil', 'example.com/', 0)", ['00000002']);
    for (const kind of hitKinds) {
      expect(await follow(links, 1, kind)).toMatchObject({ status: 'paused' });
      expect(await follow(links, 2, kind)).toMatchObject({ flaggedBy: 'evil' });
    }
    await change(admin, "UPDATE qrs SET status = 'active' WHERE id = 1", ['00000001']);
    expect(await follow(links, 1)).toMatchObject({ status: 'active' });
    expect(await pending(admin)).toMatchObject({ '1 scan': 3, '2 scan': 2, '2 head': 1 });
    await change(admin, "UPDATE qrs SET code = 'zzzzzzzz' WHERE id = 3", ['zzzzzzzz', '00000003']);
    expect(await settled(links.follow(unknown, 'scan', noon))).toMatchObject({ qrId: 3 });
    expect(await follow(links, 3)).toBeNull();
  });

  describe('that a copy knows are looked up again', () => {
    const kept = 1000;
    const changes: Record<string, (admin: Connection) => Promise<unknown>> = {
      'after a change of more codes than a step names': (admin) =>
        change(
          admin,
          "UPDATE qrs SET destination = 'https://b/'",
          Array.from({ length: 500 }, (_, index) => String(index).padStart(8, '0')),
        ),
      'after more changes than are kept': async (admin) => {
        await change(admin, "UPDATE qrs SET destination = 'https://b/'", ['00000001']);
        for (let step = 0; step <= kept; step++) await change(admin, 'SELECT 1', ['00000002']);
        const rows = await admin.sql().unsafe('SELECT FROM redirect_steps');
        expect(rows.length).toBeLessThanOrEqual(kept + 1);
      },
      'after a change by hand': (admin) =>
        admin.sql().unsafe(`UPDATE qrs SET destination = 'https://b/';
          UPDATE redirect_version SET version = version + 1`),
      'after a failover that lost the last change': async (admin) => {
        await admin.sql().unsafe(`DELETE FROM redirect_steps;
          UPDATE redirect_version SET version = 0; INSERT INTO redirect_steps VALUES (0, '[]')`);
        await change(admin, "UPDATE qrs SET destination = 'https://b/'", ['00000001']);
      },
    };
    test.each(Object.keys(changes))('%s', async (name) => {
      const { links, admin } = await setUp();
      await change(admin, 'SELECT 1', ['00000003']);
      await Promise.all([1, 2].map((index) => follow(links, index)));
      await changes[name]?.(admin);
      expect(await follow(links, 1)).toMatchObject({ location: 'https://b/' });
      expect(await follow(links, 1)).toMatchObject({ location: 'https://b/' });
    });
  });

  test('whose response is lost are counted once', async () => {
    const { proxy, links, admin } = await setUpBehindProxy();
    proxy.muteServer();
    const answers = [follow(links, 1), follow(links, 1, 'crawler'), follow(links, 2)];
    await until(async () => (await pending(admin))['1 crawler'] === 1);
    proxy.cut();
    proxy.restore();
    const [first, , second] = await Promise.all(answers);
    expect(first).toMatchObject({ location: destinationOf(1) });
    // The database responds again.
    expect(second).toMatchObject({ location: destinationOf(2) });
    await until(() => isRecovered(links));
    expect(await pending(admin)).toEqual({ '1 scan': 2, '1 crawler': 1, '2 scan': 1 });
    // Aggregated, and only then repeated. The new connection may be to another database, so the code is looked up.
    await warmUp(links, admin);
    await follow(links, 1);
    proxy.muteServer();
    const late = follow(links, 1);
    await until(async () => (await pending(admin))['1 scan'] === 4);
    expect(await aggregateStep(admin.sql())).toBe('done');
    proxy.cut();
    proxy.restore();
    await late;
    await until(() => isRecovered(links));
    expect(await pending(admin)).toEqual({});
    await follow(links, 2);
    while ((await aggregateStep(admin.sql())) !== 'empty');
    const counted = 'SELECT qr_id::int, scans::int FROM scan_counters ORDER BY 1';
    expect(await admin.sql().unsafe(counted).values()).toEqual([
      [1, 4],
      [2, 2],
    ]);
  });

  test('a statement that comes late, after its repetition was aggregated, writes nothing', async () => {
    const { proxy, links, admin } = await setUpBehindProxy();
    await follow(links, 1);
    proxy.holdClient();
    expect(await follow(links, 1)).toMatchObject({ location: destinationOf(1) });
    proxy.restore();
    await until(() => isRecovered(links));
    expect(await pending(admin)).toEqual({ '1 scan': 3 });
    while ((await aggregateStep(admin.sql())) !== 'empty');
    const rows = 'SELECT count(*)::int AS rows FROM scan_log';
    expect(await admin.sql().unsafe(rows).values()).toEqual([[0]]);
    await proxy.release();
    const last = "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'INSERT%'";
    await until(async () => (await admin.sql().unsafe(last)).length === 0);
    while ((await aggregateStep(admin.sql())) !== 'empty');
    const counted = 'SELECT scans::int FROM scan_counters WHERE qr_id = 1';
    expect(await admin.sql().unsafe(counted).values()).toEqual([[3]]);
  });

  test('hits that wait are written only for a code that has its id still', async () => {
    const { proxy, links, admin, unknown } = await setUpBehindProxy();
    await Promise.all([follow(links, 1), follow(links, 2)]);
    proxy.cut(true);
    for (const index of [1, 2, 2])
      expect(await follow(links, index)).toMatchObject({ location: destinationOf(index) });
    await admin.sql().unsafe("UPDATE qrs SET code = 'aaaaaaaa' WHERE id = 2");
    proxy.restore();
    await until(() => isRecovered(links));
    expect(await pending(admin)).toEqual({ '1 scan': 3, '2 scan': 1 });
    expect(unknown.reduce((sum, hits) => sum + hits, 0)).toBe(2);
  });

  test('a copy that meets an older database says so to all copies, until that is accepted', async () => {
    const { links, admin, newStore } = await setUp();
    await follow(links, 1);
    await links.check();
    const [[version]] = await admin.sql().unsafe('SELECT version FROM redirect_version').values();
    await change(admin, 'SELECT 1', ['00000003']);
    await links.check();
    expect(links.lostChanges()).toBeNull();
    const beforeMs = Date.now();
    await admin.sql().unsafe(`DELETE FROM redirect_steps WHERE version > ${version};
      UPDATE redirect_version SET version = ${version}`);
    await links.check();
    const other = newStore();
    await other.check();
    for (const store of [links, other]) {
      const { sinceMs = 0, untilMs = 0 } = store.lostChanges() ?? {};
      expect(sinceMs).toBeLessThanOrEqual(untilMs);
      expect(untilMs).toBeLessThanOrEqual(beforeMs);
      expect(untilMs).toBeGreaterThan(beforeMs - 60_000);
    }
    await admin.sql().unsafe(acceptLoss);
    for (const store of [links, other]) {
      await store.check();
      expect(store.lostChanges()).toBeNull();
    }
  });

  test('hits that reach memory after the recovery are written as well', async () => {
    const { links, admin } = await setUp();
    await warmUp(links, admin);
    // The first statement of the log fails once; the look-up after it is slow, so that the retry is earlier.
    await admin.sql().unsafe(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF nextval('attempts') = 1 THEN RAISE 'full' USING ERRCODE = '53100'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER fail_once BEFORE INSERT ON scan_log FOR EACH ROW EXECUTE FUNCTION fail_once();
      CREATE FUNCTION slow(text) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT $1 FROM pg_sleep(0.2) $$;
      ALTER TABLE flags RENAME TO real_flags;
      CREATE VIEW flags AS SELECT qr_id, slow(list) AS list FROM real_flags;
      INSERT INTO real_flags VALUES (1, 'evil', 'example.com/', 0)`);
    expect(await follow(links, 1)).toMatchObject({ flaggedBy: 'evil' });
    await until(() => links.status().problem === null, 4000);
    expect(await pending(admin)).toEqual({ '1 scan': 1 });
  });

  test('a database that does not respond delays only the redirects that wait for it', async () => {
    const { proxy, links, admin } = await setUpBehindProxy();
    proxy.muteServer();
    expect(await follow(links, 1)).toMatchObject({ location: destinationOf(1) });
    for (let times = 0; times < 20; times++)
      expect(await follow(links, 1)).toMatchObject({ location: destinationOf(1) });
    await until(() => links.status().problem?.includes('does not respond') === true);
    proxy.restore();
    await until(() => links.status().problem === null, 5000);
    await until(() => isRecovered(links));
    expect(await pending(admin)).toEqual({ '1 scan': 22 });
  });

  test('a path that an owner chose is followed while the database does not respond, and counted afterwards', async () => {
    const { proxy, links, admin } = await setUpBehindProxy();
    await admin.sql().unsafe("UPDATE qrs SET path = 'menu' WHERE id = 2");
    const typed = () => settled(links.follow('menu', 'scan', noon));
    expect(await typed()).toMatchObject({ qrId: 2, location: destinationOf(2) });
    proxy.muteServer();
    expect(await typed()).toMatchObject({ location: destinationOf(2) });
    proxy.restore();
    await until(() => links.status().problem === null, 5000);
    await until(() => links.status().buffered === 0);
    expect((await pending(admin))['2 scan']).toBe(2);
  });

  test('what resembles an address is followed, unless several are meant', async () => {
    const { links, admin } = await setUp();
    await admin.sql().unsafe("UPDATE qrs SET path = 'Menu', folded_path = 'menu' WHERE id = 2");
    const asked = (path: string) => settled(links.follow(path, 'scan', noon));
    for (const path of ['Menu', 'MENU', 'menu/', 'menu.', 'menu&utm=1'])
      expect(await asked(path)).toMatchObject({ qrId: 2 });
    expect(await Promise.all(['menus', 'MENU!', 'Menu', 'none'].map(asked))).toEqual([
      null,
      expect.objectContaining({ qrId: 2 }),
      expect.objectContaining({ qrId: 2 }),
      null,
    ]);
    await admin.sql().unsafe("UPDATE qrs SET path = 'menu', folded_path = 'menu' WHERE id = 3");
    expect(await asked('MENU')).toBeNull();
    expect(await asked('menu')).toMatchObject({ qrId: 3 });
    expect(await asked('Menu')).toMatchObject({ qrId: 2 });
  });

  test('codes are followed, and paths are unknown, while the schema is that of a version without paths', async () => {
    const { links, admin } = await setUp();
    await admin.sql().unsafe('ALTER TABLE qrs DROP COLUMN path');
    const typed = links.follow('menu', 'scan', noon);
    expect(await follow(links, 1)).toMatchObject({ location: destinationOf(1) });
    expect(await settled(typed)).toBeNull();
    expect(links.status().problem).toBeNull();
  });

  test('a copy that is cut off replaces its connections, rejects what waits for one, and aggregates on', async () => {
    const proxy = await startFlakyProxy(postgres);
    open.push(proxy.close);
    const { url, admin } = await setUp();
    const through = Object.assign(new URL(url), { port: String(proxy.port) }).href;
    const pool = connect(through);
    const stopWatch = watchConnection(pool);
    const aggregation = startAggregation(
      pool,
      createLogger('json', Date.now, () => {}),
    );
    open.push(stopWatch, aggregation.close);
    proxy.muteServer();
    const waiting = await pool
      .sql()
      .unsafe('SELECT 2')
      .catch((error: unknown) => error);
    expect(isUnavailable(waiting)).toBe(true);
    await until(() => aggregation.problem() !== null);
    proxy.restore();
    await until(() => aggregation.problem() === null, 20_000);
    const [row] = await pool.sql().unsafe('SELECT 3 AS number');
    expect(row).toEqual({ number: 3 });
    expect(await pending(admin)).toEqual({});
  });

  test('a long task runs at one copy at a time, and not beside a leader of 1.1.0', async () => {
    const { url } = await setUp();
    const [first, second, old] = [connect(url), connect(url), connect(url)];
    const ran: string[] = [];
    const ending = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const long = createExclusiveTasks(first)('backup', async (isHeld) => {
      ran.push('first');
      began.resolve();
      await ending.promise;
      expect(isHeld()).toBe(true);
    });
    await began.promise;
    const attempt = async (name: string) =>
      createExclusiveTasks(second)('backup', async () => void ran.push(name));
    await attempt('beside');
    await createExclusiveTasks(second)('lists rechecks', async () => void ran.push('other task'));
    ending.resolve();
    await long;
    await attempt('after');
    const leader = await old.sql().reserve();
    await leader`SELECT pg_advisory_lock(${0x57_41_59_02}::int, 0)`;
    await attempt('beside a leader');
    expect(await aggregateStep(second.sql())).toBe('empty');
    leader.release();
    expect(ran).toEqual(['first', 'other task', 'after']);
  });

  describe('aggregation', () => {
    const counters = async (admin: Connection) =>
      countersIn(await Promise.all(selectCounters.map((sql) => admin.sql().unsafe(sql).values())));

    test('counts every hit once, in whichever order rows, repetitions and steps come', async () => {
      const { admin } = await setUp();
      const event = fc.oneof(
        fc.constant('step' as const),
        fc.record({ copy: fc.integer({ min: 1, max: 2 }), hits: fc.array(hits, { maxLength: 6 }) }),
        fc.constant('repeat' as const),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (all) => {
          await admin
            .sql()
            .unsafe('TRUNCATE scan_log, scan_counters, hourly_scans, uncounted_hits');
          const numbers = new Map<number, number>();
          let last: [copy: number, number: number, hits: readonly Hit[]] | null = null;
          const write = async (copy: number, number: number, row: readonly Hit[]) => {
            const column = (of: (hit: Hit) => number) => `{${row.map(of).join()}}`;
            await admin.sql().unsafe(
              `INSERT INTO scan_log (copy, number, settled, targets, times) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT DO NOTHING`,
              [
                copy,
                number,
                // The last statement may be repeated.
                number - 1,
                column(({ qrId, kind }) => hitKey(qrId, kind)),
                column(({ atMs }) => atMs),
              ],
            );
          };
          for (const one of all) {
            if (one === 'step') await aggregateStep(admin.sql());
            else if (one === 'repeat') {
              if (last !== null) await write(...last);
            } else {
              const number = (numbers.get(one.copy) ?? 0) + 1;
              numbers.set(one.copy, number);
              last = [one.copy, number, one.hits];
              await write(...last);
            }
          }
          while ((await aggregateStep(admin.sql())) !== 'empty');
          if (last !== null) await write(...last);
          while ((await aggregateStep(admin.sql())) !== 'empty');
          const written = all.flatMap((one) => (typeof one === 'object' ? one.hits : []));
          expect(await counters(admin)).toEqual(expected(written));
          const [left] = await admin.sql().unsafe('SELECT count(*)::int AS rows FROM scan_log');
          expect(left.rows).toBeLessThanOrEqual(2);
        }),
        { numRuns: 60 },
      );
    });

    test('counts every hit once while steps of several copies begin at the same time', async () => {
      const { url, admin } = await setUp();
      const aggregators = Array.from({ length: 8 }, () => connect(url));
      const rows = 4000;
      let isWriting = true;
      const write = async () => {
        for (let number = 1; number <= rows; number++)
          await admin.sql().unsafe(
            `INSERT INTO scan_log (copy, number, settled, targets, times)
             VALUES (1, $1, $2, $3, $4)`,
            [number, number - 1, `{${hitKey(1, 'scan')}}`, `{${noon}}`],
          );
        isWriting = false;
      };
      const aggregate = async (copy: Connection) => {
        while (isWriting) await aggregateStep(copy.sql());
      };
      await Promise.all([write(), ...aggregators.map(aggregate)]);
      while ((await aggregateStep(admin.sql())) !== 'empty');
      const [scans] = await admin.sql().unsafe('SELECT sum(scans)::int AS sum FROM scan_counters');
      expect(scans.sum).toBe(rows);
    });
  });

  test('hits are written when the store is closed, or wait for the next one of the folder', async () => {
    const { newStore, admin } = await setUp();
    const folder = newFolder();
    const [first, second] = [newStore(), newStore(folder)];
    void follow(first, 1);
    expect(await first.close()).toBe(0);
    expect(await pending(admin)).toEqual({ '1 scan': 1 });
    await follow(second, 1);
    await postgres.kill();
    await until(
      async () => (await settled(second.follow(unknown, 'scan', noon))) === 'unavailable',
    );
    for (const _ of [1, 2, 3])
      expect(await follow(second, 1)).toMatchObject({ location: destinationOf(1) });
    expect(await second.close()).toBe(0);
    await postgres.start();
    const third = newStore(folder);
    await until(async () => {
      await third.check().catch(() => {});
      return isRecovered(third);
    });
    expect(await pending(admin)).toEqual({ '1 scan': 5 });
  });
});
