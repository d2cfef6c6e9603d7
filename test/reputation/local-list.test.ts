import { afterAll, expect, test } from 'bun:test';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {
  appendFile,
  readdir,
  readFile,
  readlink,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { putInPlace } from '../../src/lib/atomic-write-async.ts';
import { importPieces, removeList } from '../../src/reputation/lists/import.ts';
import { readListFile, writeListFile } from '../../src/reputation/lists/list-file.ts';
import { keepAsPrevious, listPaths } from '../../src/reputation/lists/list-store.ts';
import { openLocalList } from '../../src/reputation/lists/local-list.ts';
import { block, remove } from '../../src/reputation/rules.ts';
import { hashOf } from '../../src/reputation/url/expressions.ts';
import { decidedBy } from './decided-by.ts';
import { freshFolder, importText, nowMs, removeFolders } from './folder.ts';

afterAll(removeFolders);

test('without any list the published test addresses are flagged, and nothing else', async () => {
  const local = openLocalList(join(await freshFolder(), 'never', 'made'));
  for (const url of [
    'https://testsafebrowsing.appspot.com/s/malware.html',
    'http://testsafebrowsing.appspot.com/s/phishing.html',
    'http://testsafebrowsing.appspot.com/apiv4/ANY_PLATFORM/SOCIAL_ENGINEERING/URL/',
    'http://malware.testing.google.test/testing/malware/',
  ]) {
    expect(await decidedBy(local, url)).toStartWith('block by built-in');
  }
  expect(await decidedBy(local, 'https://testsafebrowsing.appspot.com/')).toBeNull();
  expect(await decidedBy(local, 'https://www.appspot.com/s/malware.html')).toBeNull();
  expect(local.status()).toEqual({ lists: [], allowed: 0, blocked: 0, damagedRules: [] });
});

test('an import shows at the next check, replaces its source alone and survives a restart', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  expect(await decidedBy(local, 'http://evil.example')).toBeNull();
  await importText(folder, 'First', 'evil.example\nstays.example');
  expect(await decidedBy(local, 'http://evil.example')).toBe('block by first: evil.example/');
  await importText(folder, 'second', 'other.example', { nowMs: nowMs + 1 });
  const report = await importText(folder, 'first', 'stays.example\nnew.example', {
    nowMs: nowMs + 2,
  });
  expect(report.replaced).toEqual({ entries: 2, importedAtMs: nowMs });
  expect(await decidedBy(local, 'http://evil.example')).toBeNull();
  const restarted = openLocalList(folder);
  for (const list of [local, restarted]) {
    expect(await decidedBy(list, 'http://other.example')).toBe('block by second: other.example/');
    expect(await decidedBy(list, 'http://new.example')).toBe('block by first: new.example/');
    expect(list.status().lists).toEqual([
      { source: 'first', entries: 2, importedAtMs: nowMs + 2, format: 'lines', problem: null },
      { source: 'second', entries: 1, importedAtMs: nowMs + 1, format: 'lines', problem: null },
    ]);
    list.close();
  }
});

test('a list that is removed is forgotten by a running server', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  await importText(folder, 'test', 'evil.example');
  expect(await decidedBy(local, 'http://evil.example')).not.toBeNull();
  expect(await removeList(folder, 'TEST')).toBe(true);
  expect(await removeList(folder, 'test')).toBe(false);
  expect(await decidedBy(local, 'http://evil.example')).toBeNull();
  expect(local.status().lists).toEqual([]);
});

test('another process imports, and this one sees it at the next check', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  expect(await decidedBy(local, 'http://evil.example')).toBeNull();
  const file = join(await freshFolder(), 'list');
  await writeFile(file, 'evil.example\n');
  const module = join(import.meta.dir, '../../src/reputation/lists/import.ts');
  const script = `const { importList } = await import(${JSON.stringify(module)});
    await importList(${JSON.stringify(folder)}, ${JSON.stringify(file)}, 'other', { nowMs: ${nowMs} });`;
  const other = Bun.spawn([process.execPath, '-e', script], { stderr: 'pipe' });
  expect([await other.exited, await new Response(other.stderr).text()]).toEqual([0, '']);
  expect(await decidedBy(local, 'http://evil.example')).toBe('block by other: evil.example/');
});

