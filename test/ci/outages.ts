import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { Copy } from '../support/copies.ts';
import { hasPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { type Copies, isHealthy, withCopies } from './copies/copies.ts';

/**
 * The table of docs/scale.md, "What happens in which failure": each failure is played on two copies, whose codes are
 * followed all the time. Every redirect is right and counted once, and the longest one is bounded. The figures are
 * printed.
 */

const codeCount = 20;
const scanIntervalMs = 20;
const statusIntervalMs = 100;
const outageMs = 3000;
/** Of a redirect, on a machine that is busy with other tests. On a quiet one it is 100 ms, as the document says. */
const longestMs = 1500;

/** Of `/healthz` and `/metrics`, which answer from what is known. On a quiet machine it is 100 ms too. */
const longestStatusMs = 1500;
/** What one copy opens beside its connections at rest. */
const furtherConnections = 5;

interface Deps extends Copies {
  readonly admin: SQL;
  /** Has the URL of the database. */
  readonly urlFile: string;
}

/** Begins a failure, and returns what ends it. */
type Outage = (deps: Deps) => Promise<() => Promise<unknown>>;

const lock =
  (tables: string): Outage =>
  async ({ admin }) => {
    const session = await admin.reserve();
    await session.unsafe(`BEGIN; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`).simple();
    return async () => {
      await session.unsafe('ROLLBACK');
      session.release();
    };
  };
const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';
const nameOf = (url: string) => new URL(url).pathname.slice(1);

const outages: Record<string, Outage> = {
  'scan_log is locked': lock('scan_log'),
  'redirect_version is locked': lock('redirect_version'),
  'qrs is locked': lock('qrs'),
  'all tables of redirects are locked': lock(
    'qrs, flags, scan_log, redirect_version, hit_progress',
  ),
  'PostgreSQL is killed': async ({ postgres }) => {
    await postgres.kill();
    return postgres.start;
  },
  'PostgreSQL is killed and started at once': async ({ postgres }) => {
    await postgres.kill();
    await postgres.start();
    return async () => {};
  },
  'PostgreSQL stands still': async ({ admin }) => {
    const pids = await processesOf(admin);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return async () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    };
  },
  'no connection is left': async ({ admin, databaseUrl }) => {
    const name = nameOf(databaseUrl);
    await admin.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.unsafe(others, [name]);
    return () => admin.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  },
  'the password is another': async ({ admin, databaseUrl }) => {
    await admin.unsafe("ALTER ROLE waymark PASSWORD 'another'");
    await admin.unsafe(others, [nameOf(databaseUrl)]);
    return () => admin.unsafe("ALTER ROLE waymark PASSWORD 'secret-of-the-test'");
  },
  'PostgreSQL is read-only': async ({ admin }) => {
    await admin.unsafe('ALTER SYSTEM SET default_transaction_read_only = on');
    await admin.unsafe('SELECT pg_reload_conf()');
    return async () => {
      await admin.unsafe('SET default_transaction_read_only = off');
      await admin.unsafe('ALTER SYSTEM RESET default_transaction_read_only');
      await admin.unsafe('SELECT pg_reload_conf()');
    };
  },
  'PostgreSQL is away, and a copy is killed and started again': async ({ postgres, copies }) => {
    await postgres.kill();
    await Bun.sleep(outageMs / 2);
    await copies[1]?.kill();
    return async () => {
      await postgres.start();
      await copies[1]?.start();
    };
  },
  'PostgreSQL is away, and a copy is stopped and started again': async ({ postgres, copies }) => {
    await postgres.kill();
    await Bun.sleep(outageMs / 2);
    await copies[1]?.stop();
    return async () => {
      await postgres.start();
      await copies[1]?.start();
    };
  },
  // The last one, because the session that repairs the others has the former password.
  'the password is rotated, also in the file of the copies': async (deps) => {
    const { admin, databaseUrl, urlFile } = deps;
    await admin.unsafe("ALTER ROLE waymark PASSWORD 'rotated'");
    await admin.unsafe(others, [nameOf(databaseUrl)]);
    const rotated = Object.assign(new URL(databaseUrl), { password: 'rotated' }).href;
    return () => Bun.write(urlFile, rotated);
  },
};

