import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { errnoOf } from '../../src/lib/errors.ts';
import { chanceOf } from '../bench/readability/chance.ts';
import { canTrace, intercept } from '../faults/strace.ts';
import { createApi, readAnswer } from '../support/api.ts';
import type { Copy } from '../support/copies.ts';
import { startFlakyProxy } from '../support/flaky-proxy.ts';
import { hasPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { isHealthy, withCopies } from './copies/copies.ts';
import { planChanges, waitingPlans, wrongPlans } from './copies/plans.ts';
import { type Code, createTraffic, isRefused, type Send } from './copies/traffic.ts';

/**
 * Three copies behind a client that takes one after the other, while copies and PostgreSQL are killed, and copies stand
 * still for some seconds. Planned changes are due meanwhile: none is lost, none is made twice.
 * `WAYMARK_CHAOS=full` is the size that results.md reports; it takes some minutes.
 */
const size =
  process.env['WAYMARK_CHAOS'] === 'full'
    ? { redirects: 200_000, edits: 2000, kills: 40, codes: 200, planned: 400 }
    : { redirects: 15_000, edits: 200, kills: 8, codes: 60, planned: 40 };
// Some of the kills happen before, between and after the planned changes.
const plansMs = size.kills * 2500;
const scanners = 24;
const editors = 4;
const seed = Number(process.env['WAYMARK_CHAOS_SEED'] ?? Date.now() % 1_000_000);

test.skipIf(!hasPostgres)(
  `chaos: ${size.redirects} redirects, ${size.edits} edits, ${size.kills} kills, seed ${seed}`,
  async () => {
    const random = chanceOf(seed).unit;
    await withCopies(3, {}, async ({ copies, postgres, sql, log, createKey }) => {
      const key = await createKey();
      let turn = 0;
      /** Why there was no response. */
      const causes: Record<string, number> = {};
      let refusals = 0;
      const failures: string[] = [];
      const fail = (text: string) => void failures.push(`${new Date().toISOString()} ${text}`);
      /** Sends a request to the next copy that accepts connections. It may be refused with 503. */
      const send: Send<Copy> = async (path, init) => {
        for (;;) {
          const copy = copies[turn++ % copies.length];
          try {
            const signal = AbortSignal.timeout(20_000);
            // Otherwise Bun's fetch silently sends a request again if its connection is reset, and it is counted twice.
            const options: RequestInit = { redirect: 'manual', keepalive: false, signal, ...init };
            const answer = await readAnswer(await fetch(`${copy?.origin}${path}`, options));
            if (answer.status < 400) return answer;
            refusals++;
            if (answer.status !== 503) fail(`${init.method ?? 'scan'}: ${answer.status}`);
            else if (!answer.headers.has('retry-after')) fail('503 without Retry-After');
            return null;
          } catch (error) {
            const cause = errnoOf(error);
            if (isRefused(cause)) continue;
            causes[cause] = (causes[cause] ?? 0) + 1;
            return null;
          }
        }
      };
      const traffic = createTraffic(key, send, fail);

      const codes: Code[] = [];
      for (let index = 0; index < size.codes; index++) codes.push(await traffic.create(index));
      const api = createApi(copies[0]?.origin ?? '', key);
      const planned = await planChanges({ api, sql }, { codes: size.planned, withinMs: plansMs });
      let redirects = 0;
      const scan = async () => {
        while (redirects < size.redirects || edits < size.edits || isKilling) {
          redirects++;
          const one = codes[Math.floor(random() * random() * codes.length)];
          if (one !== undefined) await traffic.scan(one);
        }
      };
      let edits = 0;
      /** Edits codes that no other editor edits. */
      const edit = async (editor: number) => {
        while (edits < size.edits || isKilling) {
          const own = Math.floor((random() * codes.length) / editors) * editors + editor;
          const one = codes[own];
          if (one !== undefined && (await traffic.edit(one))) edits++;
        }
      };

      let isKilling = true;
      /** What was killed or stopped: when, and for how long until all copies were healthy again. */
      const killed: string[] = [];
      const kill = async () => {
        for (let kills = 0; kills < size.kills; kills++) {
          await Bun.sleep(200 + random() * 800);
          const part = ['PostgreSQL', 'copy', 'stopped copy'][kills % 3] ?? 'copy';
          const atMs = Date.now();
          const copy = copies[Math.floor(random() * copies.length)];
          if (part === 'stopped copy') {
            copy?.pause();
            await Bun.sleep(2000 + random() * 2000);
            copy?.resume();
          } else {
            const victim = part === 'PostgreSQL' ? postgres : copy;
            await victim?.kill();
            await Bun.sleep(random() * 1500);
            await victim?.start();
          }
          // Scans in the memory of a copy that is killed before it could write them are lost, as docs/scale.md says.
          const restartedMs = performance.now();
          await until(async () => {
            const healthy = await Promise.all(copies.map(isHealthy));
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

      for (const one of codes) await traffic.check(one);
      await until(async () => (await waitingPlans(sql)) === 0);
      for (const wrong of await wrongPlans(sql, planned)) fail(`planned changes of ${wrong}`);
      const sum = (part: 'redirects' | 'uncertain') =>
        codes.reduce((total, one) => total + one[part], 0);
      const [answered, uncertain] = [sum('redirects'), sum('uncertain')];
      console.log({ seed, killed, answered, uncertain, refusals, causes, edits });
      if (failures.length > 0) console.log(log().slice(-4000));
      expect(failures).toEqual([]);
      expect(answered + uncertain).toBeGreaterThanOrEqual(size.redirects);
      expect(edits).toBeGreaterThanOrEqual(size.edits);
    });
  },
  900_000,
);

test.skipIf(!hasPostgres)(
  'copies admit 60 requests of a key in a minute together, also when some of them are killed',
  async () => {
    await withCopies(3, { WAYMARK_RATE_LIMIT: '60' }, async ({ copies, createKey }) => {
      const key = await createKey();
      const statuses: number[] = [];
      const ask = async (copy: Copy) => {
        const headers = { Authorization: `Bearer ${key}` };
        const { status } = await fetch(`${copy.origin}/api/v1/qrs`, { headers });
        statuses.push(status);
      };
      const askAll = (asked: readonly Copy[], times: number) =>
        Promise.all(Array.from({ length: times }, () => asked.map(ask)).flat());
      await askAll(copies, 10);
      const [first, ...others] = copies;
      await first?.kill();
      await askAll(others, 10);
      await first?.start();
      await Promise.all(others.map((copy) => copy.kill()));
      await askAll(copies.slice(0, 1), 30);
      expect(Object.groupBy(statuses, String)).toMatchObject({
        200: Array.from({ length: 60 }, () => 200),
        429: Array.from({ length: 20 }, () => 429),
      });
    });
  },
  120_000,
);

test.skipIf(!hasPostgres)(
  'a copy that stood still follows the edits that were answered meanwhile',
  async () => {
    await withCopies(1, {}, async ({ copies, newCopy, postgres, databaseUrl, sql, createKey }) => {
      const [first] = copies;
      if (first === undefined) throw new Error('no copies');
      const proxy = await startFlakyProxy(postgres);
      const behind = Object.assign(new URL(databaseUrl), { port: proxy.port }).href;
      const stopped = newCopy({ WAYMARK_DATABASE_URL: behind });
      await stopped.start();
      await until(() => isHealthy(stopped));
      const api = createApi(first.origin, await createKey());
      const requests = Array.from({ length: 20 });
      const { code } = await api.create('https://example.com/0');
      const whileStopped: (() => Promise<unknown>)[] = [
        // Longer than the deadline of a statement.
        async () => Bun.sleep(4000),
        async () => {
          // Longer than a redirect from memory waits.
          proxy.delayConnections(150);
          await postgres.kill();
          await postgres.start();
        },
      ];
      for (const [index, happen] of whileStopped.entries()) {
        // Twice: the first time, the code is looked up.
        for (const _ of [1, 2])
          expect(await Promise.all(requests.map(() => follow(stopped, code)))).toEqual(
            requests.map(() => `https://example.com/${index}`),
          );
        // It stops in the middle of a statement.
        const begun = await sql.begin(async (transaction) => {
          await transaction`LOCK scan_log`;
          const responses = requests.map(() => follow(stopped, code));
          await until(async () => (await sql`SELECT FROM pg_locks WHERE NOT granted`).length > 0);
          stopped.pause();
          return { responses };
        });
        await happen();
        const url = `https://example.com/${index + 1}`;
        // It is not answered as documented while PostgreSQL starts.
        const edit = () => api.call(`PATCH /qrs/${code}`, { url });
        await until(() =>
          edit().then(
            ({ status }) => status === 200,
            () => false,
          ),
        );
        const followed = Promise.all(requests.map(() => follow(stopped, code)));
        // They wait in the sockets of the copy.
        await Bun.sleep(50);
        stopped.resume();
        await Promise.all(begun.responses);
        expect(await followed).toEqual(requests.map(() => url));
      }
      proxy.close();
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
    await withCopies(2, {}, async ({ copies, postgres, sql, createKey }) => {
      const [first, second] = copies;
      if (first === undefined || second === undefined) throw new Error('no copies');
      const key = await createKey();
      const { code } = await createApi(first.origin, key).create('https://example.com/0');
      for (const _ of [1, 2]) expect(await follow(second, code)).toBe('https://example.com/0');
      // The session is busy with its commit while the idle ones notice that PostgreSQL went away, and end.
      await sql.unsafe(
        `CREATE FUNCTION work() RETURNS trigger LANGUAGE plpgsql AS $$
           DECLARE until_time timestamptz := clock_timestamp() + interval '2 s';
           BEGIN WHILE clock_timestamp() < until_time LOOP END LOOP; RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER work AFTER INSERT ON redirect_steps DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION work()`,
      );
      const edit = fetch(`${first.origin}/api/v1/qrs/${code}`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify({ url: 'https://example.com/1' }),
      });
      let pid = 0;
      await until(async () => {
        const [row] =
          await sql`SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query ILIKE 'commit'`;
        pid = Number(row?.pid ?? 0);
        return pid > 0;
      });
      // Before it reads its next statement, it stands still for longer than the client needs to send it.
      const detach = await intercept(pid, ['inject=recvfrom:delay_enter=300000'], []);
      await postgres.kill();
      const { status } = await edit;
      await detach();
      expect([status, await follow(second, code)]).toEqual([503, 'https://example.com/0']);
    });
  },
  60_000,
);

/** Follows a path on a kept connection. Returns the destination, or the status without one. */
async function follow({ origin }: Copy, path: string, method = 'GET'): Promise<string | number> {
  const address = `${origin}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const response = await fetch(address, { redirect: 'manual', method });
  await response.arrayBuffer();
  return response.headers.get('location') ?? response.status;
}
