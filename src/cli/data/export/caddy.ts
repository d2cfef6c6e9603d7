import { askedUnprompted, pathPrefixes } from '../../../core/codes/path.ts';
import { maxPassedBytes } from '../../../core/codes/urls/pass-query.ts';
import { maxTailLength, withoutTail } from '../../../core/codes/urls/resolve.ts';
import { formatCount } from '../../../lib/numbers.ts';
import {
  kept,
  leftOut,
  maxGaps,
  passedQuery,
  type QueryKinds,
  queryKindsOf,
  type SplitLocation,
  splitLocation,
} from './passed-query.ts';
import {
  foldedPattern,
  isImported,
  locationFor,
  type PathRedirect,
  pagesOf,
  pathRedirects,
  pathsWithSlash,
  type RedirectMap,
  tailPattern,
} from './redirect-map.ts';

/**
 * Writes a Caddyfile.
 * A route changes the path step by step to what it means, see `keysOf`: paths with a tail of their own come before the
 * tail is cut, and codes after o, i and l are replaced, which no code has. Caddy matches routes one after the other,
 * case-insensitively, so codes are grouped by their first two characters: at most 2,000 comparisons for a million codes.
 * Paths are compared one by one.
 */
export async function* caddy(map: RedirectMap): AsyncGenerator<string> {
  const kinds = await queryKindsOf(map);
  yield head(map, await pathsWithSlash(map), kinds);
  const to = ({ location, passesQuery }: Pick<PathRedirect, 'location' | 'passesQuery'>) =>
    location === null ? null : splitLocation(location, passesQuery, kinds);
  let links = 0;
  const linkTo = ({ host, path, isAlone, ...link }: PathRedirect) => {
    const matcher = `@link${++links}`;
    const pattern = isAlone ? `(?i)^/${foldedPattern(path, asPattern)}$` : `^/${asPattern(path)}$`;
    const condition =
      host === null
        ? `path_regexp ${pattern}`
        : `{\n\t\t\thost ${host}\n\t\t\tpath_regexp ${pattern}\n\t\t}`;
    return `\t\t${matcher} ${condition}\n${respondTo(matcher, to(link))}`;
  };
  for await (const redirect of ownFirst(map))
    if (withoutTail(redirect.path) !== null) yield linkTo(redirect);
  const tail = tailPattern(asEncodedPattern);
  yield `\t\turi path_regexp (?i)${tail}{1,${maxTailLength}}$|${tail}{0,${maxTailLength}}(?:&|%26).*$ ""
\t\turi @other strip_suffix /
`;
  for await (const redirect of ownFirst(map))
    if (withoutTail(redirect.path) === null) yield linkTo(redirect);
  yield `\t\t@eight path_regexp ^/[0-9A-Za-z]{8}$
\t\turi @eight path_regexp (?i)o|%[46]f 0
\t\turi @eight path_regexp (?i)[il]|%[46]9|%[46]c 1
`;
  let open = '';
  for await (const redirect of map.redirects()) {
    if (isImported(redirect)) continue;
    const block = redirect.code.slice(0, 2);
    if (block !== open) {
      yield `${open === '' ? '' : '\t\t}\n'}\t\thandle /${block}* {\n`;
      open = block;
    }
    const link = { location: locationFor(redirect), passesQuery: redirect.query !== null };
    yield `\t${respondTo(`/${redirect.code}`, to(link))}`;
  }
  yield `${open === '' ? '' : '\t\t}\n'}${unknown(map)}\t}\n}\n`;
}

/** Reads the paths: those of the domains beside the main one come first. */
async function* ownFirst(map: RedirectMap): AsyncGenerator<PathRedirect> {
  for await (const redirect of pathRedirects(map)) if (redirect.host !== null) yield redirect;
  for await (const redirect of pathRedirects(map)) if (redirect.host === null) yield redirect;
}

function respondTo(matcher: string, location: SplitLocation | null): string {
  if (location === null) return `\t\trespond ${matcher} 410\n`;
  const { before, kind, fragment } = location;
  if (kind === null) return `\t\tredir ${matcher} ${quoted(before)} 302\n`;
  // A backslash at the end would escape the brace.
  const [start, end] = [escaped(before).replace(/\\$/, '%5C'), escaped(fragment)];
  return `\t\troute ${matcher} {
\t\t\timport waymark_query_${kind.id}
\t\t\tredir * \`${start}{waymark_query}${end}\` 302
\t\t}
`;
}

/**
 * Writes the snippets that make `{waymark_query}` of the query of a visitor, by the kind of the location.
 * Each parameter has an & behind it meanwhile.
 */
function querySnippets(kinds: QueryKinds): string {
  if (kinds.size === 0) return '';
  const step = (source: string, result: string, lines: readonly string[]) =>
    `\tmap {${source}} {${result}} {\n${lines.map((line) => `\t\t${line}\n`).join('')}\t}\n`;
  const gaps = Array.from({ length: maxGaps }, (_, at) => `waymark_gap_${at + 1}`);
  const sources = ['waymark_args', ...gaps];
  const snippets = Array.from(kinds.values(), (kind) => {
    const steps = gaps.map((gap, at) => {
      const pattern = `\`~^(${kept})${leftOut(kind)}(.*)$\``;
      return step(sources[at] ?? '', gap, [`${pattern} "$1$2"`, `default {${sources[at]}}`]);
    });
    const last = step(sources.at(-1) ?? '', 'waymark_query', [
      `\`~^${kept}${leftOut(kind)}\` ""`,
      `\`~^(.+)&$\` "${kind.joint}$1"`,
      'default ""',
    ]);
    const first = step('http.request.orig_uri.query', 'waymark_args', [
      `\`~${passedQuery}\` "$1&"`,
      'default ""',
    ]);
    return `(waymark_query_${kind.id}) {\n${first}${steps.join('')}${last}}\n`;
  });
  return `# What a visitor's query adds to the locations of links that pass it on: up to ${maxPassedBytes} bytes, without
# parameters that the location has. With more than ${maxGaps} of them between others, it adds nothing.
${snippets.join('')}
`;
}

