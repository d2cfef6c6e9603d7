import type { SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { Refused } from '../../errors.ts';
import type { LinkReason } from '../../reasons.ts';
import { type LinkLabelName, mapLinkLabels } from '../fields.ts';
import { destinationIn, destinationProblem, textProblem } from '../tables/cell-address.ts';
import { listed } from '../tables/file-reasons.ts';
import {
  addressesOf,
  furtherAddresses,
  isUnknownForm,
  printedAddress,
  withDomain,
} from './addresses.ts';
import {
  type Bound,
  boundNames,
  type Difference,
  type ForeignLink,
  type InactiveReason,
  type LinkReader,
  type LinkSource,
} from './sources.ts';

type Field =
  | LinkLabelName
  | 'link'
  | 'path'
  | 'domain'
  | 'destination'
  | 'scans'
  | 'created'
  | 'lastScan';

/** A service that is known by its exports. */
export type KnownSource = Exclude<LinkSource, 'csv'>;

/** The form of an export, as one program writes it. Names are exact. */
interface ExportFormat {
  readonly source: LinkSource;
  /** Fields that each such file has. */
  readonly needed: readonly string[];
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  /** Field with a list of further printed addresses. */
  readonly more?: string;
  /** Fields that pause a link if they say yes: the worst first. */
  readonly flags?: Readonly<Record<string, InactiveReason>>;
  /** Field that pauses a link unless its value is `active`. */
  readonly state?: string;
  /** Fields that pause a link if they have a value. */
  readonly texts?: Readonly<Record<string, InactiveReason>>;
  readonly bounds?: Readonly<Partial<Record<Bound, string>>>;
  /** Fields of what an imported link lacks, if they say yes. */
  readonly lostFlags?: Readonly<Record<string, Difference>>;
  /** Fields of what an imported link lacks, if they have a value. */
  readonly lostTexts?: Readonly<Record<string, Difference>>;
  /** Parameters that the destination should have. */
  readonly parameters?: readonly string[];
  /** Fields that are not read. */
  readonly others: readonly string[];
}

const utmParameters = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];

