import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of core that images depend on. */
const coreFiles = ['../core/designs/design.ts', '../core/codes/print-size.ts'];
const libraries = ['qrcode-generator', '@resvg/resvg-wasm'] as const;

/** Hashes everything that images depend on, while the program is bundled (a Bun macro). */
export function digestRenderer(): string {
  const digest = createHash('sha256');
  const add = (name: string, content: string) => digest.update(`${name}\0${content}\0`);
  // The last digit of functions such as cosine may change with Bun.
  add('bun', Bun.version);
  const manifest = readFileSync(join(import.meta.dir, '../../package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest);
  for (const library of libraries) add(library, dependencies[library]);
  for (const file of [...coreFiles, ...globSync('**/*.ts', { cwd: import.meta.dir }).sort()])
    add(file, readFileSync(join(import.meta.dir, file), 'utf8'));
  return digest.digest('hex').slice(0, 16);
}