/** Escapes a path, or a part of one, for a regular expression of Go, as one word. */
function asPattern(path: string): string {
  return path.replace(/[^\p{L}\p{M}\p{N}/]/gu, (character) =>
    // Longer escapes have braces, which Caddy reads as placeholders.
    character.charCodeAt(0) < 256
      ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
      : character,
  );
}

/** Returns a pattern of a character of an encoded path, which may have some marks as they are. */
function asEncodedPattern(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  const encoded = bytes.map((byte) => `%${byte}`).join('');
  return /[.,)!']/.test(character) ? `${asPattern(character)}|${encoded}` : encoded;
}

function head(map: RedirectMap, exact: ReadonlySet<string>, kinds: QueryKinds): string {
  const { prefixes, codes, domains = [] } = map;
  const sites = [
    ...new Set([...prefixes, ...domains.map(({ url }) => url)].map((url) => new URL(url).origin)),
  ];
  // Caddy answers 200 for all other hosts, so that a link that leads nowhere looks as if it worked.
  const ports = new Set(
    sites.flatMap((site) => {
      const { protocol, port } = new URL(site);
      return protocol === 'http:' ? `http://${port === '' ? '' : `:${port}`}` : 'http://';
    }),
  );
  // With the slash, since Caddy would also strip /q from /q1234567.
  const paths = pathPrefixes(prefixes).map((path) => `\t\turi ${path}/* strip_prefix ${path}\n`);
  const kept = [...exact].map((path) => foldedPattern(path, asPattern)).join('|');
  const not = kept === '' ? '' : `\t\tnot path_regexp (?i)^/(?:${kept})$\n`;
  const other = `@other {\n\t\tpath */\n${not}\t}`;
  return `# Destinations of ${formatCount(codes, 'printed code')}, exported by Waymark. Use this file as the Caddyfile, or import
# it there.

${querySnippets(kinds)}${[...sites, ...ports].join(', ') || ':80'} {
\theader {
\t\tCache-Control no-store
\t\tReferrer-Policy no-referrer
\t\tX-Robots-Tag noindex
\t}
\t@write not method GET HEAD
\t${other}
\t# No path has an empty segment, and an encoded slash does not end one.
\t@empty vars_regexp {http.request.orig_uri.path} ^[^&]*//
\t@encoded path *%2F
${unprompted}${hostMatchers(map)}\troute {
\t\trespond @write 405
\t\thandle @empty {
${unknown(map)}\t\t}
\t\thandle @encoded {
${unknown(map)}\t\t}
${paths.join('')}${fronts(map)}\t\turi @other strip_suffix /
`;
}

// Programs ask for some paths by themselves, and follow no redirect there.
const unprompted = `\t@unprompted path_regexp ^/${askedUnprompted.source.slice(1).replaceAll('\\/', '/')}\n`;

/** Writes the matchers of the hosts that have pages of their own. */
function hostMatchers(map: RedirectMap): string {
  return pagesOf(map)
    .flatMap(({ host }, at) => (host === null ? [] : `\t@host${at} host ${host}\n`))
    .join('');
}

function fronts(map: RedirectMap): string {
  return pagesOf(map)
    .flatMap(({ host, frontUrl }, at) => {
      if (host === null) return frontUrl === null ? [] : `\t\tredir / ${quoted(frontUrl)} 302\n`;
      const response = frontUrl === null ? 'respond / 404' : `redir / ${quoted(frontUrl)} 302`;
      return `\t\thandle @host${at} {\n\t\t\t${response}\n\t\t}\n`;
    })
    .join('');
}

function unknown(map: RedirectMap): string {
  const pages = pagesOf(map);
  if (pages.every(({ notFoundUrl }) => notFoundUrl === null)) return '\t\trespond 404\n';
  const lines = pages.map(({ host, notFoundUrl }, at) => {
    const matcher = host === null ? '*' : `@host${at}`;
    return notFoundUrl === null
      ? `\t\trespond ${matcher} 404\n`
      : `\t\tredir ${matcher} ${quoted(notFoundUrl)} 302\n`;
  });
  return `\t\trespond @unprompted 404\n${lines.join('')}`;
}

/**
 * Quotes a location as one word.
 * Braces are escaped only in a word with an opening brace: in others Caddy keeps the backslashes.
 */
function quoted(location: string): string {
  const text = withoutUnsafe(location);
  return `\`${text.includes('{') ? escaped(location) : text}\``;
}

/** Escapes the braces of a text, which Caddy reads as placeholders. */
function escaped(text: string): string {
  return withoutUnsafe(text).replace(/[{}]/g, '\\$&');
}

/** Percent-encodes what cannot be escaped: backticks, and `{$`, an environment variable even in quotes. */
function withoutUnsafe(text: string): string {
  return text.replaceAll('{$', '%7B$').replaceAll('`', '%60');
}
