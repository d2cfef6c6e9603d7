import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const list = 'node_modules/@zxcvbn-ts/language-common/src/passwords.json';

/**
 * Reads the common passwords of at least this length, in lower case, each between line ends, as gzip in base64. A Bun
 * macro: it runs while the program is bundled, so that the executable contains them.
 */
export function readCommonPasswords(minLength: number): string {
  const passwords: string[] = JSON.parse(
    readFileSync(join(import.meta.dir, '../../..', list), 'utf8'),
  );
  const text = `\n${passwords.filter(({ length }) => length >= minLength).join('\n')}\n`;
  return Buffer.from(Bun.gzipSync(text, { level: 9, library: 'libdeflate' })).toString('base64');
}
