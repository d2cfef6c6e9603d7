import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { errnoOf } from '../../src/lib/errors.ts';
import { canTrace, intercept } from '../faults/strace.ts';
import { type Copy, createCopy } from '../support/copies.ts';
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import {
  createLoggedProcesses,
  type Env,
  outputOf,
  programCommand,
  programEnv,
} from '../support/program.ts';
import { until } from '../support/until.ts';
import { hasValkey, startValkey } from '../support/valkey.ts';

/**
 * Three copies behind a client that takes one after the other, while copies, PostgreSQL and Valkey are killed, and
 * copies stand still for some seconds.
 * `WAYMARK_CHAOS=full` is the size that results.md reports; it takes some minutes.
 */
const size =
  process.env['WAYMARK_CHAOS'] === 'full'
    ? { redirects: 200_000, edits: 2000, kills: 40, codes: 200 }
    : { redirects: 15_000, edits: 200, kills: 8, codes: 60 };
const scanners = 24;
const editors = 4;
const seed = Number(process.env['WAYMARK_CHAOS_SEED'] ?? Date.now() % 1_000_000);

/** Returns random numbers below 1 (mulberry32). */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A code, and what the client knows of it. */
interface Code {
  readonly code: string;
  /** Redirects that were answered. */
  answered: number;
  /** Requests without a response, or with 503: they may have been counted. */
  uncertain: number;
  /** Destinations end in a version: the highest that was answered, and the highest that was sent. */
  answeredVersion: number;
  sentVersion: number;
}