const formats: readonly ExportFormat[] = [
  // The CSV of `waymark export` at another server.
  {
    source: 'csv',
    needed: ['code', 'short_link', 'destination', 'status', 'path'],
    fields: {
      link: 'short_link',
      path: 'path',
      destination: 'destination',
      ...mapLinkLabels((name) => name),
    },
    state: 'status',
    others: ['code', 'location', 'http_status', 'archived'],
  },
  // The CSV of shlink-web-client.
  {
    source: 'shlink',
    needed: ['shortCode', 'shortUrl', 'longUrl', 'createdAt'],
    fields: {
      link: 'shortUrl',
      path: 'shortCode',
      domain: 'domain',
      destination: 'longUrl',
      name: 'title',
      scans: 'visits',
      created: 'createdAt',
    },
    others: ['tags'],
  },
  // The JSON of GET /rest/v3/short-urls.
  {
    source: 'shlink',
    needed: ['shortCode', 'shortUrl', 'longUrl'],
    fields: {
      link: 'shortUrl',
      path: 'shortCode',
      domain: 'domain',
      destination: 'longUrl',
      name: 'title',
      scans: 'visitsSummary.total',
      created: 'dateCreated',
      query: 'forwardQuery',
    },
    bounds: { starts: 'meta.validSince', expires: 'meta.validUntil', maxScans: 'meta.maxVisits' },
    lostFlags: { hasRedirectRules: 'targeted' },
    lostTexts: { deviceLongUrls: 'targeted' },
    others: [
      ...['visitsSummary', 'visitsSummary.nonBots', 'visitsSummary.bots', 'visitsCount'],
      ...['tags', 'meta', 'crawlable'],
    ],
  },
  // The table "short_urls" as docs/moving.md reads it.
  {
    source: 'shlink',
    needed: ['shortCode', 'longUrl', 'dateCreated', 'validSince', 'validUntil', 'maxVisits'],
    fields: {
      path: 'shortCode',
      domain: 'domain',
      destination: 'longUrl',
      name: 'title',
      scans: 'visits',
      created: 'dateCreated',
      query: 'forwardQuery',
    },
    bounds: { starts: 'validSince', expires: 'validUntil', maxScans: 'maxVisits' },
    others: [],
  },
  // The JSON of GET /api/v2/links, and the table "links".
  {
    source: 'kutt',
    needed: ['address', 'target', 'visit_count', 'created_at'],
    fields: {
      link: 'link',
      path: 'address',
      domain: 'domain',
      destination: 'target',
      note: 'description',
      scans: 'visit_count',
      created: 'created_at',
    },
    flags: { banned: 'banned', password: 'password' },
    bounds: { expires: 'expire_in' },
    others: [
      ...['id', 'uuid', 'domain_id', 'user_id', 'banned_by_id', 'updated_at', 'reuse', 'meta'],
    ],
  },
  // The table "yourls_url".
  {
    source: 'yourls',
    needed: ['keyword', 'url'],
    fields: {
      path: 'keyword',
      destination: 'url',
      name: 'title',
      scans: 'clicks',
      created: 'timestamp',
    },
    others: ['ip'],
  },
  // The CSV of a plugin.
  {
    source: 'yourls',
    needed: ['Keyword', 'URL', 'Title', 'Date', 'Clicks'],
    fields: {
      path: 'Keyword',
      destination: 'URL',
      name: 'Title',
      scans: 'Clicks',
      created: 'Date',
    },
    others: ['IP'],
  },
  // The JSON of the API action "stats".
  {
    source: 'yourls',
    needed: ['shorturl', 'url', 'timestamp', 'clicks'],
    fields: {
      link: 'shorturl',
      destination: 'url',
      name: 'title',
      scans: 'clicks',
      created: 'timestamp',
    },
    others: ['ip'],
  },
  // The CSV of the web app.
  {
    source: 'dub',
    needed: ['Short link', 'Destination URL'],
    fields: {
      link: 'Short link',
      destination: 'Destination URL',
      name: 'Title',
      scans: 'Clicks',
      created: 'Created at',
      lastScan: 'Last clicked',
    },
    flags: { Archived: 'archived' },
    others: ['Tags', 'Updated at', 'Creator', 'Link ID', 'Description', 'Leads', 'Sales'],
  },
  // The JSON of GET /links.
  {
    source: 'dub',
    needed: ['domain', 'key', 'url', 'clicks', 'createdAt'],
    fields: {
      link: 'shortLink',
      path: 'key',
      domain: 'domain',
      destination: 'url',
      name: 'title',
      note: 'comments',
      scans: 'clicks',
      created: 'createdAt',
      lastScan: 'lastClicked',
    },
    flags: { archived: 'archived' },
    texts: { disabledAt: 'disabled', password: 'password' },
    bounds: { expires: 'expiresAt' },
    lostFlags: { rewrite: 'targeted' },
    lostTexts: {
      ios: 'targeted',
      android: 'targeted',
      geo: 'targeted',
      testVariants: 'targeted',
    },
    parameters: utmParameters,
    others: [
      ...['id', 'externalId', 'tenantId', 'programId', 'partnerId', 'userId', 'projectId'],
      ...['workspaceId', 'folderId', 'tagId', 'tags', 'webhookIds', 'identifier', 'user'],
      ...['description', 'image', 'video', 'proxy', 'doIndex', 'publicStats', 'qrCode'],
      ...['trackConversion', 'leads', 'sales', 'saleAmount', 'conversions', 'totalClicks'],
      ...['updatedAt', 'expiredUrl', 'testStartedAt', 'testCompletedAt'],
    ],
  },
  // The JSON of GET /v4/groups/{group}/bitlinks.
  {
    source: 'bitly',
    needed: ['id', 'link', 'long_url', 'created_at'],
    fields: { link: 'link', destination: 'long_url', name: 'title', created: 'created_at' },
    more: 'custom_bitlinks',
    flags: { is_deleted: 'deleted', archived: 'archived' },
    bounds: { expires: 'expiration_at' },
    lostTexts: { deeplinks: 'targeted' },
    others: [
      ...['created_by', 'client_id', 'tags', 'references', 'launchpad_ids', 'campaign_ids'],
      ...['modified_at', 'qr_code_ids'],
    ],
  },
  // The CSV of its links.
  {
    source: 'bitly',
    needed: ['bitlink', 'long_url'],
    fields: {
      link: 'bitlink',
      destination: 'long_url',
      name: 'title',
      scans: 'clicks',
      created: 'created',
    },
    more: 'custom_bitlinks',
    flags: { archived: 'archived' },
    others: ['tags'],
  },
  {
    source: 'bitly',
    needed: ['Created Date', 'Title', 'Link', 'Long URL', 'Engagements'],
    fields: {
      link: 'Link',
      destination: 'Long URL',
      name: 'Title',
      scans: 'Engagements',
      created: 'Created Date',
    },
    others: ['Tags'],
  },
];

