import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Hashes everything that images depend on, while the program is bundled (a Bun macro). */
export function digestRenderer(): string {
  const digest = createHash('sha256');
  const add = (name: string, content: string) => digest.update(`${name}\0${content}\0`);
  // Mathematical functions may round differently in another version.
  add('bun', Bun.version);
  const manifest = readFileSync(join(import.meta.dir, '../../package.json'), 'utf8');
  add('encoder', JSON.parse(manifest).dependencies['qrcode-generator']);
  const files = globSync('**/*.ts', { cwd: import.meta.dir }).sort();
  for (const file of ['../core/designs/design.ts', ...files])
    add(file, readFileSync(join(import.meta.dir, file), 'utf8'));
  return digest.digest('hex').slice(0, 16);
}
