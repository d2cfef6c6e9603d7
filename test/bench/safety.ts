/**
 * A block list of a million domains: how long it takes to import and to load, what it costs in
 * memory, how fast it answers. Run: bun test/bench/safety.ts [entries]
 */
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importList } from '../../src/reputation/lists/import.ts';
import { openLocalList } from '../../src/reputation/lists/local-list.ts';
import { createReputation } from '../../src/reputation/reputation.ts';
import { localExpressions } from '../../src/reputation/url/expressions.ts';

const lookUps = 50_000;
const [count = '1000000', importTo] = process.argv.slice(2);
const entries = Number(count);

if (importTo === undefined) await measureAll();
else await importInto(importTo);

async function measureAll(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-safety-'));
  try {
    await writeHostsFile(folder);
    // The import runs in a process of its own, as the command does, to keep its memory apart.
    await Bun.spawn([process.execPath, import.meta.path, count, folder], {
      stdout: 'inherit',
      stderr: 'inherit',
    }).exited;
    await measureServer(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importInto(folder: string): Promise<void> {
  const before = rssMb();
  const startMs = performance.now();
  const report = await importList(folder, hostsFile(folder), 'bench', { nowMs: Date.now() });
  print('import', `${((performance.now() - startMs) / 1_000).toFixed(2)} s`);
  print('import, peak memory above an idle process', `${peakMb() - before} MB`);
  if (report.entries !== entries) throw new Error(`Only ${report.entries} entries were taken.`);
}

async function measureServer(folder: string): Promise<void> {
  Bun.gc(true);
  const before = rssMb();
  const local = openLocalList(folder);
  const startMs = performance.now();
  const longestMs = longestTurn();
  await local.refresh();
  print('load', `${(performance.now() - startMs).toFixed(0)} ms`);
  print('load, longest turn of the event loop', `${longestMs().toFixed(1)} ms`);
  Bun.gc(true);
  await new Promise(setImmediate);
  print('memory of the loaded list', `${rssMb() - before} MB`);

  const listed = Array.from({ length: lookUps }, (_, index) => localExpressions(urlOf(index * 13)));
  const clean = Array.from({ length: lookUps }, (_, index) =>
    localExpressions(urlOf(entries + index)),
  );
  print(
    'look-up of a listed domain',
    each(listed, (expressions) => local.match(expressions).length === 1),
  );
  print(
    'look-up of a clean one',
    each(clean, (expressions) => local.match(expressions).length === 0),
  );
  print(
    'taking a URL apart',
    each(clean, (_, index) => localExpressions(urlOf(index)).length > 0),
  );

  const check = createReputation({ local, provider: null, onFailure: 'allow' });
  const checkStartMs = performance.now();
  for (let index = 0; index < lookUps; index += 1) await check.check(urlOf(entries + index));
  print('a whole check, change detection included', micros(performance.now() - checkStartMs));
  check.close();
}

function urlOf(index: number): string {
  return `https://www.shop${(index % (2 * entries)).toString(36)}.example.com/a/b.html?id=${index}`;
}

function hostsFile(folder: string): string {
  return join(folder, 'hosts.txt');
}

async function writeHostsFile(folder: string): Promise<void> {
  for (let from = 0; from < entries; from += 10_000) {
    const lines = Array.from(
      { length: Math.min(10_000, entries - from) },
      (_, index) => `0.0.0.0 shop${(from + index).toString(36)}.example.com\n`,
    );
    await appendFile(hostsFile(folder), lines.join(''));
  }
}

function each<T>(items: readonly T[], isRight: (item: T, index: number) => boolean): string {
  const startMs = performance.now();
  const wrong = items.filter((item, index) => !isRight(item, index)).length;
  if (wrong > 0) throw new Error(`${wrong} answers are wrong.`);
  return micros(performance.now() - startMs);
}

function micros(totalMs: number): string {
  return `${((totalMs * 1_000) / lookUps).toFixed(1)} µs`;
}

/** Measures from now on how long the event loop stood still at most. */
function longestTurn(): () => number {
  let longestMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs - 1);
    lastMs = performance.now();
  }, 1);
  return () => {
    clearInterval(timer);
    return longestMs;
  };
}

function rssMb(): number {
  return Math.round(process.memoryUsage.rss() / 1e6);
}

/** getrusage counts in kilobytes. */
function peakMb(): number {
  return Math.round((process.resourceUsage().maxRSS * 1_024) / 1e6);
}

function print(what: string, figure: string): void {
  console.log(`${what.padEnd(45)} ${figure}`);
}
