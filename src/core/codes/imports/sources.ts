import type { SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import type { LinkReason, RowReason } from '../../reasons.ts';
import { type LinkLabelName, mapLinkLabels } from '../fields.ts';
import { destinationIn, destinationProblem, textProblem } from '../tables/cell-address.ts';
import {
  addressesOf,
  furtherAddresses,
  isUnknownForm,
  printedAddress,
  withDomain,
} from './addresses.ts';
import { type Difference, differenceReader } from './differences.ts';
import { headerKey, headerWords, wordsOf } from './header-words.ts';
import { type Bound, type InactiveReason, stateReader } from './inactive.ts';

/** A link of another service, as its export has it. Texts are not parsed yet; missing ones are empty. */
export interface ForeignLink
  extends Readonly<Record<LinkLabelName, string>>,
    Readonly<Partial<Record<Bound, string>>> {
  /** Position in the file, from 1: the record of a table, which may have a header, or the link of a list. */
  readonly row: number;
  /** Printed address, or its path. */
  readonly short: string;
  readonly destination: string;
  readonly scans: string;
  readonly created: string;
  readonly lastScan: string;
  /** Whether the link has another address before this one, at which its scans are counted. */
  readonly isFurther?: boolean;
  /** Why its cells cannot be used, in words. */
  readonly problem?: RowReason | LinkReason;
  /** Why it does not simply redirect there, as far as that is a state. */
  readonly inactive?: InactiveReason;
  /** What it does there beside that. */
  readonly differences?: readonly Difference[];
}

export const linkSources = ['csv', 'shlink', 'kutt', 'yourls', 'dub'] as const;
export type LinkSource = (typeof linkSources)[number];

/** Returns whether a word is of no address that may be the printed one. */
const isOnlyDestination = (word: string) =>
  !/^(link|url|full url|address|uri|href|www|https?|qr|domain|site|web|page|redirect|to$)/.test(
    word,
  );

type Field =
  | Exclude<
      keyof ForeignLink,
      'row' | 'short' | 'isFurther' | 'problem' | 'inactive' | 'differences' | Bound
    >
  | 'link'
  | 'path'
  | 'domain';

/** Fields with further printed addresses of a link, or parts of them: one or a list. */
const moreAddresses = wordsOf(
  'custom bitlinks, custom bitlink, custom links, custom link, custom short link, custom short links, custom short url, ' +
    'custom short urls, custom urls, custom back half, custom back halves, vanity, vanity url, vanity urls, vanity links, keyword link, branded link, branded links, aliases, ' +
    'alias urls, additional links, additional short urls, additional addresses, other links, other short urls, short urls, short links, ' +
    'custom slugs, slugs, previous slugs, old slugs',
);

/** Names of fields with one more path of a link. */
const morePaths = wordsOf(
  'custom slug, custom alias, custom code, custom path, custom keyword, vanity slug, vanity path, vanity code, branded url, ' +
    'branded short url, slug, alias, short code, slashtag, back half',
);

/** Headers of labels in the tables of other services. */
const labelWords: Readonly<Partial<Record<LinkLabelName, readonly string[]>>> = headerWords;

/**
 * Names of the fields in the exports of each service, in the order of preference.
 * They are compared without case, spaces, dots and underscores.
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
    domain: ['domain', 'host', 'domain.fullName', 'domain name'],
    destination: [
      ...wordsOf(
        'destination, destination url, target, long url, long link, original url, original link, location url, to, new url, full link, content',
      ),
      ...headerWords.destination.filter(isOnlyDestination),
    ],
    ...mapLinkLabels((name, { headers }) => [...headers, ...(labelWords[name] ?? [])]),
    scans: wordsOf(
      'scans, clicks, total clicks, clicks total, visits, hits, visit count, click count, engagements, total engagements, ' +
        'total scans, counter, views, view count, klicks, aufrufe',
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

const keysOfMorePaths = new Set(morePaths.map(headerKey));
const isFieldOfPath = (name: string) => keysOfMorePaths.has(headerKey(name));

const noCell: SheetCell = { text: '', link: null };

/** Reads links from values in the order of named fields. */
export interface LinkReader {
  /** Names of the fields that are not read. */
  readonly ignored: readonly string[];
  /** Returns a link for each printed address of a row. */
  read(row: number, cells: readonly SheetCell[]): ForeignLink[];
}

/** Positions of the fields that are read. */
interface Columns {
  /** -1 for a field that is missing. */
  readonly at: Readonly<Record<Field, number>>;
  /** Those of further printed addresses. */
  readonly more: readonly number[];
}

/** Finds the fields by their names, or returns null without a printed address or a destination. */
function findColumns(names: readonly string[], source: LinkSource): Columns | null {
  const known = names.map(headerKey);
  const indexOf = (field: Field): number => {
    const keys = (fieldNames[source][field] ?? []).map(headerKey);
    const found = keys.find((key) => known.includes(key));
    return found === undefined ? -1 : known.indexOf(found);
  };
  const at: Record<Field, number> = {
    link: indexOf('link'),
    path: indexOf('path'),
    domain: indexOf('domain'),
    destination: indexOf('destination'),
    ...mapLinkLabels(indexOf),
    scans: indexOf('scans'),
    created: indexOf('created'),
    lastScan: indexOf('lastScan'),
  };
  // Either may be the other one of the two addresses.
  const [url, fullUrl] = [known.indexOf('url'), known.indexOf('fullurl')];
  if (source === 'csv') {
    if (at.destination === -1) at.destination = url === -1 ? fullUrl : url;
    if (at.link === -1 && at.path === -1)
      at.link = [fullUrl, url].find((one) => one !== -1 && one !== at.destination) ?? -1;
  }
  if (at.destination === -1 || (at.link === -1 && at.path === -1)) return null;
  const keysOfMore = new Set([...moreAddresses, ...morePaths].map(headerKey));
  const isTaken = new Set(Object.values(at));
  const more = known.flatMap((key, index) =>
    keysOfMore.has(key) && !isTaken.has(index) ? [index] : [],
  );
  return { at, more };
}

/** Returns the reader of named fields, or null when they lack the printed address or the destination. */
export function linkReader(names: readonly string[], source: LinkSource): LinkReader | null {
  const columns = findColumns(names, source);
  if (columns === null) return null;
  const { at, more } = columns;
  const isTaken = new Set(Object.values(at));
  const state = stateReader(names);
  const differences = differenceReader(names);
  const used = new Set([...isTaken, ...more, ...state.columns]);
  const ignored = names.filter((name, index) => name !== '' && !used.has(index));
  const addressProblem = (index: number | undefined): LinkReason | null =>
    index === undefined ? null : { kind: 'addresses not read', name: names[index] ?? '' };
  const read: LinkReader['read'] = (row, cells) => {
    const textAt = (index: number) => trimInvisible(cells[index]?.text ?? '');
    const valueAt = (index: number) => {
      const text = textAt(index);
      // Databases write a missing value so.
      return text === 'NULL' || text === '\\N' ? '' : text;
    };
    const value = (field: Field) => valueAt(at[field]);
    // An alias with spaces may be a name instead of a path.
    const isName = (index: number) =>
      isFieldOfPath(names[index] ?? '') && /[^\s,] +[^\s,]/.test(valueAt(index));
    // A printed path may be the word.
    const pathOrStatus = textAt(at.path);
    const destination = cells[at.destination] ?? noCell;
    const { inactive, ...bounds } = state.read(valueAt);
    const differing = differences(valueAt, destination.text);
    const problem =
      destinationProblem(cells[at.destination]) ??
      names
        .map((name, index) => (isTaken.has(index) ? textProblem(cells[index], name) : null))
        .find((reason) => reason !== null) ??
      addressProblem(more.find((index) => isUnknownForm(valueAt(index)) || isName(index)));
    const common = {
      row,
      destination: destination.link === null ? value('destination') : destinationIn(destination),
      ...mapLinkLabels(value),
      scans: value('scans'),
      created: value('created'),
      lastScan: value('lastScan'),
      ...bounds,
      ...(problem !== null && { problem }),
      ...(inactive !== null && { inactive }),
      ...(differing.length > 0 && { differences: differing }),
    };
    // A word, such as the source of a campaign, is no address where there is a path.
    const link = value('link');
    // A field "code" may be the status of the redirect.
    const path = link !== '' && /^30[12378]$/.test(pathOrStatus) ? '' : pathOrStatus;
    const [short = '', ...others] = addressesOf(
      path === '' || link.includes('/') ? printedAddress(link) : '',
      withDomain(value('domain'), path),
      more.flatMap((index) => (isName(index) ? [] : furtherAddresses(valueAt(index)))),
    );
    return [
      { ...common, short },
      ...others.map((other) => ({ ...common, short: other, isFurther: true })),
    ];
  };
  return { ignored, read };
}
