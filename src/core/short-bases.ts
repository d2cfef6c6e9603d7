/**
 * The bases of printed links that the settings no longer name. Dense links are printed in capitals, and the
 * case of scheme and host says nothing; that of a path does.
 *
 * @param used the bases of existing codes
 * @param answered the bases under which this server answers short links
 */
export function forgottenBases(used: readonly string[], answered: readonly string[]): string[] {
  const known = answered.map(spelled);
  return used.filter((base) => !known.includes(spelled(base)));
}

/**
 * Paths in front of the codes, each once, without a slash at the end; none where there is none. One that
 * lies within another comes first, so that the first that fits leaves nothing but the code.
 */
export function pathsOf(bases: readonly string[]): string[] {
  const paths = bases.map((base) => new URL(base).pathname.replace(/\/$/, ''));
  return [...new Set(paths)]
    .filter((path) => path !== '')
    .sort((one, other) => other.length - one.length);
}

/** A base as the URL standard spells it. */
function spelled(base: string): string {
  return new URL(base).href.replace(/\/$/, '');
}
