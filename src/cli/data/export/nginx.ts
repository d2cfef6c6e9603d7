import { pathPrefixes } from '../../../core/codes/path.ts';
import { formatCount } from '../../../lib/numbers.ts';
import {
  isImported,
  locationFor,
  type PathRedirect,
  pathRedirects,
  pathsWithSlash,
  type RedirectMap,
} from './redirect-map.ts';

// nginx rejects words longer than its buffer of 4,096 bytes, and an encoded destination may have 24,000. Long
// locations are split over several maps.
const maxWordLength = 3000;

/**
 * Writes a file for the `http` block of nginx.
 * The map, which is a case-insensitive hash, and a server.
 */
export async function* nginx(map: RedirectMap): AsyncGenerator<string> {
  yield head(map);
  let parts = 1;
  for (let part = 0; part < parts; part++) {
    yield `map $waymark_code $waymark_to_${part} {\n    default "";\n`;
    for await (const redirect of map.redirects()) {
      if (isImported(redirect)) continue;
      const location = locationFor(redirect);
      const words = location === null ? ['gone'] : wordsOf(location);
      parts = Math.max(parts, words.length);
      const word = words[part];
      if (word !== undefined) yield `    ${redirect.code} "${word}";\n`;
    }
    yield '}\n\n';
  }
  yield server(map, parts);
  const exact = await pathsWithSlash(map);
  for await (const redirect of pathRedirects(map)) yield pathLocations(map, redirect, exact);
  yield '}\n';
}

/** Writes exact locations, which come before patterns and whose case matters. */
function pathLocations(
  { prefixes }: RedirectMap,
  { path: own, location }: PathRedirect,
  exact: ReadonlySet<string>,
): string {
  const words = location === null ? [] : wordsOf(location);
  const names = words.map((_, part) => `$waymark_link_${part}`);
  const sets = words.map((word, part) => `set ${names[part]} "${word}"; `).join('');
  const response = location === null ? 'return 410;' : `${sets}return 302 ${names.join('')};`;
  const paths = own.endsWith('/') || exact.has(`${own}/`) ? [own] : [own, `${own}/`];
  return ['', ...pathPrefixes(prefixes)]
    .flatMap((prefix) => paths.map((path) => asWord(`${prefix}/${path}`)))
    .map((path) => `    location = "${path}" { ${response} }\n`)
    .join('');
}

function asWord(path: string): string {
  return path.replace(/["\\]/g, '\\$&');
}

function head({ codes }: RedirectMap): string {
  return `# Destinations of ${formatCount(codes, 'printed code')}, exported by Waymark. Include this file in the http block of
# nginx, for example as /etc/nginx/conf.d/waymark.conf.

map_hash_max_size ${Math.max(2048, codes)};
map_hash_bucket_size 512;

# The only way to write a dollar sign.
geo $waymark_dollar {
    default "$";
}

`;
}

function server({ prefixes }: RedirectMap, parts: number): string {
  const paths = pathPrefixes(prefixes).map(asPattern);
  const before = paths.length === 0 ? '' : `(?:${paths.join('|')})?`;
  const to = Array.from({ length: parts }, (_, part) => `$waymark_to_${part}`).join('');
  const hosts = [...new Set(prefixes.map((prefix) => new URL(prefix).hostname))];
  const ports = [...new Set(prefixes.map((prefix) => new URL(prefix).port || '80'))];
  return `server {
${(ports.length === 0 ? ['80'] : ports).map((port) => `    listen ${port};\n`).join('')}    # For https add: listen 443 ssl; ssl_certificate …; ssl_certificate_key …;
    server_name ${hosts.join(' ') || '_'};

    add_header Cache-Control "no-store" always;
    add_header Referrer-Policy "no-referrer" always;
    add_header X-Robots-Tag "noindex" always;

    location ~* "^${before}/(?<waymark_code>[0-9a-z]{8})/?$" {
        if ($waymark_to_0 = "") { return 404; }
        if ($waymark_to_0 = "gone") { return 410; }
        return 302 ${to};
    }

    location / {
        return 404;
    }
`;
}

/** Splits a location into escaped words below the length limit. */
function wordsOf(location: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of location) {
    if (word.length > maxWordLength) {
      words.push(word);
      word = '';
    }
    word += escapes[character] ?? character;
  }
  return [...words, word];
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  $: '$' + '{waymark_dollar}',
};

/** Escapes a path for a quoted regular expression. */
function asPattern(path: string): string {
  return path.replace(/[\\^$.*+?()[\]{}|"]/g, '\\$&');
}
