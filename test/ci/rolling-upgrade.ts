import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../../package.json';
import { readMigrations } from '../../src/lib/build/migrations.macro.ts';
import { errnoOf } from '../../src/lib/errors.ts';
import { readAnswer } from '../support/api.ts';
import type { Copy } from '../support/copies.ts';
import { hasPostgres } from '../support/postgres.ts';
import type { Env } from '../support/program.ts';
import { until } from '../support/until.ts';
import { withCopies } from './copies/copies.ts';
import { type Code, createTraffic, isRefused, newCode, type Send } from './copies/traffic.ts';

const codeCount = 100;
const scanners = 12;
/** Between two requests of a client, so that the machine is busy but not full. */
const pauseMs = 5;
/** Between two health checks of a copy. */
const healthIntervalMs = 500;
/** Redirects between two steps of the upgrade. */
const redirectsPerPhase = 500;
/** Edits at a copy of one version that are followed at once at a copy of the other, in each direction. */
const followedEdits = 50;

const nextVersion = `${Number(manifest.version.split('.')[0]) + 1}.0.0`;
const nextStep = `ALTER TABLE "qrs" ADD COLUMN "campaign" text DEFAULT 'none' NOT NULL;
--> statement-breakpoint
ALTER TABLE "scan_counters" ADD COLUMN "first_scan" bigint;
--> statement-breakpoint
CREATE TABLE "campaigns" ("name" text PRIMARY KEY);
`;

/** Copies the program to a folder as its next version, which adds to the schema. Returns the command. */
async function makeNextVersion(folder: string): Promise<string[]> {
  const root = resolve(import.meta.dir, '../..');
  mkdirSync(folder);
  for (const name of ['src', 'drizzle', 'tsconfig.json', 'bunfig.toml'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const next = { ...manifest, version: nextVersion };
  await Bun.write(join(folder, 'package.json'), JSON.stringify(next));
  // Steps are sorted by name.
  await Bun.write(join(folder, 'drizzle/postgres/9999_next.sql'), nextStep);
  return [process.execPath, join(folder, 'src/main.ts')];
}

// Copies under load need the optimizing compilers that tests delay.
const settings: Env = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: undefined,
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: undefined,
  BUN_JSC_useOMGJIT: undefined,
};

/**
 * Creates a sender of requests that takes one healthy copy after the other, as a proxy does, and the next one if a copy
 * refuses the connection. Everything else that goes wrong is a failure. A copy that is named is the only one it asks.
 */
function createProxy(copies: readonly Copy[], fail: (text: string) => void) {
  const counts = { refused: 0, slowestMs: 0 };
  let turn = 0;
  let isClosed = false;
  const healthy = new Set(copies);
  const healthChecks = setInterval(() => {
    for (const copy of copies)
      isLive(copy).then((isOk) => void (isOk ? healthy.add(copy) : healthy.delete(copy)));
  }, healthIntervalMs);
  const send: Send<Copy> = async (path, init, copy) => {
    const startMs = performance.now();
    while (!isClosed) {
      const next = [...healthy][turn++ % healthy.size];
      const { origin } = copy ?? next ?? {};
      try {
        const options = {
          redirect: 'manual',
          signal: AbortSignal.timeout(20_000),
          ...init,
        } as const;
        const answer = await readAnswer(await fetch(`${origin}${path}`, options));
        counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - startMs));
        if (answer.status < 400) return answer;
        fail(`${init.method ?? 'GET'} ${path}: ${answer.status}`);
        return null;
      } catch (error) {
        const cause = errnoOf(error) || String(error);
        if (copy !== undefined || !isRefused(cause)) {
          fail(`${init.method ?? 'GET'} ${path}: ${cause}`);
          return null;
        }
        counts.refused++;
      }
    }
    return null;
  };
  const close = () => {
    isClosed = true;
    clearInterval(healthChecks);
  };
  return { counts, send, close };
}

async function isLive({ origin }: Copy): Promise<boolean> {
  const options = { keepalive: false, signal: AbortSignal.timeout(2000) };
  const response = await fetch(`${origin}/healthz/live`, options).catch(() => null);
  return response?.ok === true;
}

async function versionOf({ origin }: Copy): Promise<string | undefined> {
  const response = await fetch(`${origin}/metrics`, { keepalive: false });
  return /^waymark_build_info{version="([^"]+)"/m.exec(await response.text())?.[1];
}

