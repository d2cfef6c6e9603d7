import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './release/executable.ts';
import { targets } from './release/targets.ts';

/**
 * Builds the executable, which fetches nothing at run time.
 *
 *   bun build.ts                       for this machine, to dist/waymark
 *   bun build.ts --target linux-arm64  for another, to dist/waymark-linux-arm64
 *   bun build.ts --target all          for each of them
 *   bun build.ts --outfile FILE        to another place
 *
 * Another target needs Bun's runtime for it, which is downloaded from the npm registry once.
 */

const values = readFlags();

function readFlags(): { target?: string; outfile?: string } {
  try {
    return parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } })
      .values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

/** Prints a usage error and exits with code 2, as the program itself does. */
function misused(problem: string): never {
  const known = [...targets.map(({ name }) => name), 'all'].join(', ');
  console.error(
    `${problem}\nUsage: build.ts [--target TARGET] [--outfile FILE]\nTargets: ${known}`,
  );
  process.exit(2);
}

const wanted = values.target;
const chosen = targets.filter(({ name }) => wanted === 'all' || wanted === name);
if (wanted !== undefined && chosen.length === 0) misused(`Unknown target ${wanted}`);
try {
  for (const target of wanted === undefined ? [undefined] : chosen) {
    const name = target === undefined ? 'waymark' : `waymark-${target.name}`;
    const outfile = values.outfile ?? join(import.meta.dir, 'dist', name);
    await buildExecutable({ outfile, target });
    console.log(`built ${outfile}`);
  }
} catch (error) {
  console.error(error instanceof AggregateError ? error : String(error));
  process.exitCode = 1;
}
