import { askedUnprompted, pathPrefixes } from '../../../core/codes/path.ts';
import { maxTailLength } from '../../../core/codes/urls/resolve.ts';
import { formatCount } from '../../../lib/numbers.ts';
import {
  foldedPattern,
  isImported,
  locationFor,
  pathRedirects,
  pathsWithSlash,
  type RedirectMap,
  tailPattern,
} from './redirect-map.ts';

// nginx rejects words longer than its buffer of 4,096 bytes, and an encoded destination may have 24,000. Long
// locations are split over several maps.
const maxWordLength = 3000;

/**
 * Writes a file for the `http` block of nginx.
 * Its maps are case-insensitive hashes, one of the paths and one of the codes. What resembles a link is looked up as
 * `keysOf` says: paths that differ only in case have locations of their own, which come first.
 */
export async function* nginx(map: RedirectMap): AsyncGenerator<string> {
  yield head(map);
  const paths = yield* mapOf('path', map, pathEntries);
  const codes = yield* mapOf('code', map, codeEntries);
  yield* server(map, { path: paths, code: codes });
}

/** A line of a map: what is looked up, and the words of its location. */
type Entry = readonly [key: string, words: readonly string[]];

/**
 * Writes the maps of paths or codes.
 * The first has the first word of each location, the next one the second.
 *
 * @returns number of maps
 */
async function* mapOf(
  name: 'path' | 'code',
  map: RedirectMap,
  read: (map: RedirectMap) => AsyncIterable<Entry>,
): AsyncGenerator<string, number> {
  let parts = 1;
  for (let part = 0; part < parts; part++) {
    yield `map $waymark_${name} $waymark_${name}_${part} {\n    volatile;\n    default "";\n`;
    for await (const [key, words] of read(map)) {
      parts = Math.max(parts, words.length);
      const word = words[part];
      if (word !== undefined) yield `    "${key}" "${word}";\n`;
    }
    yield '}\n\n';
  }
  return parts;
}

async function* codeEntries(map: RedirectMap): AsyncGenerator<Entry> {
  for await (const redirect of map.redirects())
    if (!isImported(redirect)) yield [redirect.code, wordsFor(locationFor(redirect))];
}

async function* pathEntries(map: RedirectMap): AsyncGenerator<Entry> {
  for await (const { path, location, isAlone, hasSlash } of pathsInOrder(map)) {
    if (!isAlone) continue;
    const words = wordsFor(location);
    const isAscii = /^[\0-\x7f]*$/.test(path);
    if (!isAscii) yield [`~*^/${foldedPattern(path, asPattern)}${hasSlash ? '' : '/?'}$`, words];
    else for (const one of hasSlash ? [path] : [path, `${path}/`]) yield [`/${asWord(one)}`, words];
  }
}

/** Reads the paths, and whether a slash at the end of each matters. */
async function* pathsInOrder(map: RedirectMap) {
  const exact = await pathsWithSlash(map);
  for await (const redirect of pathRedirects(map)) {
    const { path } = redirect;
    yield { ...redirect, hasSlash: path.endsWith('/') || exact.has(`${path}/`) };
  }
}

const wordsFor = (location: string | null) => (location === null ? ['gone'] : wordsOf(location));

