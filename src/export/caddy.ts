import { pathPrefixes } from '../core/codes/short-url.ts';
import { locationFor, type RedirectMap } from './redirect-map.ts';

/**
 * A Caddyfile. Caddy tries its routes one after the other, so the codes are sorted into blocks by
 * their first two characters: a million codes are some 2,000 comparisons at most. Its path matcher
 * has no regard for case.
 */
export function* caddy(map: RedirectMap): Generator<string> {
  yield head(map);
  let open = '';
  for (const redirect of map.redirects()) {
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
  yield `${open === '' ? '' : '\t}\n'}\trespond 404\n}\n`;
}

function head({ bases, codes }: RedirectMap): string {
  const sites = [...new Set(bases.map((base) => new URL(base).origin))];
  // Without regard to case, too. Caddy by itself would cut /q off /q1234567 as well.
  const paths = pathPrefixes(bases).map((path) => `\turi ${path}/* strip_prefix ${path}\n`);
  return `# Printed codes and where they lead (${codes}), exported by Waymark. Use this file as the Caddyfile, or
# import it there.

${sites.join(', ') || ':80'} {
\theader {
\t\tCache-Control no-store
\t\tReferrer-Policy no-referrer
\t\tX-Robots-Tag noindex
\t}
${paths.join('')}`;
}

/**
 * A location as one word. Caddy takes what stands in braces for a placeholder, and `{$…}` for a
 * variable of the environment before it even looks at quotation marks. So braces are escaped, once
 * one is opened: in a word without an opening brace Caddy would leave the escapes standing. What
 * cannot be written at all is percent-encoded: the backtick, and the brace before a dollar sign.
 */
function quoted(location: string): string {
  const text = location.replaceAll('{$', '%7B$').replaceAll('`', '%60');
  // Between backticks everything but the backtick stands for itself.
  return `\`${text.includes('{') ? text.replace(/[{}]/g, '\\$&') : text}\``;
}
