import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { qrsById } from '../../src/sqlite/codes/row.ts';
import { seeded } from './load.ts';
import { codeOf } from './servers.ts';
import { median, printTable } from './table.ts';

/**
 * What looking up a code costs with page caches of several sizes, over more and more codes. The machine
 * has the whole file in memory, as a server's has.
 *
 *   BENCH_FOLDER=many bun test/bench/page-cache.ts 10000000      the folder that `bench fill` has filled
 */
const count = Number(process.argv[2] ?? 1_000_000);
const folder = process.env['BENCH_FOLDER'];
if (folder === undefined) throw new Error('BENCH_FOLDER names no filled folder');
const path = join(folder, 'waymark.db');

const sizesMb = [2, 8, 16, 64, 256];
const ranges = [1000, 100_000, 1_000_000, 10_000_000].filter((range) => range <= count);
const rounds = 6;
const lookUps = 50_000;
const random = seeded(5);

const caches = sizesMb.map((megabytes) => {
  const database = new Database(path, { readonly: true, strict: true });
  database.run(`PRAGMA cache_size = -${megabytes * 1024}`);
  const find = database.query(
    `${qrsById} = (SELECT id FROM qrs WHERE code = ? AND account_id = 1)`,
  );
  return { megabytes, find, micros: ranges.map((): number[] => []) };
});
for (let round = 0; round < rounds; round++)
  for (const { find, micros } of caches)
    for (const [index, range] of ranges.entries()) {
      const codes = Array.from({ length: lookUps }, () => codeOf(Math.floor(random() * range)));
      const before = process.cpuUsage();
      for (const code of codes) find.get(code);
      const { user, system } = process.cpuUsage(before);
      // The first round only fills the cache.
      if (round > 0) micros[index]?.push((user + system) / lookUps);
    }
printTable(
  ['page cache, MB', ...ranges.map((range) => `µs over ${range.toLocaleString('en')} codes`)],
  caches.map(({ megabytes, micros }) => [
    String(megabytes),
    ...micros.map((figures) => median(figures).toFixed(1)),
  ]),
);
