import { pathPrefixes } from '../../../core/codes/path.ts';
import { formatCount } from '../../../lib/numbers.ts';
import {
  isImported,
  locationFor,
  pathRedirects,
  pathsWithSlash,
  type RedirectMap,
} from './redirect-map.ts';

/**
 * Writes a Caddyfile.
 * Caddy matches routes one after the other, case-insensitively, so codes are grouped by their first two characters: at
 * most 2,000 comparisons for a million codes. Paths, whose case matters, are compared one by one.
 */
export async function* caddy(map: RedirectMap): AsyncGenerator<string> {
  yield head(map, await pathsWithSlash(map));
  let open = '';
  for await (const redirect of map.redirects()) {
    if (isImported(redirect)) continue;
    const block = redirect.code.slice(0, 2);
    if (block !== open) {
      yield `${open === '' ? '' : '\t}\n'}\thandle /${block}* {\n`;
      open = block;
    }
    const location = locationFor(redirect);
    yield location === null
      ? `\t\trespond /${redirect.code} 410\n`
      : `\t\tredir /${redirect.code} ${quoted(location)} 302\n`;
  }
  if (open !== '') yield '\t}\n';
  let links = 0;
  for await (const { path, location } of pathRedirects(map)) {
    // After the prefix is stripped, and after the blocks of codes.
    if (links === 0) yield '\troute {\n';
    const matcher = `@link${++links}`;
    yield `\t\t${matcher} path_regexp ^/${asPattern(path)}$\n`;
    yield location === null
      ? `\t\trespond ${matcher} 410\n`
      : `\t\tredir ${matcher} ${quoted(location)} 302\n`;
  }
  yield `${links === 0 ? '' : '\t}\n'}\trespond 404\n}\n`;
}

/** Escapes everything but letters, digits and slashes for a regular expression of Go, as one word. */
function asPattern(path: string): string {
  return path.replace(/[^\p{L}\p{N}/]/gu, (character) =>
    // Longer escapes have braces, which Caddy reads as placeholders.
    character.charCodeAt(0) < 256
      ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
      : character,
  );
}

function head({ prefixes, codes }: RedirectMap, exact: ReadonlySet<string>): string {
  const sites = [...new Set(prefixes.map((prefix) => new URL(prefix).origin))];
  // With the slash, since Caddy would also strip /q from /q1234567.
  const paths = pathPrefixes(prefixes).map((path) => `\turi ${path}/* strip_prefix ${path}\n`);
  const kept = [...exact].map(asPattern).join('|');
  const slash =
    kept === ''
      ? '\turi strip_suffix /\n'
      : `\t@other not path_regexp ^/(?:${kept})$\n\turi @other strip_suffix /\n`;
  return `# Destinations of ${formatCount(codes, 'printed code')}, exported by Waymark. Use this file as the Caddyfile, or import
# it there.

${sites.join(', ') || ':80'} {
\theader {
\t\tCache-Control no-store
\t\tReferrer-Policy no-referrer
\t\tX-Robots-Tag noindex
\t}
${paths.join('')}${slash}`;
}

/**
 * Quotes a location as one word.
 * Caddy reads braces as placeholders, so they are escaped, but only in a word with an opening brace: in others Caddy
 * keeps the backslashes. Backticks, and `{$` (an environment variable even in quotes), cannot be escaped and are
 * percent-encoded.
 */
function quoted(location: string): string {
  const text = location.replaceAll('{$', '%7B$').replaceAll('`', '%60');
  return `\`${text.includes('{') ? text.replace(/[{}]/g, '\\$&') : text}\``;
}