test.skipIf(!(hasPostgres && hasValkey))(
  `chaos: ${size.redirects} redirects, ${size.edits} edits, ${size.kills} kills, seed ${seed}`,
  async () => {
    const random = createRandom(seed);
    const valkey = await startValkey();
    const more = { WAYMARK_VALKEY_URL: valkey.url };
    await withCopies(3, more, async ({ copies, postgres, log, createKey }) => {
      const key = await createKey();
      let turn = 0;
      /** Why there was no response. */
      const causes: Record<string, number> = {};
      /** Sends a request to the next copy that accepts connections. Returns null if there is no response. */
      const send = async (path: string, init: RequestInit): Promise<Response | null> => {
        for (;;) {
          const copy = copies[turn++ % copies.length];
          try {
            const signal = AbortSignal.timeout(20_000);
            return await fetch(`${copy?.origin}${path}`, {
              redirect: 'manual',
              // Otherwise Bun's fetch silently sends a request again if its connection is reset, and it is counted twice.
              keepalive: false,
              signal,
              ...init,
            });
          } catch (error) {
            const cause = errnoOf(error);
            if (/^(ConnectionRefused|ECONNREFUSED)$/.test(cause)) continue;
            causes[cause] = (causes[cause] ?? 0) + 1;
            return null;
          }
        }
      };
      const api = (method: string, path: string, body?: unknown) =>
        send(`/api/v1/qrs${path}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      const destination = (index: number, version: number) =>
        `https://example.com/${index}?version=${version}`;
      const failures: string[] = [];
      const fail = (text: string) => void failures.push(`${new Date().toISOString()} ${text}`);

      const codes: Code[] = [];
      for (let index = 0; index < size.codes; index++) {
        const created = await api('POST', '', { url: destination(index, 0) });
        if (created?.status !== 201) throw new Error(`create: ${created?.status}`);
        const { code } = (await created.json()) as { code: string };
        codes.push({ code, answered: 0, uncertain: 0, answeredVersion: 0, sentVersion: 0 });
      }

      let redirects = 0;
      let refusals = 0;
      const scan = async () => {
        while (redirects < size.redirects || edits < size.edits || isKilling) {
          redirects++;
          const index = Math.floor(random() * random() * codes.length);
          const one = codes[index];
          if (one === undefined) return;
          const atLeast = one.answeredVersion;
          const response = await send(`/${one.code}`, { headers: { 'User-Agent': 'iPhone' } });
          await response?.arrayBuffer().catch(() => {});
          if (response?.status === 302) {
            one.answered++;
            const location = response.headers.get('location') ?? '';
            const version = Number(location.split('=')[1]);
            if (!location.startsWith(`https://example.com/${index}?`)) fail(`wrong: ${location}`);
            if (version < atLeast) fail(`stale: ${one.code} has ${version} after ${atLeast}`);
            if (version > one.sentVersion) fail(`unsent: ${location}`);
          } else {
            one.uncertain++;
            if (response !== null) refusals++;
            if (response !== null && response.status !== 503) fail(`redirect: ${response.status}`);
            if (response?.status === 503 && !response.headers.has('retry-after'))
              fail('503 without Retry-After');
          }
        }
      };

      let edits = 0;
      const edit = async (editor: number) => {
        while (edits < size.edits || isKilling) {
          const own = Math.floor((random() * codes.length) / editors) * editors + editor;
          const one = codes[own];
          if (one === undefined) continue;
          const version = ++one.sentVersion;
          const response = await api('PATCH', `/${one.code}`, { url: destination(own, version) });
          await response?.arrayBuffer().catch(() => {});
          if (response?.status === 200) {
            one.answeredVersion = version;
            edits++;
          } else if (response !== null && response.status !== 503) fail(`edit: ${response.status}`);
        }
      };

      let isKilling = true;
      /** What was killed or stopped: when, and for how long until all copies were healthy again. */
      const killed: string[] = [];
      const kill = async () => {
        for (let kills = 0; kills < size.kills; kills++) {
          await Bun.sleep(200 + random() * 800);
          const part = ['PostgreSQL', 'copy', 'Valkey', 'stopped copy'][kills % 4] ?? 'copy';
          const atMs = Date.now();
          const copy = copies[Math.floor(random() * copies.length)];
          if (part === 'stopped copy') {
            copy?.pause();
            await Bun.sleep(2000 + random() * 2000);
            copy?.resume();
          } else {
            const victim = { PostgreSQL: postgres, Valkey: valkey }[part] ?? copy;
            await victim?.kill();
            await Bun.sleep(random() * 1500);
            await victim?.start();
          }
          // Scans in the memory of a copy that is killed before it could write them are lost, as docs/scale.md says.
          const restartedMs = performance.now();
          await until(async () => {
            const healthy = await Promise.all(copies.map(({ origin }) => isHealthy(origin)));
            return healthy.every(Boolean);
          });
          const backMs = performance.now() - restartedMs;
          killed.push(`${new Date(atMs).toISOString()} ${part}, ${Date.now() - atMs} ms`);
          if (backMs > 5000) fail(`${part} is back for ${Math.round(backMs)} ms`);
        }
        isKilling = false;
      };

      await Promise.all([
        ...Array.from({ length: scanners }, scan),
        ...Array.from({ length: editors }, (_, editor) => edit(editor)),
        kill(),
      ]);

      let answered = 0;
      let uncertain = 0;
      for (const [index, one] of codes.entries()) {
        const response = await api('GET', `/${one.code}`);
        if (response?.status !== 200) throw new Error(`GET: ${response?.status}`);
        const found = (await response.json()) as {
          scans: number;
          destination: string;
        };
        const version = Number(found.destination.split('=')[1]);
        if (version < one.answeredVersion) fail(`lost: edit ${version} of ${one.code}`);
        if (found.destination !== destination(index, version)) fail(`wrong: ${found.destination}`);
        if (found.scans < one.answered || found.scans > one.answered + one.uncertain)
          fail(`${one.code}: ${found.scans} of ${one.answered} scans (+ ${one.uncertain})`);
        answered += one.answered;
        uncertain += one.uncertain;
      }
      console.log({
        seed,
        killed,
        answered,
        uncertain,
        refusals,
        causes,
        edits,
        failures: failures.length,
      });
      if (failures.length > 0) console.log(log().slice(-4000));
      expect(failures).toEqual([]);
      expect(answered + uncertain).toBeGreaterThanOrEqual(size.redirects);
      expect(edits).toBeGreaterThanOrEqual(size.edits);
    }).finally(valkey.close);
  },
  900_000,
);

test.skipIf(!hasPostgres)(
  'a copy that stood still follows the edits that were answered meanwhile',
  async () => {
    await withCopies(2, {}, async ({ copies, postgres, databaseUrl, createKey }) => {
      const sql = new SQL(databaseUrl);
      const [first, stopped] = copies;
      if (first === undefined || stopped === undefined) throw new Error('no copies');
      const key = await createKey();
      const api = async (method: string, path: string, url: string) => {
        const response = await fetch(`${first.origin}/api/v1/qrs${path}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ url }),
        });
        return (await response.json()) as { code: string };
      };
      const follow = async (code: string) => {
        const response = await fetch(`${stopped.origin}/${code}`, { redirect: 'manual' });
        return response.headers.get('location');
      };
      const requests = Array.from({ length: 20 });
      const { code } = await api('POST', '', 'https://example.com/0');
      const whileStopped: (() => Promise<unknown>)[] = [
        // Longer than the deadline of a statement.
        async () => Bun.sleep(4000),
        async () => {
          await postgres.kill();
          await postgres.start();
        },
      ];
      for (const [index, happen] of whileStopped.entries()) {
        // Twice: the first time, the code is looked up.
        for (const _ of [1, 2])
          expect(await Promise.all(requests.map(() => follow(code)))).toEqual(
            requests.map(() => `https://example.com/${index}`),
          );
        // It stops in the middle of a statement.
        const begun = await sql.begin(async (transaction) => {
          await transaction`LOCK scan_log`;
          const responses = requests.map(() => follow(code));
          await until(async () => (await sql`SELECT FROM pg_locks WHERE NOT granted`).length > 0);
          stopped.pause();
          return { responses };
        });
        await happen();
        const url = `https://example.com/${index + 1}`;
        await until(async () => (await api('PATCH', `/${code}`, url)).code === code);
        const followed = Promise.all(requests.map(() => follow(code)));
        // They wait in the sockets of the copy.
        await Bun.sleep(50);
        stopped.resume();
        await Promise.all(begun.responses);
        expect(await followed).toEqual(requests.map(() => url));
      }
      await sql.close();
    });
  },
  60_000,
);

test.skipIf(!hasPostgres)(
  'every copy follows edits, pauses and commands at once, whatever the path, beside a copy that is stopped',
  async () => {
    await withCopies(3, {}, async ({ copies, folder, command, createKey }) => {
      const [, , stopped] = copies;
      await createKey();
      const paths = [
        'sale now',
        'it\'s "new"',
        'a,b',
        '{menu}',
        '{a,b}',
        'NULL',
        '😀/ü',
        'EVENT200',
        'change 0 0',
      ];
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const rows = paths.map((path) => `${quoted(path)},https://example.com/0`);
      await Bun.write(join(folder, 'links.csv'), ['path,destination', ...rows, ''].join('\n'));
      await command('link', 'import', 'links.csv', '--account', 'copies@example.com');
      const follow = async (copy: Copy, path: string, method = 'GET') => {
        const address = `${copy.origin}/${path.split('/').map(encodeURIComponent).join('/')}`;
        const response = await fetch(address, { redirect: 'manual', method });
        await response.arrayBuffer();
        return response.headers.get('location') ?? response.status;
      };
      const expectAll = async (path: string, result: string | number, asked = copies) => {
        for (const copy of asked)
          for (const method of ['HEAD', 'GET', 'GET'])
            expect([path, await follow(copy, path, method)]).toEqual([path, result]);
      };
      for (const path of paths) await expectAll(path, 'https://example.com/0');
      stopped?.pause();
      const others = copies.slice(0, 2);
      for (const path of paths) {
        await command('code', 'set', path, '--url', 'https://example.com/1');
        await expectAll(path, 'https://example.com/1', others);
      }
      for (const path of paths.slice(4)) {
        await command('code', 'pause', path);
        await expectAll(path, 410, others);
      }
      // Its first requests. They wait in its sockets.
      const first = Promise.all(
        copies.slice(2).flatMap((copy) => paths.map((path) => follow(copy, path))),
      );
      await Bun.sleep(50);
      stopped?.resume();
      expect(await first).toEqual(
        paths.map((_, index) => (index < 4 ? 'https://example.com/1' : 410)),
      );
      for (const path of paths.slice(4)) await command('code', 'resume', path);
      for (const path of paths) await expectAll(path, 'https://example.com/1');
    });
  },
  120_000,
);

test.skipIf(!(hasPostgres && canTrace))(
  'an edit that is committed while PostgreSQL goes away gets 503, because the other copies are not told',
  async () => {
    await withCopies(2, {}, async ({ copies, postgres, databaseUrl, createKey }) => {
      const [first, second] = copies;
      if (first === undefined || second === undefined) throw new Error('no copies');
      const key = await createKey();
      const api = (method: string, path: string, version: number) =>
        fetch(`${first.origin}/api/v1/qrs${path}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ url: `https://example.com/${version}` }),
        });
      const { code } = (await (await api('POST', '', 0)).json()) as { code: string };
      const follow = async () => {
        const response = await fetch(`${second.origin}/${code}`, { redirect: 'manual' });
        return response.headers.get('location');
      };
      for (const _ of [1, 2]) expect(await follow()).toBe('https://example.com/0');
      // The session is busy with its commit while the idle ones notice that PostgreSQL went away, and end.
      await postgres.run(
        databaseUrl,
        `CREATE FUNCTION work() RETURNS trigger LANGUAGE plpgsql AS $$
           DECLARE until_time timestamptz := clock_timestamp() + interval '2 s';
           BEGIN WHILE clock_timestamp() < until_time LOOP END LOOP; RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER work AFTER INSERT ON redirect_steps DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION work()`,
      );
      const sql = new SQL(databaseUrl, { max: 1 });
      const edit = api('PATCH', `/${code}`, 1);
      let pid = 0;
      await until(async () => {
        const [row] =
          await sql`SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query ILIKE 'commit'`;
        pid = Number(row?.pid ?? 0);
        return pid > 0;
      });
      await sql.close();
      // Before it reads its next statement, it stands still for longer than the client needs to send it.
      const detach = await intercept(pid, ['inject=recvfrom:delay_enter=300000'], []);
      await postgres.kill();
      const { status } = await edit;
      await detach();
      expect([status, await follow()]).toEqual([503, 'https://example.com/0']);
    });
  },
  60_000,
);

