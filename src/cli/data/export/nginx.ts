import { askedUnprompted, pathPrefixes } from '../../../core/codes/path.ts';
import { maxPassedBytes } from '../../../core/codes/urls/pass-query.ts';
import { maxTailLength } from '../../../core/codes/urls/resolve.ts';
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

// nginx rejects words longer than its buffer of 4,096 bytes, and an encoded destination may have 24,000. Long
// locations are split over several maps.
const maxWordLength = 3000;

/**
 * Writes a file for the `http` block of nginx.
 * Its maps are case-insensitive hashes, one of the paths and one of the codes. What resembles a link is looked up as
 * `keysOf` says: paths that differ only in case have locations of their own, which come first.
 */
export async function* nginx(map: RedirectMap): AsyncGenerator<string> {
  const kinds = await queryKindsOf(map);
  yield head(map);
  yield pageMap('front', map);
  yield pageMap('unknown', map);
  yield queryMaps(kinds);
  const path = yield* mapsOf('path', '$waymark_path', () => pathEntries(map), kinds);
  const own = yield* mapsOf('own', '"//$host$waymark_path"', () => ownEntries(map), kinds);
  const code = yield* mapsOf('code', '$waymark_code', () => codeEntries(map), kinds);
  yield* server(map, kinds, { own, path, code });
}

/** Paths of domains beside the main one, paths of the main one, and codes. */
type MapName = 'own' | 'path' | 'code';

/** What is looked up, and where it leads. */
interface Entry extends Pick<PathRedirect, 'location' | 'passesQuery'> {
  readonly key: string;
}

/**
 * Writes the maps of paths or codes: of their locations, and of what those add that pass the query on.
 *
 * @returns the variables of a location
 */
async function* mapsOf(
  name: MapName,
  source: string,
  entries: () => AsyncIterable<Entry>,
  kinds: QueryKinds,
): AsyncGenerator<string, string> {
  const variable = `$waymark_${name}`;
  const split = ({ location, passesQuery }: Entry) =>
    location === null ? null : splitLocation(location, passesQuery, kinds);
  const words = (entry: Entry) => wordsOf(split(entry)?.before ?? 'gone');
  const before = yield* mapOf(variable, source, entries, words);
  if (kinds.size === 0) return before;
  yield* mapOf(`${variable}_kind`, source, entries, (entry) => {
    const kind = split(entry)?.kind ?? null;
    return kind === null ? [] : [String(kind.id)];
  });
  const lines = Array.from(kinds.values(), ({ id }) => `    ${id} $waymark_query_${id};\n`);
  yield `map ${variable}_kind_0 ${variable}_query {\n    volatile;\n    default "";\n${lines.join('')}}\n\n`;
  const fragment = yield* mapOf(`${variable}_fragment`, source, entries, (entry) =>
    wordsOf(split(entry)?.fragment ?? '').filter((word) => word !== ''),
  );
  return `${before}${variable}_query${fragment}`;
}

/**
 * Writes the maps of words.
 * The first has the first word of each entry, the next one the second.
 *
 * @returns the variables of the words
 */
async function* mapOf(
  variable: string,
  source: string,
  entries: () => AsyncIterable<Entry>,
  wordsFor: (entry: Entry) => readonly string[],
): AsyncGenerator<string, string> {
  let variables = '';
  let parts = 1;
  for (let part = 0; part < parts; part++) {
    yield `map ${source} ${variable}_${part} {\n    volatile;\n    default "";\n`;
    for await (const entry of entries()) {
      const words = wordsFor(entry);
      parts = Math.max(parts, words.length);
      const word = words[part];
      if (word !== undefined) yield `    "${entry.key}" "${word}";\n`;
    }
    yield '}\n\n';
    variables += `${variable}_${part}`;
  }
  return variables;
}

/**
 * Writes the maps of the query that links pass on, by the kind of their locations.
 * Each parameter has an & behind it meanwhile.
 */
