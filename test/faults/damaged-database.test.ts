import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { createCipheriv } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, folderWith, launch, serve } = createLaunches();
const seeded = await seed(newPath(), 6);
const good = readFileSync(fileOf(seeded.settledCopyTo(newPath())));

function fileOf(folder: string): string {
  return join(folder, 'waymark.db');
}

/** Returns sizes and hashes of the database and its log, without an empty log. */
function filesOf(folder: string) {
  return readdirSync(folder)
    .filter((name) => name === 'waymark.db' || /^waymark\.db-(wal|journal)$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    .filter(({ name, bytes }) => name === 'waymark.db' || bytes.length > 0)
    .map(({ name, bytes }) => `${name} ${bytes.length} ${Bun.hash(bytes)}`);
}

/**
 * Starts a server on a folder, and expects that a damaged database is not changed.
 *
 * @returns its output if it refused; otherwise whether it serves everything or only redirects
 */
async function start(folder: string): Promise<string> {
  const before = filesOf(folder);
  const server = launch(folder);
  if (!(await server.listening)) {
    expect(await server.ended).toBe(1);
    expect(filesOf(folder)).toEqual(before);
    // One line, and no stack behind it.
    expect(server.output()).toMatch(/^waymark: [^\n]+\n$/m);
    expect(server.output().trim().split('\n').at(-1)).toStartWith('waymark: ');
    return server.output();
  }
  const statuses: number[] = [];
  for (const { code } of seeded.codes)
    statuses.push((await visit(`${server.origin}/${code}`)).status);
  const health = await settledHealth(server);
  const isRedirectOnly = !health.ok;
  for (const status of statuses)
    expect([302, 404, ...(isRedirectOnly ? [503] : [])]).toContain(status);
  if (isRedirectOnly) await expectRedirectOnly(server, health.text);
  await server.stop();
  if (isRedirectOnly) expect(filesOf(folder)).toEqual(before);
  return isRedirectOnly ? 'redirects only' : 'serves';
}

/** Asks for the health until the app has answered, which it does late on a busy machine. */
async function settledHealth({ origin }: Launched): Promise<{ ok: boolean; text: string }> {
  let health = { ok: false, text: '' };
  await until(async () => {
    const response = await fetch(`${origin}/healthz`);
    health = { ok: response.ok, text: await response.text() };
    return !/does not answer|is starting/.test(health.text);
  });
  return health;
}

/** Expects that the server tells of its mode everywhere, with repair before restore. */
async function expectRedirectOnly({ origin, output }: Launched, health: string): Promise<void> {
  const whatToDo = /only redirects.*damaged.*waymark repair --to FILE.*waymark restore FILE/s;
  expect(health).toMatch(whatToDo);
  expect(output()).toMatch(whatToDo);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  for (const condition of ['redirect_only', 'database_damaged'])
    expect(metrics).toContain(`waymark_health{condition="${condition}",severity="problem"} 1\n`);
  const api = await fetch(`${origin}/api/v1/qrs`, {
    headers: { Authorization: `Bearer ${seeded.key}` },
  });
  expect([api.status, await api.json()]).toEqual([
    503,
    { error: { code: 'unavailable', message: expect.stringContaining('only redirects') } },
  ]);
  const panel = await fetch(`${origin}/account`);
  expect(panel.status).toBe(503);
  expect(await panel.text()).toContain('only redirects');
  const front = await fetch(`${origin}/`);
  expect([front.status, await front.text()]).toEqual([200, expect.stringContaining('Waymark')]);
}

async function expectRefused(folder: string, words: RegExp): Promise<void> {
  expect(await start(folder)).toMatch(words);
}

test('an undamaged folder starts, with and without a log', async () => {
  expect(filesOf(seeded.copyTo(newPath()))).toHaveLength(2);
  expect(await start(seeded.copyTo(newPath()))).toBe('serves');
  expect(await start(folderWith(good))).toBe('serves');
});

describe('a damaged database: the start is refused with what to do, and changes nothing', () => {
  // test/stores/open.test.ts has other sizes and bits.
  test.each<[string, () => Uint8Array | string]>([
    ['of garbage', () => randomBytes(good.length)],
    ['cut off in a page', () => good.subarray(0, good.length - 5096)],
    ['of which its header is left', () => good.subarray(0, 100)],
  ])('one %s', async (_, bytes) => {
    await expectRefused(
      folderWith(bytes()),
      /damaged, or not an SQLite.*waymark repair --to FILE.*waymark restore FILE/,
    );
  });

  test('an empty one', async () => {
    await expectRefused(folderWith(''), /is empty.*waymark restore/);
  });

  // Magic, text encoding, page type of the schema.
  test.each([0, 47, 100])('one with a flipped bit in byte %i', async (at) => {
    await expectRefused(folderWith(flipped(at)), /damaged|newer/);
  });
});

describe('a damaged database of which codes can be read: the start redirects only', () => {
  test.each<[string, () => Uint8Array]>([
    ['garbage in the middle', () => spliced(good.length >> 1, randomBytes(4096))],
    ['a page of zeros', () => spliced(4096, new Uint8Array(4096))],
    ['a flipped bit in the free space of the schema', () => flipped(105)],
  ])('with %s', async (_, bytes) => {
    expect(await start(folderWith(bytes()))).toBe('redirects only');
  });

  test('with an unreadable row in the scan log', async () => {
    const folder = seeded.copyTo(newPath());
    const database = new Database(fileOf(folder));
    database.run("INSERT INTO scan_log (hits) VALUES (x'00112233')");
    database.close();
    expect(await start(folder)).toBe('redirects only');
  });

  test('all codes redirect although the index of codes lacks one', async () => {
    const folder = folderWith(good);
    const [{ code = '', destination = '' } = {}] = seeded.codes;
    const bytes = Buffer.from(good);
    bytes.write('zzzzzzzz', good.lastIndexOf(code));
    writeFileSync(fileOf(folder), bytes);
    const server = await serve(folder);
    expect((await visit(`${server.origin}/${code}`)).to).toBe(destination);
    expect((await visit(`${server.origin}/00000000`)).status).toBe(404);
    await server.stop();
  });
});

test('with any flipped bit, the start is refused, redirects only, or all requests are answered', async () => {
  const places = Array.from({ length: 8 }, (_, nth) => Math.floor((good.length / 8.3) * nth) + 61);
  await Promise.all(places.map((at) => start(folderWith(flipped(at)))));
});

describe('a damaged write-ahead log', () => {
  const log = readFileSync(`${fileOf(seeded.copyTo(newPath()))}-wal`);
  const file = readFileSync(fileOf(seeded.copyTo(newPath())));

  test.each<[string, () => Uint8Array]>([
    ['garbage', () => randomBytes(10_000)],
    ['cut off in a frame', () => log.subarray(0, log.length - 1000)],
    ['empty', () => new Uint8Array()],
  ])('%s: the start applies what precedes the damage', async (_, bytes) => {
    expect(await start(folderWith(file, bytes()))).toBe('serves');
  });
});

describe('a command on a damaged database', () => {
  test.each(['account create bob@example.org', 'backup copy.db', 'export --format csv', 'verify'])(
    '%s: is refused and changes nothing',
    async (args) => {
      const folder = folderWith(flipped(100));
      const before = filesOf(folder);
      const { exitCode, stderr } = await command(folder, args);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^waymark: [^\n]+\n$/);
      expect(filesOf(folder)).toEqual(before);
    },
  );
});