test('imports of one source at once leave one of them whole', async () => {
  const folder = await freshFolder();
  const names = ['a.example', 'b.example', 'c.example', 'd.example'];
  await Promise.all(names.map((name) => importText(folder, 'test', `${name}\nall.example`)));
  const local = openLocalList(folder);
  expect(await decidedBy(local, 'http://all.example')).not.toBeNull();
  const answers = await Promise.all(names.map((name) => decidedBy(local, `http://${name}`)));
  expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  expect((await readdir(join(folder, 'lists'))).sort()).toEqual([
    'test.list',
    'test.list.previous',
  ]);
});

test('an import that breaks off half-way leaves the list as it was, and nothing behind', async () => {
  const folder = await freshFolder();
  await importText(folder, 'test', 'old.example');
  const local = openLocalList(folder);
  await local.refresh();
  const generation = local.generation();
  async function* breakingOff() {
    yield Buffer.from('new.example\nmore.example\n');
    throw new Error('the connection is gone');
  }
  const broken = importPieces(folder, breakingOff(), 'test', { nowMs, origin: null });
  await expect(broken).rejects.toThrow('the connection is gone');
  expect(await decidedBy(local, 'http://old.example')).not.toBeNull();
  expect(await decidedBy(local, 'http://new.example')).toBeNull();
  expect(local.generation()).toBe(generation);
  expect(await readdir(join(folder, 'lists'))).toEqual(['test.list']);
});

test('killed after any step of replacing a list, one whole list is there', async () => {
  const folder = await freshFolder();
  await importText(folder, 'test', 'old.example');
  const { current } = listPaths(folder, 'test');
  const other = await freshFolder();
  await importText(other, 'test', 'new.example');
  const fresh = await readFile(listPaths(other, 'test').current);
  const isListed = async (url: string) => {
    const restarted = openLocalList(folder);
    const answer = await decidedBy(restarted, url);
    restarted.close();
    return answer !== null;
  };
  const header = { source: 'test', entries: 0, importedAtMs: nowMs, format: 'lines', origin: null };
  const temporary = await writeListFile(current, header, { count: 0, runs: [] });
  await writeFile(temporary, fresh);
  expect(await isListed('http://old.example')).toBe(true);
  await keepAsPrevious(folder, 'test');
  expect(await isListed('http://old.example')).toBe(true);
  await keepAsPrevious(folder, 'test'); // the next import finds the copy made already
  expect(await isListed('http://old.example')).toBe(true);
  const running = openLocalList(folder);
  await running.refresh();
  await putInPlace(temporary, current);
  expect(await isListed('http://new.example')).toBe(true);
  // Killed before the change was announced: a running server sees it all the same.
  expect(await decidedBy(running, 'http://new.example')).not.toBeNull();
  expect((await readdir(join(folder, 'lists'))).sort()).toEqual([
    'test.list',
    'test.list.previous',
  ]);
});

test('what a killed import left behind is cleared away a day later', async () => {
  const folder = await freshFolder();
  await importText(folder, 'test', 'evil.example');
  const left = join(folder, 'lists', 'test.list.4711.tmp');
  await writeFile(left, 'half a list');
  await utimes(left, new Date(nowMs), new Date(nowMs));
  await importText(folder, 'test', 'evil.example', { nowMs: nowMs + 3_600_000 });
  expect(await readdir(join(folder, 'lists'))).toContain('test.list.4711.tmp');
  await importText(folder, 'test', 'evil.example', { nowMs: nowMs + 90_000_000 });
  expect(await readdir(join(folder, 'lists'))).not.toContain('test.list.4711.tmp');
});

const damages: [name: string, damage: (path: string) => Promise<void>, message: RegExp][] = [
  ['cut short', (path) => truncate(path, 200), /cut short/],
  ['grown', (path) => appendFile(path, 'x'), /cut short or has grown/],
  ['empty', (path) => truncate(path, 0), /too short/],
  ['something else', (path) => writeFile(path, 'A text of some length instead.'), /is not a list/],
  ['altered', (path) => alter(path, -90), /checksum/],
  ['altered in its checksum', (path) => alter(path, -1), /checksum/],
  ['of another version', (path) => alter(path, 16), /version/],
  ['altered in the length of its header', (path) => alter(path, 17), /header is damaged/],
  ['altered in its header', (path) => alter(path, 21), /header is damaged/],
];

async function alter(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 0x40;
  await writeFile(path, bytes);
}

