import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// What draws beside this folder.
const ofCore = ['../core/designs/design.ts', '../core/codes/print-size.ts'];
const libraries = ['qrcode-generator', '@resvg/resvg-wasm'] as const;

/**
 * Names the renderer while the program is bundled (a Bun macro): a digest over everything that a
 * drawing depends on. Two programs of the same name draw the same; of two names they may not.
 */
export function digestRenderer(): string {
  const digest = createHash('sha256');
  const add = (name: string, content: string) => digest.update(`${name}\0${content}\0`);
  // Functions such as the cosine come with Bun, and their last digit may change.
  add('bun', Bun.version);
  const { dependencies } = JSON.parse(
    readFileSync(join(import.meta.dir, '../../package.json'), 'utf8'),
  );
  for (const library of libraries) add(library, dependencies[library]);
  for (const file of [...ofCore, ...globSync('**/*.ts', { cwd: import.meta.dir }).sort()])
    add(file, readFileSync(join(import.meta.dir, file), 'utf8'));
  return digest.digest('hex').slice(0, 16);
}
