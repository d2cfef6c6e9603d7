import { benchCreates } from './creates.ts';
import { benchGrowth } from './growth.ts';
import { benchImages } from './images.ts';
import { benchIsolation } from './isolation.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPages } from './pages.ts';
import { benchRedirects } from './redirects.ts';

/**
 * Measures speed. Each figure is printed beside the one that it is compared with, measured alternately in
 * the same run: quote the ratios, because absolute figures depend on the machine.
 *
 *   bun run bench                      all parts
 *   bun run bench redirects images     some of them
 *   bun run bench redirects 7 2        seven rounds of two seconds
 */
const parts: Readonly<Record<string, (...numbers: number[]) => Promise<void>>> = {
  redirects: benchRedirects,
  images: benchImages,
  creates: benchCreates,
  neighbours: benchNeighbours,
  growth: benchGrowth,
  isolation: benchIsolation,
  pages: benchPages,
};

const words = process.argv.slice(2);
const isNumber = (word: string) => /^\d+$/.test(word);
const names = words.filter((word) => !isNumber(word));
const numbers = words.filter(isNumber).map(Number);
for (const name of names.length > 0 ? names : Object.keys(parts)) {
  const part = parts[name];
  if (part === undefined) throw new Error(`unknown part ${name}; known: ${Object.keys(parts)}`);
  await part(...numbers);
}
process.exit(0);
