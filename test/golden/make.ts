import { appendFileSync, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { goldens, shown } from './designs.ts';
import { draw, lineOf, sealOf } from './drawn.ts';

/**
 * Writes the golden files of a new version: bun test/golden/make.ts. Refuses to replace those of a version
 * that has some: two programs that draw differently must not carry one version, so raise it in package.json.
 */
const folder = join(import.meta.dir, version);
if (existsSync(join(folder, 'digests.txt'))) {
  console.error(
    `The images of ${version} are stored. If drawing has changed, raise the version first.`,
  );
  process.exit(1);
}
await mkdir(folder, { recursive: true });

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
appendFileSync(join(import.meta.dir, 'sealed.txt'), `${sealOf(folder)}\n`);
console.log(`${folder}: ${lines.length} images`);