/** What a test of {@link withCopies} uses. */
interface Copies {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  readonly copies: readonly Copy[];
  log(): string;
  /** Runs a command that must succeed, and returns what it prints. */
  command(...args: string[]): Promise<string>;
  /** Creates the account copies@example.com, and returns its key. */
  createKey(): Promise<string>;
}

/** Runs a test with copies on a PostgreSQL of its own, and ends them. */
async function withCopies(number: number, settings: Env, act: (copies: Copies) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-chaos-'));
  const postgres = await startPostgres({ synchronous_commit: 'on' });
  const databaseUrl = await postgres.createDatabase();
  const env = programEnv({
    WAYMARK_DATABASE_URL: databaseUrl,
    WAYMARK_PUBLIC_URL: 'http://qr.example.com',
    WAYMARK_RATE_LIMIT: '1000000',
    WAYMARK_DATA: folder,
    ...settings,
  });
  const { log, spawn } = createLoggedProcesses(join(folder, 'copies.log'));
  const copies = Array.from({ length: number }, () => createCopy(folder, env, { log, spawn }));
  const command = (...args: string[]) =>
    outputOf([...programCommand(), ...args], { cwd: folder, env });
  const createKey = async () => {
    await command('account', 'create', 'copies@example.com', '--plan-until', '2099-12-31');
    const { key } = JSON.parse(await command('key', 'generate', 'copies@example.com', '--json'));
    return String(key);
  };
  try {
    await Promise.all(copies.map((copy) => copy.start()));
    await act({ folder, postgres, databaseUrl, copies, log, command, createKey });
  } finally {
    await Promise.all(copies.map(({ kill }) => kill()));
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isHealthy(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/healthz`).catch(() => null);
  return response?.status === 200;
}