describe('a folder without a database', () => {
  test.each(['account list', 'account plan alice@example.org --until never', 'safety recheck'])(
    '%s: reports it, and creates neither',
    async (args) => {
      const folder = newPath();
      const { exitCode, stderr } = await command(folder, args);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^waymark: There is no database in .*waymark serve.*\n$/);
      expect(existsSync(folder)).toBe(false);
    },
  );

  test('account create creates it', async () => {
    const { exitCode } = await command(newPath(), 'account create bob@example.org');
    expect(exitCode).toBe(0);
  });
});

function command(folder: string, args: string) {
  return runProgram(args.split(' '), { cwd: newFolder(), env: { WAYMARK_DATA: folder } });
}

function newFolder(): string {
  const folder = newPath();
  mkdirSync(folder);
  return folder;
}

function flipped(at: number): Uint8Array {
  const bytes = Buffer.from(good);
  bytes[at] = (bytes[at] ?? 0) ^ 0x40;
  return bytes;
}

function spliced(at: number, patch: Uint8Array): Uint8Array {
  const bytes = Buffer.from(good);
  bytes.set(patch, at - (at % 4096));
  return bytes;
}

/** Returns pseudo-random bytes, the same at every call. */
function randomBytes(length: number): Uint8Array {
  const [key, counter] = [Buffer.alloc(16), Buffer.alloc(16)];
  return createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(length));
}