/** Returns the name of a field of a document without those of the objects in it. */
export const outerOf = (name: string) => name.replace(/\..*/s, '');

function readNames(format: ExportFormat): Set<string> {
  return new Set([
    ...Object.values(format.fields),
    ...Object.keys(format.flags ?? {}),
    ...Object.keys(format.texts ?? {}),
    ...Object.values(format.bounds ?? {}),
    ...Object.keys(format.lostFlags ?? {}),
    ...Object.keys(format.lostTexts ?? {}),
    ...(format.parameters ?? []),
    ...(format.more === undefined ? [] : [format.more]),
    ...(format.state === undefined ? [] : [format.state]),
  ]);
}

/**
 * Returns what makes a file differ from an export.
 *
 * @param isNamed whether somebody named the service, so that the address and the destination are enough
 */
function deviationOf(format: ExportFormat, names: readonly string[], isNamed: boolean) {
  const known = new Set([...readNames(format), ...format.needed, ...format.others]);
  const isKnown = (name: string) => known.has(name) || known.has(outerOf(name));
  const unknown = names.filter(
    (name, index) => name !== '' && (!isKnown(name) || names.indexOf(name) !== index),
  );
  const { link, path, destination } = format.fields;
  const address = [link, path].find((name) => name !== undefined && names.includes(name));
  const needed = isNamed
    ? [address ?? link ?? path, destination].filter((name) => name !== undefined)
    : format.needed;
  return { unknown, missing: needed.filter((name) => !names.includes(name)) };
}

/** Returns the form of an export that has these fields and no other ones, or null. */
function formatOf(names: readonly string[], source: LinkSource | null): ExportFormat | null {
  const found = formats.find((format) => {
    if (source !== null && format.source !== source) return false;
    const { unknown, missing } = deviationOf(format, names, source !== null);
    return unknown.length + missing.length === 0;
  });
  return found ?? null;
}

/** Returns whether objects or rows with these fields are the export of a service that is known. */
export function isExport(names: readonly string[], source: LinkSource | null): boolean {
  return formatOf(names, source) !== null;
}

/** @throws Refused with what is different in the export of the service that somebody named */
export function rejectAsExport(names: readonly string[], source: KnownSource): never {
  const [closest = { unknown: [], missing: [] }] = formats
    .filter((format) => format.source === source)
    .map((format) => deviationOf(format, names, true))
    .sort(
      (one, other) =>
        one.missing.length - other.missing.length || one.unknown.length - other.unknown.length,
    );
  throw new Refused({
    kind: 'not this export',
    unknown: listed(closest.unknown),
    missing: listed(closest.missing),
  });
}

const noCell: SheetCell = { text: '', link: null };

/**
 * Returns the reader of an export, or null when the fields are not exactly those of a service.
 *
 * @param isTable whether `NULL` and `\N` are missing values, as databases write them into CSV
 */
