/**
 * Measures a threat list of a million domains: the import, its memory, and checks. Then the import by the
 * command line beside a server under load. Run: bun test/bench/safety.ts [entries]
 */
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFile } from '../../src/reputation/lists/import.ts';
import { createReputation } from '../../src/reputation/reputation.ts';
import { expressionsOf } from '../../src/reputation/url/expressions.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { createThreatListStore, listsPath } from '../../src/sqlite/safety/lists.ts';
import { createRuleStore } from '../../src/sqlite/safety/rules.ts';

const checks = 50_000;
const [count = '1000000', importTo] = process.argv.slice(2);
const entries = Number(count);

if (importTo === undefined) await measureAll();
else await importInto(importTo);

async function measureAll(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-safety-'));
  try {
    await writeHostsFile(folder);
    // In a process of its own, as the command does, to measure its memory. Twice, to replace a list.
    for (let imports = 0; imports < 2; imports += 1)
      await Bun.spawn([process.execPath, import.meta.path, count, folder], {
        stdout: 'inherit',
        stderr: 'inherit',
      }).exited;
    print('size of lists.db', `${(Bun.file(listsPath(folder)).size / 1e6).toFixed(0)} MB`);
    await measureChecks(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importInto(folder: string): Promise<void> {
  const before = rssMb();
  const startMs = performance.now();
  const lists = createThreatListStore(folder, { busyTimeoutMs: 10_000 });
  const report = await importFile(lists, hostsFile(folder), 'bench', { nowMs: Date.now() });
  print('import', `${((performance.now() - startMs) / 1_000).toFixed(2)} s`);
  print('import, peak memory above an idle process', `${peakMb() - before} MB`);
  if (report.entries !== entries) throw new Error(`Only ${report.entries} entries were imported.`);
}

async function measureChecks(folder: string): Promise<void> {
  const lists = createThreatListStore(folder, { busyTimeoutMs: 20 });
  const store = openStore(folder, { durability: 'process', busyTimeoutMs: 20 });
  const check = createReputation({
    rules: createRuleStore(store),
    lists,
    provider: null,
    onFailure: 'allow',
  });
  for (const [what, first, isFlagged] of [
    ['check of a listed domain', 0, true],
    ['check of another domain', entries, false],
  ] as const) {
    const startMs = performance.now();
    for (let index = 0; index < checks; index += 1) {
      const { flagged } = await check.check(urlOf(first + ((index * 13) % entries)));
      if (flagged !== isFlagged) throw new Error(`${urlOf(first + index)} is wrong.`);
    }
    print(what, micros(performance.now() - startMs));
  }
  const startMs = performance.now();
  for (let index = 0; index < checks; index += 1) expressionsOf(urlOf(index));
  print('of which the expressions of the URL', micros(performance.now() - startMs));
  lists.close();
  store.$client.close();
}

function urlOf(index: number): string {
  return `https://www.shop${index.toString(36)}.example.com/a/b.html?id=${index}`;
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

function micros(totalMs: number): string {
  return `${((totalMs * 1_000) / checks).toFixed(1)} µs`;
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
