import type { SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { type LabelName, mapLabels } from '../fields.ts';
import { trimInvisible } from '../urls/destination.ts';
import { headerKey, headerWords, wordsOf } from './header-words.ts';

/** A link of another service, as its export has it. Texts are not parsed yet; missing ones are empty. */
export interface ForeignLink extends Readonly<Record<LabelName, string>> {
  /** Position in the file, from 1: the record of a table, which may have a header, or the link of a list. */
  readonly row: number;
  /** Printed address, or its path. */
  readonly short: string;
  readonly destination: string;
  readonly scans: string;
  readonly created: string;
  readonly lastScan: string;
}

export const linkSources = ['csv', 'shlink', 'kutt', 'yourls', 'dub'] as const;
export type LinkSource = (typeof linkSources)[number];

/** Words for an address that may be the printed one, or for both. */
const isOnlyDestination = (word: string) =>
  !/^(link|url|address|uri|href|www|https?|qr|domain|site|web|page|redirect|to$)/.test(word);

type Field = Exclude<keyof ForeignLink, 'row' | 'short'> | 'link' | 'path' | 'domain';

/**
 * Names of the fields in the exports of each service, in the order of preference. They are compared without
 * case, spaces, dots and underscores.
 */
const fieldNames: Readonly<
  Record<LinkSource, Readonly<Partial<Record<Field, readonly string[]>>>>
> = {
  // The CSV of shlink-web-client, and the JSON of GET /rest/v3/short-urls.
  shlink: {
    link: ['shortUrl'],
    path: ['shortCode'],
    domain: ['domain'],
    destination: ['longUrl'],
    name: ['title'],
    scans: ['visits', 'visitsSummary.total', 'visitsCount'],
    created: ['createdAt', 'dateCreated'],
  },
  // The JSON of GET /api/v2/links, and the table "links" of the database.
  kutt: {
    link: ['link'],
    path: ['address'],
    domain: ['domain'],
    destination: ['target'],
    note: ['description'],
    scans: ['visit_count'],
    created: ['created_at'],
  },
  // The table "yourls_url", and the JSON of the API action "stats".
  yourls: {
    link: ['shorturl'],
    path: ['keyword'],
    destination: ['url', 'longurl'],
    name: ['title'],
    scans: ['clicks'],
    created: ['timestamp', 'date'],
  },
  // The CSV export of the web app, and the JSON of GET /links.
  dub: {
    link: ['Short link'],
    path: ['key'],
    domain: ['domain'],
    destination: ['Destination URL', 'url'],
    name: ['title'],
    note: ['comments'],
    scans: ['clicks'],
    created: ['Created at'],
    lastScan: ['Last clicked'],
  },
  // Also the columns of Bitly, Rebrandly, Short.io and TinyURL.
  csv: {
    link: wordsOf(
      'short link, short url, secure short url, bitlink, tiny url, printed url, old url, old link, short, qr url, ' +
        'qr code url, link, source, from',
    ),
    path: wordsOf(
      'path, slug, short code, code, keyword, slashtag, alias, back half, key, short path, old path, pfad, chemin, ' +
        'ruta, caminho, percorso, pad, ścieżka, путь, パス, 路径, 路徑, 경로',
    ),
    domain: ['domain', 'host', 'domain.fullName'],
    destination: [
      ...wordsOf(
        'destination, destination url, target, long url, original url, to, new url, full link, content',
      ),
      ...headerWords.destination.filter(isOnlyDestination),
    ],
    ...mapLabels((_, { headers }) => headers),
    scans: wordsOf(
      'scans, clicks, total clicks, visits, hits, visit count, click count, engagements, total engagements, ' +
        'total scans, klicks, aufrufe',
    ),
    created: wordsOf(
      'created, created at, date created, created date, creation date, erstellt, date',
    ),
    lastScan: wordsOf(
      'last scan, last click, last clicked, last visit, last scan at, last click at',
    ),
  },
};

/** Fields by which an export is recognized. */
const signatures: readonly [LinkSource, readonly string[]][] = [
  ['shlink', ['shortCode', 'longUrl']],
  ['kutt', ['address', 'target']],
  ['yourls', ['keyword', 'url']],
  ['yourls', ['shorturl', 'url', 'clicks']],
  ['dub', ['Short link', 'Destination URL']],
  ['dub', ['domain', 'key', 'url']],
];

/** Returns the service whose export has these fields; `csv` for any other table. */
export function detectSource(names: readonly string[]): LinkSource {
  const known = new Set(names.map(headerKey));
  const found = signatures.find(([, needed]) => needed.every((name) => known.has(headerKey(name))));
  return found?.[0] ?? 'csv';
}

/** Reads links from values in the order of named fields. */
export interface LinkReader {
  /** Names of the fields that are not read. */
  readonly ignored: readonly string[];
  read(row: number, cells: readonly SheetCell[]): ForeignLink;
}

/** Returns the reader of named fields, or null when they lack the printed address or the destination. */
export function linkReader(names: readonly string[], source: LinkSource): LinkReader | null {
  const known = names.map(headerKey);
  const indexOf = (field: Field): number => {
    for (const name of fieldNames[source][field] ?? []) {
      const index = known.indexOf(headerKey(name));
      if (index !== -1) return index;
    }
    return -1;
  };
  const at: Record<Field, number> = {
    link: indexOf('link'),
    path: indexOf('path'),
    domain: indexOf('domain'),
    destination: indexOf('destination'),
    ...mapLabels(indexOf),
    scans: indexOf('scans'),
    created: indexOf('created'),
    lastScan: indexOf('lastScan'),
  };
  // A column "url" is the other one of the two addresses.
  const url = known.indexOf('url');
  if (source === 'csv' && url !== -1) {
    if (at.destination === -1) at.destination = url;
    else if (at.link === -1 && at.path === -1) at.link = url;
  }
  if (at.destination === -1 || (at.link === -1 && at.path === -1)) return null;
  const used = new Set(Object.values(at));
  const ignored = names.filter((name, index) => name !== '' && !used.has(index));
  const read: LinkReader['read'] = (row, cells) => {
    const value = (field: Field) => {
      const text = trimInvisible(cells[at[field]]?.text ?? '');
      // So databases write that there is none. A printed path may be the word.
      return field !== 'path' && (text === 'NULL' || text === '\\N') ? '' : text;
    };
    const { text = '', link = null } = cells[at.destination] ?? {};
    return {
      row,
      short: withScheme(value('link')) || withDomain(value('domain'), value('path')),
      destination: /^https?:/i.test(text) ? value('destination') : (link ?? value('destination')),
      ...mapLabels(value),
      scans: value('scans'),
      created: value('created'),
      lastScan: value('lastScan'),
    };
  };
  return { ignored, read };
}

/** Adds `https://` to a printed address that begins with a host, as Bitly and Rebrandly write it. */
function withScheme(link: string): string {
  return /^[^\s/:.]+(?:\.[^\s/:.]+)+(?::\d+)?\/./.test(link) ? `https://${link}` : link;
}

/** Returns the printed address where a domain is given. The path alone has no scheme and host. */
function withDomain(domain: string, path: string): string {
  return domain === '' || path === '' || /^https?:/i.test(path)
    ? path
    : `https://${domain}/${path}`;
}
