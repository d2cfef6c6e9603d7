import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The panel's script for browsers as JavaScript, made while the program is bundled (a Bun macro), so
 * that source and executable carry the same and nothing has to be built first.
 */
export function readClient(): string {
  const source = readFileSync(join(import.meta.dir, 'client/client.ts'), 'utf8');
  return new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(source);
}