test.skipIf(!hasPostgres)(
  'every failure of the table costs what the document says',
  async () => {
    await withCopies(0, {}, async (all) => {
      const { folder, newCopy, databaseUrl, addCodes, createKey, log } = all;
      const urlFile = join(folder, 'database-url');
      await Bun.write(urlFile, databaseUrl);
      const settings = { WAYMARK_DATABASE_URL: '', WAYMARK_DATABASE_URL_FILE: urlFile };
      const copies = [newCopy(settings), newCopy(settings)];
      for (const copy of copies) await copy.start();
      const areHealthy = async () => (await Promise.all(copies.map(isHealthy))).every(Boolean);
      await until(areHealthy);
      const deps = { ...all, copies, urlFile };
      await createKey();
      const codes = await addCodes(codeCount);
      // In another database, so that its session is none of those that a failure ends.
      const admin = new SQL(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href, {
        max: 1,
      });
      const passwordNow = () => new URL(readFileSync(urlFile, 'utf8')).password;
      const onDatabase = new SQL(databaseUrl, { max: 1, password: passwordNow });
      let answered = 0;
      let uncertain = 0;
      const failures: string[] = [];
      const follow = async (copy: Copy, code: string): Promise<number> => {
        const startMs = performance.now();
        const response = await fetch(`${copy.origin}/${code}`, {
          redirect: 'manual',
          keepalive: false,
          headers: { 'User-Agent': 'iPhone' },
        }).catch(() => null);
        const location = response?.headers.get('location') ?? null;
        if (response === null) uncertain++;
        else if (location?.endsWith('?version=0')) answered++;
        else failures.push(`${response.status} ${location}`);
        return response === null ? 0 : performance.now() - startMs;
      };
      const connections = async () => {
        const count = 'SELECT count(*)::int FROM pg_stat_activity WHERE datname = $1';
        const [row] = await admin.unsafe(count, [nameOf(databaseUrl)]);
        return Number(row.count);
      };
      const scansIn = async () => {
        const [row] = await onDatabase.unsafe(
          `SELECT (SELECT coalesce(sum(scans), 0) FROM scan_counters)::int
             + (SELECT coalesce(sum(hits), 0) FROM pending_hits)::int AS scans`,
        );
        return Number(row.scans);
      };

      const figures: Record<string, unknown>[] = [];
      for (const [name, begin] of Object.entries(outages)) {
        // A copy that was started again has no code in memory.
        for (const copy of copies) for (const code of codes) await follow(copy, code);
        let isOver = false;
        let longest = 0;
        let longestStatus = 0;
        const scan = async (copy: Copy) => {
          for (let index = 0; !isOver; index++) {
            longest = Math.max(longest, await follow(copy, codes[index % codeCount] ?? ''));
            await Bun.sleep(scanIntervalMs);
          }
        };
        const askStatus = async (copy: Copy) => {
          while (!isOver) {
            for (const path of ['/healthz', '/metrics']) {
              const startMs = performance.now();
              const response = await fetch(`${copy.origin}${path}`).catch(() => null);
              await response?.text();
              longestStatus = Math.max(longestStatus, performance.now() - startMs);
              if (response !== null && ![200, 503].includes(response.status))
                failures.push(`${name}: ${path} ${response.status}`);
            }
            await Bun.sleep(statusIntervalMs);
          }
        };
        const atRest = await connections();
        const scanning = Promise.all([...copies.map(scan), ...copies.map(askStatus)]);
        const target = name.includes('locked') ? onDatabase : admin;
        const end = await begin({ ...deps, admin: target });
        await Bun.sleep(outageMs);
        const waiting = await Promise.all(copies.map(waitingOf));
        await end();
        const endedMs = performance.now();
        let most = 0;
        await until(async () => {
          most = Math.max(most, await connections().catch(() => 0));
          return areHealthy();
        });
        const backMs = performance.now() - endedMs;
        isOver = true;
        await scanning;
        await until(async () => {
          const scans = await scansIn().catch(() => 0);
          return scans >= answered && scans <= answered + uncertain;
        }).catch(async () => {
          failures.push(`${name}: ${await scansIn()} scans of ${answered} (+ ${uncertain})`);
        });
        figures.push({
          name,
          longestMs: Math.round(longest),
          statusMs: Math.round(longestStatus),
          waiting,
          backMs: Math.round(backMs),
          more: most - atRest,
        });
        if (longestStatus > longestStatusMs)
          failures.push(`${name}: /healthz or /metrics took ${longestStatus} ms`);
        if (most > atRest + furtherConnections * copies.length)
          failures.push(`${name}: ${most} connections, ${atRest} at rest`);
        if (longest > longestMs) failures.push(`${name}: a redirect took ${longest} ms`);
      }
      console.table(figures);
      if (failures.length > 0) console.log(log().slice(-4000));
      await admin.close();
      await onDatabase.close();
      expect(failures).toEqual([]);
    });
  },
  600_000,
);

/** Returns how many hits wait at a copy. */
async function waitingOf({ origin }: Copy): Promise<number | null> {
  const response = await fetch(`${origin}/metrics`).catch(() => null);
  const value = /^waymark_scans_waiting (\d+)$/m.exec((await response?.text()) ?? '')?.[1];
  return value === undefined ? null : Number(value);
}

/** Returns the ids of the postmaster and its processes. */
async function processesOf(admin: SQL): Promise<number[]> {
  const [row] = await admin.unsafe('SHOW data_directory');
  const first = await Bun.file(`${row.data_directory}/postmaster.pid`).text();
  const postmaster = Number.parseInt(first, 10);
  const children = Bun.spawnSync(['pgrep', '-P', String(postmaster)]).stdout.toString();
  return [postmaster, ...children.split('\n').filter(Boolean).map(Number)];
}
