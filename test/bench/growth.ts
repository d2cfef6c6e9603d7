import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createRequest } from './creates.ts';
import { getRequest, seeded } from './load.ts';
import { inTurn, type Measured, ratio, settled, type Target } from './measure.ts';
import { codeOf, redirectTo, startFilled, startKept, targetOf } from './servers.ts';
import { median, printTable } from './table.ts';

const few = 1000;
/** Requests that a run takes at random; more would only take memory in the generator. */
const askedFor = 200_000;

/**
 * The same requests to a server with a thousand codes and to one with many. The environment variable
 * `BENCH_FOLDER` may name a data folder that is kept for the many.
 */
export async function benchGrowth(many = 1_000_000, rounds = 5): Promise<void> {
  const small = await startFilled(few);
  const kept = process.env['BENCH_FOLDER'];
  const large = await (kept === undefined ? startFilled(many) : startKept(kept, many));
  const figures: string[][] = [];
  for (const [name, requestsOf] of Object.entries(kinds)) {
    const targets: Target[] = [
      targetOf(`${name}, ${few}`, small.server, requestsOf(few, small.key)),
      targetOf(`${name}, ${many}`, large.server, requestsOf(many, large.key)),
    ];
    // What redirects have left to be added up is no part of what follows them, least of all of the
    // other server's share of the processors.
    const rested = async () => {
      for (const { pid } of targets) await settled(pid);
    };
    const connections = name.startsWith('create') ? 8 : 64;
    const measured = await inTurn(
      targets,
      // The first one only warms up.
      rounds + 1,
      { connections, seconds: 2 },
      rested,
    );
    const [base = [], grown = []] = measured.map((results) => results.slice(1));
    const each = (of: (result: Measured) => number) => ratio(grown, base, of).toFixed(2);
    figures.push([
      name,
      median(base.map(({ perSecond }) => perSecond)).toFixed(0),
      median(grown.map(({ perSecond }) => perSecond)).toFixed(0),
      each(({ perSecond }) => perSecond),
      each(({ cpuMicros }) => cpuMicros),
    ]);
  }
  const [fewText, manyText] = [few, many].map((count) => count.toLocaleString('en'));
  printTable(
    ['growth', `per second at ${fewText}`, `at ${manyText}`, 'throughput', 'CPU per answer'],
    figures,
  );
  await large.server.stop();
  const bytes = statSync(join(kept ?? large.server.dataFolder, 'waymark.db')).size;
  console.log(`\n${(bytes / many).toFixed(0)} bytes a code in a database of ${manyText}.`);
  await small.server.close();
  await large.server.close();
}

/** Fills the data folder that `BENCH_FOLDER` names, for {@link benchGrowth} to take many times. */
export async function fillForGrowth(many = 1_000_000): Promise<void> {
  const folder = process.env['BENCH_FOLDER'];
  if (folder === undefined) throw new Error('BENCH_FOLDER names no folder to fill');
  const { server } = await startKept(folder, many);
  await server.stop();
  await server.close();
}

const kinds: Readonly<Record<string, (count: number, key: string) => string[]>> = {
  'redirects, Zipf': (count) => picked(zipf(count), redirectTo),
  'redirects, uniform': (count) => picked(uniform(count), redirectTo),
  'GET of a code': (count, key) =>
    picked(uniform(count), (number) => getRequest(`/api/v1/qrs/${codeOf(number)}`, bearer(key))),
  'first page of the list': (_, key) => [getRequest('/api/v1/qrs', bearer(key))],
  create: (_, key) => [createRequest(key)],
};

function bearer(key: string): string {
  return `Authorization: Bearer ${key}\r\n`;
}

function picked(pick: () => number, requestOf: (number: number) => string): string[] {
  return Array.from({ length: askedFor }, () => requestOf(pick()));
}

function uniform(count: number): () => number {
  const random = seeded(11);
  return () => Math.floor(random() * count);
}

/** Zipf's law with exponent 1: the code in place k is asked for 1/k as often as the first. */
function zipf(count: number): () => number {
  const random = seeded(13);
  // The sum of 1/k is near enough to a logarithm, whose inverse gives the place.
  const scatter = 7_919;
  return () => {
    const place = Math.floor(Math.exp(random() * Math.log(count)));
    return (place * scatter) % count;
  };
}