function queryMaps(kinds: QueryKinds): string {
  if (kinds.size === 0) return '';
  const step = (source: string, variable: string, lines: readonly string[]) =>
    `map ${source} ${variable} {\n    volatile;\n${lines.map((line) => `    ${line};\n`).join('')}}\n\n`;
  const maps = Array.from(kinds.values(), (kind) => {
    const variable = `$waymark_query_${kind.id}`;
    const sources = ['$waymark_args', ...gaps.map((gap) => `${variable}_${gap}`)];
    const removed = gaps.map((gap, at) => {
      const source = sources[at] ?? '';
      const pattern = `~^(?<waymark_first>${kept})${leftOut(kind)}(?<waymark_last>.*)$`;
      const value = '$waymark_first$waymark_last';
      return step(source, `${variable}_${gap}`, [`default ${source}`, `"${pattern}" "${value}"`]);
    });
    const last = step(sources.at(-1) ?? '', variable, [
      'default ""',
      `"~^${kept}${leftOut(kind)}" ""`,
      `"~^(?<waymark_passed>.+)&$" "${kind.joint}$waymark_passed"`,
    ]);
    return removed.join('') + last;
  });
  const args = step('$args', '$waymark_args', ['default ""', `"~${passedQuery}" "$args&"`]);
  return `# What a visitor's query adds to the locations of links that pass it on: up to ${maxPassedBytes} bytes, without
# parameters that the location has. With more than ${maxGaps} of them between others, it adds nothing.
${args}${maps.join('')}`;
}

const gaps = Array.from({ length: maxGaps }, (_, at) => at + 1);

async function* codeEntries(map: RedirectMap): AsyncGenerator<Entry> {
  for await (const redirect of map.redirects()) {
    const passesQuery = redirect.query !== null;
    if (!isImported(redirect))
      yield { key: redirect.code, location: locationFor(redirect), passesQuery };
  }
}

async function* pathEntries(map: RedirectMap): AsyncGenerator<Entry> {
  for await (const { host, path, isAlone, hasSlash, ...link } of pathsInOrder(map)) {
    if (!isAlone || host !== null) continue;
    const isAscii = /^[\0-\x7f]*$/.test(path);
    const pattern = `~*^/${foldedPattern(path, asPattern)}${hasSlash ? '' : '/?'}$`;
    if (!isAscii) yield { ...link, key: pattern };
    else
      for (const one of hasSlash ? [path] : [path, `${path}/`])
        yield { ...link, key: `/${asWord(one)}` };
  }
}

/** Returns the paths of domains beside the main one. Those that differ only in case are patterns that regard it. */
async function* ownEntries(map: RedirectMap): AsyncGenerator<Entry> {
  for await (const { host, path, isAlone, hasSlash, ...link } of pathsInOrder(map)) {
    if (host === null) continue;
    const before = `//${host}/`;
    const end = hasSlash ? '' : '/?';
    const isAscii = /^[\0-\x7f]*$/.test(path);
    if (!isAlone) yield { ...link, key: `~^${asPattern(before + path)}${end}$` };
    else if (!isAscii) {
      const folded = `${asPattern(before)}${foldedPattern(path, asPattern)}`;
      yield { ...link, key: `~*^${folded}${end}$` };
    } else
      for (const one of hasSlash ? [path] : [path, `${path}/`])
        yield { ...link, key: asWord(before + one) };
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
  kinds: QueryKinds,
  locations: Readonly<Record<MapName, string>>,
): AsyncGenerator<string> {
  const { prefixes } = map;
  const pages = pagesOf(map);
  const ofDomains = pages.flatMap(({ host }) => host ?? []);
  const hosts = [...new Set([...prefixes.map((prefix) => new URL(prefix).hostname), ...ofDomains])];
  const ports = [...new Set(prefixes.map((prefix) => new URL(prefix).port || '80'))];
  const follow = (name: MapName) => `        if ($waymark_${name}_0 = "gone") { return 410; }
        if ($waymark_${name}_0 != "") { return 302 ${locations[name]}; }
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
  for await (const { host, path, location, passesQuery, isAlone, hasSlash } of pathsInOrder(map)) {
    if (isAlone || host !== null) continue;
    const response =
      location === null ? 'return 410;' : respondTo(splitLocation(location, passesQuery, kinds));
    for (const prefix of ['', ...pathPrefixes(prefixes)])
      for (const one of hasSlash ? [path] : [path, `${path}/`])
        yield `    location = "${asWord(`${prefix}/${one}`)}" { ${response} }\n`;
  }
  yield '}\n';
}

function respondTo({ before, kind, fragment }: SplitLocation): string {
  const [first, last] = [wordsOf(before), wordsOf(fragment)];
  const words = [...first, ...last];
  const names = words.map((_, part) => `$waymark_link_${part}`);
  const sets = words.map((word, part) => `set ${names[part]} "${word}"; `).join('');
  const query = kind === null ? '' : `$waymark_query_${kind.id}`;
  const [beforeNames, afterNames] = [names.slice(0, first.length), names.slice(first.length)];
  return `${sets}return 302 ${[...beforeNames, query, ...afterNames].join('')};`;
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
