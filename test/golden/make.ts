import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { goldens, shown } from './designs.ts';
import { draw, lineOf } from './drawn.ts';

/**
 * Writes the golden images of the current version: bun test/golden/make.ts. Once a version is released, its
 * folder must not change: the images are printed.
 */
const folder = join(import.meta.dir, version);
await rm(folder, { recursive: true, force: true });
await mkdir(folder);

const lines: string[] = [];
for (const golden of goldens) {
  const drawn = await draw(golden);
  lines.push(lineOf(golden, drawn));
  if (!shown.includes(golden.name)) continue;
  const file = join(folder, golden.name.replace(/[ ,]+/g, '-'));
  await Bun.write(`${file}.svg`, drawn.svg);
  await Bun.write(`${file}.png`, drawn.png);
}
await Bun.write(join(folder, 'digests.txt'), `${lines.join('\n')}\n`);
console.log(`${folder}: ${lines.length} images`);