test.each(damages)(
  'a list that is %s is refused and the last good one kept',
  async (_, damage, message) => {
    const folder = await freshFolder();
    await importText(folder, 'test', 'first.example\nboth.example');
    await importText(folder, 'test', 'second.example\nboth.example');
    const running = openLocalList(folder);
    await running.refresh();
    await damage(listPaths(folder, 'test').current);
    await importText(folder, 'other', 'other.example'); // makes the running server look again
    expect(await decidedBy(running, 'http://second.example')).not.toBeNull();
    expect(running.status().lists[1]?.problem).toMatch(message);
    const restarted = openLocalList(folder);
    expect(await decidedBy(restarted, 'http://first.example')).not.toBeNull();
    expect(restarted.status().lists[1]?.problem).toMatch(message);
    expect(restarted.isWhole()).toBe(true);
    // The damaged file never becomes the copy to fall back on; the next import repairs everything.
    await importText(folder, 'test', 'third.example');
    await damage(listPaths(folder, 'test').current);
    const again = openLocalList(folder);
    expect(await decidedBy(again, 'http://both.example')).not.toBeNull();
    await importText(folder, 'test', 'fourth.example');
    for (const local of [running, restarted, again]) {
      expect(await decidedBy(local, 'http://fourth.example')).not.toBeNull();
      expect(local.status().lists[1]?.problem).toBeNull();
    }
  },
);

test('a damaged list without a copy is no clean answer', async () => {
  const folder = await freshFolder();
  await importText(folder, 'test', 'evil.example');
  await truncate(listPaths(folder, 'test').current, 40);
  const local = openLocalList(folder);
  await local.refresh();
  expect(local.isWhole()).toBe(false);
  expect(local.status().lists).toMatchObject([{ source: 'test', entries: 0 }]);
  await expect(readListFile(listPaths(folder, 'test').current)).rejects.toThrow('damaged');
});

const unreadables: [name: string, problem: RegExp, hide: (path: string, aside: string) => void][] =
  [
    [
      'links to a file that is not there',
      /links to no file/,
      (path, aside) => symlinkSync(aside, path),
    ],
    ['cannot be read', /cannot be read/, (path) => mkdirSync(path)],
  ];

test.each(unreadables)(
  'a list that %s is told of, and used as soon as it can be',
  async (_, problem, hide) => {
    const folder = await freshFolder();
    await importText(folder, 'test', 'evil.example');
    await importText(folder, 'other', 'other.example');
    const { current } = listPaths(folder, 'test');
    const aside = join(await freshFolder(), 'volume.list');
    const whole = readFileSync(current);
    rmSync(current);
    hide(current, aside);
    const sameTime = () => utimes(join(folder, 'lists'), new Date(nowMs), new Date(nowMs));
    await sameTime();

    let passedMs = 0;
    const local = openLocalList(folder, () => passedMs);
    expect(await decidedBy(local, 'http://evil.example')).toBeNull();
    expect(await decidedBy(local, 'http://other.example')).not.toBeNull();
    expect(local.isWhole()).toBe(false);
    expect(local.status().lists).toMatchObject([
      { source: 'other', problem: null },
      { source: 'test', entries: 0, problem: expect.stringMatching(problem) },
    ]);
    const unread = local.generation();

    // As a mount or a change of permissions would mend it: nothing in the folder shows it.
    if (lstatSync(current).isDirectory()) {
      rmdirSync(current);
      symlinkSync(aside, current);
    }
    writeFileSync(aside, whole);
    await sameTime();
    passedMs = 9_999;
    expect(await decidedBy(local, 'http://evil.example')).toBeNull();
    passedMs = 10_000;
    expect(await decidedBy(local, 'http://evil.example')).toBe('block by test: evil.example/');
    expect(local.isWhole()).toBe(true);
    expect(local.generation()).not.toBe(unread);
    expect(openLocalList(folder).generation()).toBe(local.generation());
  },
);

test('a list that links to no file is gone once it is removed', async () => {
  const folder = await freshFolder();
  await importText(folder, 'test', 'evil.example');
  const { current } = listPaths(folder, 'test');
  rmSync(current);
  symlinkSync(join(folder, 'nowhere'), current);
  const local = openLocalList(folder);
  await local.refresh();
  expect(await removeList(folder, 'test')).toBe(true);
  await local.refresh();
  expect([local.isWhole(), local.status().lists]).toEqual([true, []]);
});

test('the generation changes with every change and with nothing else', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  const seen = [local.generation()];
  await importText(folder, 'test', 'evil.example');
  seen.push(local.generation());
  await importText(folder, 'test', 'evil.example');
  seen.push(local.generation());
  await block(folder, 'evil.example', { nowMs });
  seen.push(local.generation());
  await remove(folder, 'evil.example');
  seen.push(local.generation());
  await decidedBy(local, 'http://evil.example');
  expect(local.generation()).toBe(seen.at(-1) ?? '');
  expect(new Set(seen).size).toBe(5);
});

