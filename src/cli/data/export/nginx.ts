import { askedUnprompted, pathPrefixes } from '../../../core/codes/path.ts';
import { maxTailLength } from '../../../core/codes/urls/resolve.ts';
import { formatCount } from '../../../lib/numbers.ts';
import {
  foldedPattern,
  isImported,
  locationFor,
  pagesOf,
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
  yield pageMap('front', map);
  yield pageMap('unknown', map);
  const paths = yield* mapOf('path', map, pathEntries);
  const own = yield* mapOf('own', map, ownEntries);
  const codes = yield* mapOf('code', map, codeEntries);
  yield* server(map, { own, path: paths, code: codes });
}

/** Paths of domains beside the main one, paths of the main one, and codes. */
type MapName = 'own' | 'path' | 'code';

/** A line of a map: what is looked up, and the words of its location. */
type Entry = readonly [key: string, words: readonly string[]];

/**
 * Writes the maps of paths or codes.
 * The first has the first word of each location, the next one the second.
 *
 * @returns number of maps
 */
async function* mapOf(
  name: MapName,
  map: RedirectMap,
  read: (map: RedirectMap) => AsyncIterable<Entry>,
): AsyncGenerator<string, number> {
  let parts = 1;
  for (let part = 0; part < parts; part++) {
    const source = name === 'own' ? '"//$host$waymark_path"' : `$waymark_${name}`;
    yield `map ${source} $waymark_${name}_${part} {\n    volatile;\n    default "";\n`;
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
  for await (const { host, path, location, isAlone, hasSlash } of pathsInOrder(map)) {
    if (!isAlone || host !== null) continue;
    const words = wordsFor(location);
    const isAscii = /^[\0-\x7f]*$/.test(path);
    if (!isAscii) yield [`~*^/${foldedPattern(path, asPattern)}${hasSlash ? '' : '/?'}$`, words];
    else for (const one of hasSlash ? [path] : [path, `${path}/`]) yield [`/${asWord(one)}`, words];
  }
}

/** Returns the paths of domains beside the main one. Those that differ only in case are patterns that regard it. */
async function* ownEntries(map: RedirectMap): AsyncGenerator<Entry> {
  for await (const { host, path, location, isAlone, hasSlash } of pathsInOrder(map)) {
    if (host === null) continue;
    const words = wordsFor(location);
    const before = `//${host}/`;
    const end = hasSlash ? '' : '/?';
    const isAscii = /^[\0-\x7f]*$/.test(path);
    if (!isAlone) yield [`~^${asPattern(before + path)}${end}$`, words];
    else if (!isAscii)
      yield [`~*^${asPattern(before)}${foldedPattern(path, asPattern)}${end}$`, words];
    else
      for (const one of hasSlash ? [path] : [path, `${path}/`]) yield [asWord(before + one), words];
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
  parts: Readonly<Record<MapName, number>>,
): AsyncGenerator<string> {
  const { prefixes } = map;
  const pages = pagesOf(map);
  const ofDomains = pages.flatMap(({ host }) => host ?? []);
  const hosts = [...new Set([...prefixes.map((prefix) => new URL(prefix).hostname), ...ofDomains])];
  const ports = [...new Set(prefixes.map((prefix) => new URL(prefix).port || '80'))];
  const follow = (name: MapName) => `        if ($waymark_${name}_0 = "gone") { return 410; }
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
${follow('own')}${follow('path')}${follow('code')}        if ($waymark_is_cut != "") { return 404; }
        set $waymark_is_cut "$waymark_cut";
        if ($waymark_cut != "") { rewrite ^ $waymark_cut last; }
        return 404;
    }

    location @waymark_unknown {
        if ($uri ~ "^/${askedUnprompted.source.slice(1).replaceAll('\\/', '/')}") { return 404; }
        if ($waymark_unknown != "") { return 302 $waymark_unknown; }
        return 404;
    }

    location = / {
        if ($waymark_front != "") { return 302 $waymark_front; }
        return 404;
    }

`;
  for await (const { host, path, location, isAlone, hasSlash } of pathsInOrder(map)) {
    if (isAlone || host !== null) continue;
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

/** Writes the map of the front pages of hosts, or of their pages for unknown paths. */
function pageMap(name: 'front' | 'unknown', map: RedirectMap): string {
  const lines = pagesOf(map).map(({ host, frontUrl, notFoundUrl }) => {
    const url = name === 'front' ? frontUrl : notFoundUrl;
    return `    ${host ?? 'default'} "${url === null ? '' : wordsOf(url).join('')}";\n`;
  });
  return `map $host $waymark_${name} {\n${lines.join('')}}\n\n`;
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