export function exportReader(
  names: readonly string[],
  source: LinkSource | null,
  isTable: boolean,
): LinkReader | null {
  const format = formatOf(names, source);
  if (format === null) return null;
  const indexOf = (name: string | undefined) => (name === undefined ? -1 : names.indexOf(name));
  /** Positions of a field, also those of its parts. */
  const positionsOf = (name: string) =>
    names.flatMap((one, index) => (one === name || outerOf(one) === name ? [index] : []));
  const rulesOf = <T>(fields: Readonly<Record<string, T>> = {}) =>
    Object.entries(fields).map(([name, value]) => ({ columns: positionsOf(name), value }));
  const at = (field: Field) => indexOf(format.fields[field]);
  const used = readNames(format);
  const more = indexOf(format.more);
  const state = indexOf(format.state);
  const flags = rulesOf(format.flags);
  const texts = rulesOf(format.texts);
  const lostFlags = rulesOf(format.lostFlags);
  const lostTexts = rulesOf(format.lostTexts);
  const bounds = boundNames.map((bound) => ({ bound, column: indexOf(format.bounds?.[bound]) }));
  const parameters = (format.parameters ?? []).map((name) => ({ name, column: indexOf(name) }));
  const fieldColumns = new Set(Object.values(format.fields).map(indexOf));

  const read: LinkReader['read'] = (row, cells) => {
    const textAt = (index: number) => trimInvisible(cells[index]?.text ?? '');
    const valueAt = (index: number) => {
      const text = textAt(index);
      return isTable && (text === 'NULL' || text === '\\N') ? '' : text;
    };
    const value = (field: Field) => valueAt(at(field));
    const isYes = ({ columns }: { columns: readonly number[] }) =>
      columns.some((column) => !noWords.has(valueAt(column).toLowerCase()));
    const isThere = ({ columns }: { columns: readonly number[] }) =>
      columns.some((column) => valueAt(column) !== '');
    const isPaused = state !== -1 && valueAt(state) !== 'active';
    const inactive =
      flags.find(isYes)?.value ??
      texts.find(isThere)?.value ??
      (isPaused ? ('disabled' as const) : null);
    const destinationCell = cells[at('destination')] ?? noCell;
    const destination =
      destinationCell.link === null ? value('destination') : destinationIn(destinationCell);
    const isAdded = parameters.some(
      ({ name, column }) =>
        valueAt(column) !== '' && !destination.toLowerCase().includes(`${name}=`),
    );
    const differences = new Set<Difference>([
      ...lostFlags.filter(isYes).map((rule) => rule.value),
      ...lostTexts.filter(isThere).map((rule) => rule.value),
      ...(isAdded ? (['parameters'] as const) : []),
    ]);
    const furtherText = valueAt(more);
    const furtherProblem: LinkReason | null = isUnknownForm(furtherText)
      ? { kind: 'addresses not read', name: names[more] ?? '' }
      : null;
    const problem =
      destinationProblem(destinationCell) ??
      names
        .map((name, index) => (fieldColumns.has(index) ? textProblem(cells[index], name) : null))
        .find((reason) => reason !== null) ??
      furtherProblem;
    const ends = bounds.flatMap(({ bound, column }) => {
      const text = valueAt(column);
      return text === '' ? [] : [[bound, text] as const];
    });
    const common = {
      row,
      destination,
      ...mapLinkLabels(value),
      scans: value('scans'),
      created: value('created'),
      lastScan: value('lastScan'),
      ...Object.fromEntries(ends),
      ...(problem !== null && { problem }),
      ...(inactive !== null && { inactive }),
      ...(differences.size > 0 && { differences: [...differences] }),
    };
    // A printed path may be the word NULL.
    const path = withDomain(value('domain'), textAt(at('path')));
    const [short = '', ...others] = addressesOf(
      printedAddress(value('link')),
      path,
      furtherAddresses(furtherText),
    );
    return [
      { ...common, short },
      ...others.map((other): ForeignLink => ({ ...common, short: other, isFurther: true })),
    ];
  };
  const ignored = names.filter(
    (name) => name !== '' && !used.has(name) && !isPartOfRule(format, name),
  );
  return { source: format.source, ignored, read };
}

// How JSON, PostgreSQL, MySQL and spreadsheets write that a field does not say yes.
const noWords = new Set(['', 'false', 'f', '0']);

function isPartOfRule({ lostTexts = {} }: ExportFormat, name: string): boolean {
  return Object.hasOwn(lostTexts, outerOf(name));
}
