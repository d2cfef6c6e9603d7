import { benchCreates } from './creates.ts';
import { benchGrowth, fillForGrowth } from './growth.ts';
import { benchImages } from './images.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchRedirects } from './redirects.ts';
import { benchStart } from './start.ts';

/**
 * Measures speed, every figure beside what it is to be compared with, in turns within one run. Quote
 * the ratios: the figures themselves are those of the machine.
 *
 *   bun run bench                     everything, growth to a million codes
 *   bun run bench redirects images    parts of it
 *   bun run bench growth 10000000     needs 4 GB of disk
 *   BENCH_FOLDER=many bun run bench fill 10000000
 *   BENCH_FOLDER=many bun run bench growth 10000000 3     as often as you like; filling takes minutes
 */
const parts: Readonly<Record<string, (...numbers: number[]) => Promise<void>>> = {
  redirects: benchRedirects,
  images: benchImages,
  creates: benchCreates,
  neighbours: benchNeighbours,
  growth: benchGrowth,
  start: benchStart,
};
const beforehand: typeof parts = { fill: fillForGrowth };

const words = process.argv.slice(2);
const isNumber = (word: string) => /^\d+$/.test(word);
const asked = words.filter((word) => !isNumber(word));
const numbers = words.filter(isNumber).map(Number);
for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
  const part = parts[name] ?? beforehand[name];
  if (part === undefined) throw new Error(`unknown part ${name}; known: ${Object.keys(parts)}`);
  await part(...numbers);
}
process.exit(0);