test('a change within one tick of the clock of the file system shows too', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  const sameTick = () => utimes(join(folder, 'lists'), new Date(nowMs), new Date(nowMs));
  await importText(folder, 'test', 'one.example');
  await sameTick();
  expect(await decidedBy(local, 'http://one.example')).not.toBeNull();
  await importText(folder, 'test', 'two.example');
  await sameTick();
  expect(await decidedBy(local, 'http://two.example')).not.toBeNull();
});

test('a hash that shares its first 64 bits with an entry is told apart', async () => {
  const listed = hashOf('evil.example/');
  const other = Uint8Array.from(listed);
  other[31] = (other[31] ?? 0) ^ 1;
  const path = join(await freshFolder(), 'x.list');
  const header = { source: 'x', entries: 1, importedAtMs: nowMs, format: 'lines', origin: null };
  const run = { prefixes: listed.subarray(0, 8), tails: listed.subarray(8) };
  await putInPlace(await writeListFile(path, header, { count: 1, runs: [run] }), path);
  const list = await readListFile(path);
  expect([list.has(listed), list.has(other)]).toEqual([true, false]);
  list.close();
});

test('a list of several megabytes is read whole', async () => {
  // Their first bytes alone are more than a megabyte, and every other one is of no entry.
  const entries = 150_000;
  const hash = (first: number, last: number) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(first, 0);
    bytes.writeUInt32BE(last, 28);
    return bytes;
  };
  const run = { prefixes: Buffer.alloc(entries * 8), tails: Buffer.alloc(entries * 24) };
  for (let rank = 0; rank < entries; rank++) {
    run.prefixes.writeUInt32BE(rank * 2, rank * 8);
    run.tails.writeUInt32BE(rank, rank * 24 + 20);
  }
  const path = join(await freshFolder(), 'x.list');
  const header = { source: 'x', entries, importedAtMs: nowMs, format: 'lines', origin: null };
  await putInPlace(await writeListFile(path, header, { count: entries, runs: [run] }), path);
  const list = await readListFile(path);
  const ranks = [...Array(1_500).keys()].map((step) => step * 100);
  const found = (first: number, last: number) => list.has(hash(first, last));
  for (const rank of [...ranks, entries - 1]) {
    const answers = [found(rank * 2, rank), found(rank * 2, rank + 1), found(rank * 2 + 1, rank)];
    expect([rank, ...answers]).toEqual([rank, true, false, false]);
  }
  list.close();
});

/** How many files of a folder this process holds open. */
async function heldOpen(folder: string): Promise<number> {
  const open = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    open.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(folder)).length;
}

test.skipIf(process.platform !== 'linux')(
  'of every list one file is held open, however often it is replaced, damaged and read again',
  async () => {
    const folder = await freshFolder();
    let passedMs = 0;
    const local = openLocalList(folder, () => passedMs);
    for (let edition = 0; edition < 3; edition++) {
      await importText(folder, 'test', `edition-${edition}.example`);
      expect(await decidedBy(local, `http://edition-${edition}.example`)).not.toBeNull();
      expect(await heldOpen(folder)).toBe(1);
    }
    await truncate(listPaths(folder, 'test').current, 40);
    for (let retry = 0; retry < 3; retry++) {
      await importText(folder, 'other', `edition-${retry}.example`);
      passedMs += 10_000;
      expect(await decidedBy(local, 'http://edition-2.example')).not.toBeNull();
      expect(local.status().lists[1]?.problem).toMatch(/is damaged/);
      expect(await heldOpen(folder)).toBe(2);
    }
    await removeList(folder, 'other');
    await local.refresh();
    expect(await heldOpen(folder)).toBe(1);
    local.close();
    expect(await heldOpen(folder)).toBe(0);
  },
);

test('checks during a load get the new list, however many there are', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  await importText(folder, 'test', 'one.example');
  const early = Array.from({ length: 5 }, () => decidedBy(local, 'http://two.example'));
  await importText(folder, 'test', 'two.example');
  const late = await Promise.all(
    Array.from({ length: 5 }, () => decidedBy(local, 'http://two.example')),
  );
  expect(late).toEqual(Array.from({ length: 5 }, () => 'block by test: two.example/'));
  await Promise.all(early);
  await rm(folder, { recursive: true });
  expect(await decidedBy(local, 'http://two.example')).toBeNull();
});
