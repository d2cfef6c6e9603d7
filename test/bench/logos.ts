/**
 * What hostile logos cost: a thousand mutants of each kind of file, and the largest files that are
 * allowed or claim to be larger. Each row is a process of its own, so that its peak of memory is its own.
 *
 *     bun test/bench/logos.ts [MUTANTS]
 *
 * It fails when a file takes more than two seconds of computing, when a process needs more than 300 MB,
 * and when anything but a logo or a InvalidLogo comes out. Results: logos.md.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { InvalidLogo } from '../../src/core/ports.ts';
import { normalizeLogo } from '../../src/render/logo/logo.ts';
import { asJpeg, asWebp, pngOf, rgbaPng, svg } from '../render/logo-fixtures.ts';
import { kinds, mutate, mutation, repairPng } from '../render/logo-mutants.ts';

const [maxMs, maxMb] = [2_000, 300];

/** 4,096 pixels a side is the most that is allowed, a megabyte too. */
const wide = () => rgbaPng(4_096, 4_096, (x, y) => [x >> 7, y >> 7, (x ^ y) >> 7, 255]);
const useBomb = Array.from(
  { length: 8 },
  (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`,
).join('');
const blurs = `<filter id="f"><feGaussianBlur stdDeviation="40"/></filter>${'<rect x="-900" y="-900" width="2000" height="2000" filter="url(#f)"/>'.repeat(190)}`;

const files: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  'PNG of 4,096 × 4,096': wide,
  'JPEG of 4,096 × 4,096': () => asJpeg(wide()),
  'progressive JPEG of 4,096 × 4,096': () => asJpeg(wide(), true),
  'lossless WebP of 4,096 × 4,096': () => asWebp(wide()),
  'lossy WebP of 4,096 × 4,096': () => asWebp(wide(), false),
  'PNG that claims 30,000 × 30,000': () => pngOf(30_000, 30_000, new Uint8Array(9)),
  '20 MB': () => new Uint8Array(20_000_000),
  'SVG: a bomb of references': () => svg(`<rect id="u0" width="1" height="1"/>${useBomb}`),
  'SVG: a box of 1e30 units': () => svg('<rect width="9" height="9"/>', 'viewBox="0 0 1e30 1e30"'),
  'SVG: 200,000 levels deep': () => Buffer.from('<g>'.repeat(200_000)),
  'SVG: large blurs': () => svg(blurs),
};

interface Row {
  readonly files: number;
  readonly accepted: number;
  readonly refused: number;
  readonly slowestMs: number;
  /** Of the process, the program itself included. */
  readonly peakMb: number;
}

const [first = '1000', child, path] = process.argv.slice(2);
const mutants = Number(first);
if (child === undefined) await table();
else console.log(JSON.stringify(await rowOf(child, path ?? '')));

async function table(): Promise<void> {
  console.log('| files | number | made a logo | refused | slowest, CPU | peak memory |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  const names = [...Object.keys(kinds).map((name) => `mutated ${name}`), ...Object.keys(files)];
  const folder = await mkdtemp(join(tmpdir(), 'waymark-logos-'));
  const path = join(folder, 'logo');
  for (const name of names) {
    // Made here, so that the child's memory is that of reading it alone.
    const make = files[name] ?? kinds[name.replace('mutated ', '')];
    await Bun.write(path, (await make?.()) ?? '');
    const command = [process.execPath, import.meta.path, first, name, path];
    const run = Bun.spawn(command, { stderr: 'inherit' });
    const printed = await new Response(run.stdout).text();
    if ((await run.exited) !== 0) throw new Error(`${name} failed`);
    const row: Row = JSON.parse(printed);
    console.log(
      `| ${name} | ${row.files} | ${row.accepted} | ${row.refused} | ${row.slowestMs} ms | ${row.peakMb} MB |`,
    );
    if (row.slowestMs > maxMs || row.peakMb > maxMb) throw new Error(`${name} takes too much`);
  }
  await rm(folder, { recursive: true });
}

async function rowOf(name: string, path: string): Promise<Row> {
  let [count, accepted, refused, slowestMs] = [0, 0, 0, 0];
  for (const file of variants(name, await Bun.file(path).bytes())) {
    count++;
    const before = process.cpuUsage();
    const outcome = await normalizeLogo(file).catch((error: unknown) => error);
    const { user, system } = process.cpuUsage(before);
    slowestMs = Math.max(slowestMs, Math.round((user + system) / 1_000));
    if (outcome instanceof InvalidLogo) refused++;
    else if (outcome instanceof Error) throw outcome;
    else accepted++;
  }
  return { files: count, accepted, refused, slowestMs, peakMb: peakMb() };
}

/** The file itself, or its mutants: of a PNG each with its check sums as they are and corrected. */
function* variants(name: string, file: Uint8Array): Generator<Uint8Array> {
  if (!name.startsWith('mutated ')) {
    yield file;
    return;
  }
  const lists = fc.array(mutation, { minLength: 1, maxLength: 4 });
  for (const mutations of fc.sample(lists, { numRuns: mutants, seed: 1 })) {
    const mutant = mutations.reduce(mutate, file);
    yield mutant;
    if (name === 'mutated PNG') yield repairPng(mutant);
  }
}

/** From Linux itself: getrusage's peak includes that of the parent before it became this program. */
function peakMb(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Math.round((Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) * 1_024) / 1e6);
}
