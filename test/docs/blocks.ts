import { join } from 'node:path';

const root = join(import.meta.dir, '../..');

/** Reads a page by its path from the root of the repository. */
export function readPage(path: string): Promise<string> {
  return Bun.file(join(root, path)).text();
}

/** Returns the code blocks of a language on a page, those in lists included. */
export async function blocksOf(path: string, language: string): Promise<string[]> {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm');
  return [...(await readPage(path)).matchAll(fence)].map(([, , block = '']) => block);
}

/** Returns the only code block of a language. @throws Error when there are none or several */
export async function blockOf(path: string, language: string): Promise<string> {
  const [block, ...more] = await blocksOf(path, language);
  if (block === undefined || more.length > 0)
    throw new Error(`${path} has not exactly one block of ${language}`);
  return block;
}

/** Replaces text. @throws Error when it is not there, because the page has changed */
export function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(changes)) {
    if (!result.includes(from)) throw new Error(`the page doesn't contain ${from}`);
    result = result.replaceAll(from, to);
  }
  return result;
}
