import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'file' };
import { readEmbeddedSync } from './embedded.ts';

/** Reads common passwords as JSON: in lower case, each in quotation marks. */
export function readCommonPasswords(): string {
  // The cast is safe: imported as a file, it is a path.
  return new TextDecoder().decode(readEmbeddedSync(list as unknown as string));
}