test.skipIf(!hasPostgres)(
  'two copies are replaced by the next version one after the other, and no client fails',
  async () => {
    await withCopies(2, settings, async ({ folder, sql, copies, newCopy, log, ...rest }) => {
      const [first, second] = copies;
      if (first === undefined || second === undefined) throw new Error('no copies');
      const next = await makeNextVersion(join(folder, 'next'));
      const before = await versionOf(first);
      const key = await rest.createKey();
      const codes = (await rest.addCodes(codeCount)).map(newCode);
      const failures: string[] = [];
      const fail = (text: string) => void failures.push(text);
      const proxy = createProxy(copies, fail);
      const traffic = createTraffic(key, proxy.send, fail);
      const expectNoFailures = () => {
        if (failures.length > 0) console.log(log().slice(-4000));
        expect(failures).toEqual([]);
      };

      let isLoaded = true;
      const repeat = async (action: (code: Code) => Promise<unknown>) => {
        while (isLoaded) {
          const code = codes[Math.floor(Math.random() ** 2 * codes.length)];
          if (code !== undefined) await action(code);
          await Bun.sleep(pauseMs);
        }
      };
      const { scan, edit } = traffic;
      const load = [...Array.from({ length: scanners }, () => repeat(scan)), repeat(edit)];
      const redirects = () => codes.reduce((sum, code) => sum + code.redirects, 0);
      const moreRedirects = async () => {
        const enough = redirects() + redirectsPerPhase;
        await until(() => redirects() >= enough);
      };
      const replace = async (copy: Copy) => {
        expect(await copy.stop()).toBe(0);
        await copy.start(next);
        expect(await versionOf(copy)).toBe(nextVersion);
      };
      const followAtEachOther = async (code: Code, one: Copy, other: Copy) => {
        await edit(code, one);
        await scan(code, other);
        await edit(code, other);
        await scan(code, one);
      };

      try {
        await moreRedirects();
        await replace(first);
        // Not edited by the load.
        const own = [await traffic.create(0, first), await traffic.create(1, second)] as const;
        for (let edits = 0; edits < followedEdits; edits++)
          await followAtEachOther(own[edits % 2 === 0 ? 0 : 1], first, second);
        expect(await versionOf(second)).toBe(before);
        await moreRedirects();
        await replace(second);
        await moreRedirects();
        isLoaded = false;
        await Promise.all(load);
        expectNoFailures();

        const steps = readMigrations('drizzle/postgres').length + 1;
        expect(await sql`SELECT schema_version::int AS steps FROM waymark`).toEqual([{ steps }]);
        const all = codes.length + own.length;
        const added = await sql`SELECT count(*)::int AS all FROM qrs WHERE campaign = 'none'`;
        expect(added).toEqual([{ all }]);

        // Back to the version before: the step only adds.
        const third = newCopy();
        await third.start();
        expect(await versionOf(third)).toBe(before);
        for (const code of own) await followAtEachOther(code, first, third);
        expect(await third.stop()).toBe(0);

        for (const code of [...codes, ...own]) await traffic.check(code);
        console.log({ ...proxy.counts, redirects: redirects() });
        expectNoFailures();
      } finally {
        isLoaded = false;
        proxy.close();
      }
    });
  },
  120_000,
);

test.skipIf(!hasPostgres)(
  'a link that a copy of 1.1.0 imports is soon found by its folded path',
  async () => {
    await withCopies(1, {}, async ({ folder, sql, copies, command, createKey }) => {
      const [copy] = copies;
      if (copy === undefined) throw new Error('no copy');
      await createKey();
      const table = join(folder, 'links.csv');
      await Bun.write(table, 'path,destination\nFloor/Caf\u00c9,https://example.com/menu\n');
      await command('link', 'import', table, '--account', 'copies@example.com');
      const folded = ['floor/caf%C3%A9', 'FLOOR/CAFE%CC%81'];
      const locations = () =>
        Promise.all(
          folded.map(async (path) => {
            const options = { redirect: 'manual', keepalive: false } as const;
            return (await fetch(`${copy.origin}/${path}`, options)).headers.get('location');
          }),
        );
      const found = folded.map(() => 'https://example.com/menu');
      expect(await locations()).toEqual(found);
      // As 1.1.0 stores it, which does not know the columns.
      await sql`UPDATE qrs SET folded_code = NULL, name = 'Table 7', name_key = '2'`;
      expect(await locations()).toEqual(folded.map(() => null));
      await until(async () => (await locations()).every(Boolean));
      expect(await locations()).toEqual(found);
      expect(await sql`SELECT DISTINCT name_key = '2' AS missing FROM qrs`).toEqual([
        { missing: false },
      ]);
    });
  },
  120_000,
);