function asWord(path: string): string {
  return path.replace(/["\\]/g, '\\$&');
}

function head({ codes, prefixes }: RedirectMap): string {
  const before = pathPrefixes(prefixes).map((prefix) => asPattern(prefix));
  const tail = tailPattern(asPattern);
  const digits = Array.from({ length: 8 }, (_, at) => at + 1);
  const digit = (at: number) => `map $waymark_character_${at} $waymark_digit_${at} {
    volatile;
    default $waymark_character_${at};
    o 0;
    i 1;
    l 1;
}
`;
  return `# Destinations of ${formatCount(codes, 'printed code')}, exported by Waymark. Include this file in the http block of
# nginx, for example as /etc/nginx/conf.d/waymark.conf.

map_hash_max_size ${Math.max(2048, 2 * codes)};
map_hash_bucket_size 1024;

# The only way to write a dollar sign.
geo $waymark_dollar {
    default "$";
}

map $uri $waymark_path {
    volatile;
    default "";
    "~*^${before.length === 0 ? '' : `(?:${before.join('|')})?`}(?<waymark_rest>/.*)$" $waymark_rest;
}

# The path without what people and programs put behind a link.
map $waymark_path $waymark_cut {
    volatile;
    default "";
    "~^(?<waymark_kept>/[^&]+?)${tail}{0,${maxTailLength}}&" $waymark_kept;
    "~^(?<waymark_kept>/[^&]+?)${tail}{1,${maxTailLength}}/?$" $waymark_kept;
}

# A code, in which o, i and l are read as 0 and 1.
${digits.map(digit).join('')}
map $waymark_path $waymark_code {
    volatile;
    default "";
    "~^/${digits.map((at) => `(?<waymark_character_${at}>[0-9A-Za-z])`).join('')}/?$" ${digits.map((at) => `$waymark_digit_${at}`).join('')};
}

`;
}

async function* server(
  map: RedirectMap,
  parts: Readonly<Record<'path' | 'code', number>>,
): AsyncGenerator<string> {
  const { prefixes, rootUrl, notFoundUrl } = map;
  const hosts = [...new Set(prefixes.map((prefix) => new URL(prefix).hostname))];
  const ports = [...new Set(prefixes.map((prefix) => new URL(prefix).port || '80'))];
  const follow = (
    name: 'path' | 'code',
  ) => `        if ($waymark_${name}_0 = "gone") { return 410; }
        if ($waymark_${name}_0 != "") { return 302 ${Array.from({ length: parts[name] }, (_, part) => `$waymark_${name}_${part}`).join('')}; }
`;
  yield `server {
${(ports.length === 0 ? ['80'] : ports).map((port) => `    listen ${port};\n`).join('')}    # For https add: listen 443 ssl; ssl_certificate …; ssl_certificate_key …;
    server_name ${hosts.join(' ') || '_'};

    add_header Cache-Control "no-store" always;
    add_header Referrer-Policy "no-referrer" always;
    add_header X-Robots-Tag "noindex" always;

    merge_slashes off;
    set $waymark_is_cut "";
    if ($request_method !~ "^(?:GET|HEAD)$") { return 405; }
    # No path has an empty segment, and an encoded slash does not end one.
    if ($uri ~ "^[^&]*//") { return 404; }
    if ($request_uri ~* "%2f(?:\\?|$)") { return 404; }
    error_page 404 = @waymark_unknown;

    location / {
${follow('path')}${follow('code')}        if ($waymark_is_cut != "") { return 404; }
        set $waymark_is_cut "$waymark_cut";
        if ($waymark_cut != "") { rewrite ^ $waymark_cut last; }
        return 404;
    }

    location @waymark_unknown {
${unknown(notFoundUrl)}    }
${rootUrl === null ? '' : `\n    location = / { return 302 "${wordsOf(rootUrl).join('')}"; }\n`}
`;
  for await (const { path, location, isAlone, hasSlash } of pathsInOrder(map)) {
    if (isAlone) continue;
    const words = location === null ? [] : wordsOf(location);
    const names = words.map((_, part) => `$waymark_link_${part}`);
    const sets = words.map((word, part) => `set ${names[part]} "${word}"; `).join('');
    const response = location === null ? 'return 410;' : `${sets}return 302 ${names.join('')};`;
    for (const prefix of ['', ...pathPrefixes(prefixes)])
      for (const one of hasSlash ? [path] : [path, `${path}/`])
        yield `    location = "${asWord(`${prefix}/${one}`)}" { ${response} }\n`;
  }
  yield '}\n';
}

/** Programs ask for some paths by themselves, and follow no redirect there. */
function unknown(notFoundUrl: string | null): string {
  if (notFoundUrl === null) return '        return 404;\n';
  return `        if ($uri ~ "^/${askedUnprompted.source.slice(1).replaceAll('\\/', '/')}") { return 404; }
        return 302 "${wordsOf(notFoundUrl).join('')}";
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

/** Escapes a text for a quoted regular expression. */
function asPattern(text: string): string {
  return text.replace(/[\p{Cc}\\^$.*+?()[\]{}|"]/gu, (character) =>
    character < ' '
      ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
      : `\\${character}`,
  );
}
