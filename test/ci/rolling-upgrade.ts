import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SQL } from 'bun';
import manifest from '../../package.json';
import { readMigrations } from '../../src/lib/build/migrations.macro.ts';
import { errnoOf } from '../../src/lib/errors.ts';
import { type Copy, createCopy } from '../support/copies.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { createLoggedProcesses, type Env, runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

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

/** A code, and what the client knows of it. */
interface Code {
  readonly code: string;
  /** Redirects that were answered. */
  answered: number;
  /** Destinations end in a version: the highest that was answered, and the highest that was sent. */
  answeredVersion: number;
  sentVersion: number;
}

const newCode = (code: string): Code => ({
  code,
  answered: 0,
  answeredVersion: 0,
  sentVersion: 0,
});
const destinationOf = (version: number) => `https://example.com/?version=${version}`;

/**
 * Creates a client that takes one healthy copy after the other, as a proxy does, and the next one if a copy refuses
 * the connection. Everything else that goes wrong is a failure.
 */
function createClient(copies: readonly Copy[], key: string) {
  const failures: string[] = [];
  const counts = { redirects: 0, edits: 0, refused: 0, slowestMs: 0 };
  let turn = 0;
  let isLoaded = false;
  let isClosed = false;
  let load: Promise<unknown> = Promise.resolve();
  const healthy = new Set(copies);
  const healthChecks = setInterval(() => {
    for (const copy of copies)
      isLive(copy).then((isOk) => void (isOk ? healthy.add(copy) : healthy.delete(copy)));
  }, healthIntervalMs);

  /** @param copy is the only one to ask; default is the next that accepts the connection */
  const send = async (path: string, init: RequestInit, copy?: Copy): Promise<Response | null> => {
    const startMs = performance.now();
    while (!isClosed) {
      const next = [...healthy][turn++ % healthy.size];
      const { origin } = copy ?? next ?? {};
      try {
        const signal = AbortSignal.timeout(20_000);
        const response = await fetch(`${origin}${path}`, { redirect: 'manual', signal, ...init });
        counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - startMs));
        return response;
      } catch (error) {
        const cause = errnoOf(error) || String(error);
        const isRefused = /^(ConnectionRefused|ECONNREFUSED)$/.test(cause);
        if (copy !== undefined || !isRefused) {
          failures.push(`${init.method ?? 'GET'} ${path}: ${cause}`);
          return null;
        }
        counts.refused++;
      }
    }
    return null;
  };
  const api = async (method: string, path: string, body?: unknown, copy?: Copy) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await send(`/api/v1/qrs${path}`, { method, headers, ...content }, copy);
    return { status: response?.status, json: await response?.json() };
  };

  const edit = async (code: Code, copy?: Copy): Promise<void> => {
    const version = ++code.sentVersion;
    const { status } = await api('PATCH', `/${code.code}`, { url: destinationOf(version) }, copy);
    if (status !== 200) return void failures.push(`edit: ${status}`);
    code.answeredVersion = version;
    counts.edits++;
  };
  const scan = async (code: Code, copy?: Copy): Promise<void> => {
    const atLeast = code.answeredVersion;
    const response = await send(`/${code.code}`, { headers: { 'User-Agent': 'iPhone' } }, copy);
    if (response === null) return;
    await response.arrayBuffer();
    if (response.status !== 302) return void failures.push(`redirect: ${response.status}`);
    code.answered++;
    counts.redirects++;
    const location = response.headers.get('location') ?? '';
    const version = Number(location.split('=')[1]);
    if (location !== destinationOf(version)) failures.push(`wrong: ${location}`);
    if (version < atLeast) failures.push(`stale: ${version} after ${atLeast}`);
    if (version > code.sentVersion) failures.push(`unsent: ${version}`);
  };

  return {
    failures,
    counts,
    edit,
    scan,
    create: async (copy: Copy): Promise<Code> => {
      const { status, json } = await api('POST', '', { url: destinationOf(0) }, copy);
      if (status !== 201) failures.push(`create: ${status}`);
      return newCode(json?.code);
    },
    read: async ({ code }: Code): Promise<unknown> => (await api('GET', `/${code}`)).json,
    /** Scans and edits codes until `stopLoad`. */
    startLoad: (codes: readonly Code[]): void => {
      isLoaded = true;
      const repeat = async (action: (code: Code) => Promise<void>) => {
        while (isLoaded) {
          const code = codes[Math.floor(Math.random() ** 2 * codes.length)];
          if (code !== undefined) await action(code);
          await Bun.sleep(pauseMs);
        }
      };
      load = Promise.all([...Array.from({ length: scanners }, () => repeat(scan)), repeat(edit)]);
    },
    /** Resolves when all requests are answered. */
    stopLoad: async (): Promise<void> => {
      isLoaded = false;
      await load;
    },
    /** Gives up what is not answered. */
    close: (): void => {
      isLoaded = false;
      isClosed = true;
      clearInterval(healthChecks);
    },
  };
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
    const folder = mkdtempSync(join(tmpdir(), 'waymark-upgrade-'));
    const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
    try {
      const postgres = await startPostgres({ synchronous_commit: 'on' });
      closing.unshift(postgres.close);
      const url = await postgres.createDatabase();
      const sql = new SQL(url, { max: 1 });
      closing.unshift(() => sql.close());
      const env: Env = {
        WAYMARK_DATABASE_URL: url,
        WAYMARK_PUBLIC_URL: 'http://qr.example.com',
        WAYMARK_RATE_LIMIT: '1000000',
        // Copies under load need the optimizing compilers that tests delay.
        BUN_JSC_thresholdForOptimizeAfterWarmUp: undefined,
        BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: undefined,
        BUN_JSC_useOMGJIT: undefined,
      };
      const processes = createLoggedProcesses(join(folder, 'copies.log'));
      const newCopy = () => {
        const copy = createCopy(folder, env, processes);
        closing.unshift(copy.kill);
        return copy;
      };
      const command = async (...args: string[]) => {
        const { exitCode, stdout, stderr } = await runProgram(args, { cwd: folder, env });
        if (exitCode !== 0) throw new Error(stderr);
        return stdout;
      };

      const next = await makeNextVersion(join(folder, 'next'));
      const [first, second] = [newCopy(), newCopy()];
      await Promise.all([first.start(), second.start()]);
      const before = await versionOf(first);
      await command('account', 'create', 'upgrade@example.com', '--plan-until', '2099-12-31');
      const { key } = JSON.parse(await command('key', 'generate', 'upgrade@example.com', '--json'));
      await sql.unsafe(`
        INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
          SELECT lpad(number::text, 8, '0'), 1, 1, 'https://qr.example.com/' || lpad(number::text, 8, '0'), '${destinationOf(0)}', 0, ''
          FROM generate_series(1, ${codeCount}) AS number;
        UPDATE accounts SET qr_count = ${codeCount}`);
      const codes = Array.from({ length: codeCount }, (_, index) =>
        newCode(String(index + 1).padStart(8, '0')),
      );

      const client = createClient([first, second], key);
      closing.unshift(client.close);
      client.startLoad(codes);
      const expectNoFailures = () => {
        if (client.failures.length > 0) console.log(processes.log().slice(-4000));
        expect(client.failures).toEqual([]);
      };
      const moreRedirects = async () => {
        const enough = client.counts.redirects + redirectsPerPhase;
        await until(() => client.counts.redirects >= enough);
      };
      const replace = async (copy: Copy) => {
        expect(await copy.stop()).toBe(0);
        await copy.start(next);
        expect(await versionOf(copy)).toBe(nextVersion);
      };

      await moreRedirects();
      await replace(first);
      // Not edited by the load.
      const own = [await client.create(first), await client.create(second)] as const;
      const followAtEachOther = async (code: Code, one: Copy, other: Copy) => {
        await client.edit(code, one);
        await client.scan(code, other);
        await client.edit(code, other);
        await client.scan(code, one);
      };
      for (let edits = 0; edits < followedEdits; edits++)
        await followAtEachOther(own[edits % 2 === 0 ? 0 : 1], first, second);
      expect(await versionOf(second)).toBe(before);
      await moreRedirects();
      await replace(second);
      await moreRedirects();
      await client.stopLoad();
      expectNoFailures();

      const steps = readMigrations('drizzle/postgres').length + 1;
      expect(await sql`SELECT schema_version::int AS steps FROM waymark`).toEqual([{ steps }]);
      const all = codes.length + own.length;
      expect(await sql`SELECT count(*)::int AS all FROM qrs WHERE campaign = 'none'`).toEqual([
        { all },
      ]);

      // Back to the version before: the step only adds.
      const third = newCopy();
      await third.start();
      expect(await versionOf(third)).toBe(before);
      for (const code of own) await followAtEachOther(code, first, third);
      expect(await third.stop()).toBe(0);

      for (const code of [...codes, ...own])
        expect(await client.read(code)).toMatchObject({
          scans: code.answered,
          destination: destinationOf(code.answeredVersion),
        });
      console.log(client.counts);
      expectNoFailures();
    } finally {
      for (const close of closing) await close();
    }
  },
  120_000,
);
