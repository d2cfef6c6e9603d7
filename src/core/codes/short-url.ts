import { parseCode } from './code.ts';

/**
 * The bases of printed links that the settings no longer name. Dense links are printed in capitals, and the
 * case of scheme and host says nothing; that of a path does.
 *
 * @param used the bases of existing codes
 * @param answered the bases under which this server answers short links
 */
export function unservedPrefixes(used: readonly string[], answered: readonly string[]): string[] {
  const known = answered.map(spelled);
  return used.filter((base) => !known.includes(spelled(base)));
}

/**
 * Paths in front of the codes, each once, without a slash at the end; none where there is none. One that
 * lies within another comes first, so that the first that fits leaves nothing but the code.
 */
export function pathPrefixes(bases: readonly string[]): string[] {
  const paths = bases.map((base) => new URL(base).pathname.replace(/\/$/, ''));
  return [...new Set(paths)]
    .filter((path) => path !== '')
    .sort((one, other) => other.length - one.length);
}

/**
 * The code that a short link of this server leads to, as a person writes it or a phone shows it: in either
 * case, with another scheme or none. Null for any other text.
 *
 * @param bases where short links live, without a trailing slash
 */
export function codeOfShortLink(text: string, bases: readonly string[]): string | null {
  const bare = (link: string) => link.toLowerCase().replace(/^https?:\/\//, '');
  const link = bare(text);
  for (const base of bases.map(bare)) {
    const code = link.startsWith(`${base}/`) ? parseCode(link.slice(base.length + 1)) : null;
    if (code !== null) return code;
  }
  return null;
}

/** A base as the URL standard spells it. */
function spelled(base: string): string {
  return new URL(base).href.replace(/\/$/, '');
}
