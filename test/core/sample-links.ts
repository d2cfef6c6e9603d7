import { mapLinkLabels } from '../../src/core/codes/fields.ts';
import { createLinkImports } from '../../src/core/codes/imports/link-imports.ts';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import type { ForeignLink, LinkSource } from '../../src/core/codes/imports/sources.ts';
import type { LinkImportStore, NewLink } from '../../src/core/codes/ports.ts';
import { acting } from '../stores/rows.ts';

export const bytes = (text: string) => new TextEncoder().encode(text);

/** Parses the text of a file. */
export const parse = (text: string, source: LinkSource | null = null) =>
  parseLinkFile(bytes(text), { source: source ?? undefined });

/** A link as it is read from a table. */
export const link = {
  row: 2,
  short: 'https://qr.example.com/menu-7',
  destination: 'https://example.com/menu',
  ...mapLinkLabels(() => ''),
  scans: '120',
  created: '',
  lastScan: '',
};

export const shortUrl = 'https://qr.example.com';

/** Imports links like {@link link} into a store. */
export const importLinks = (
  links: readonly Partial<ForeignLink>[],
  add: LinkImportStore['add'],
  prefixes = [shortUrl],
) =>
  createLinkImports({
    store: {
      taken: async () => [],
      takenFolded: async () => [],
      at: async () => [],
      reserved: async () => [],
      add,
    },
    checkDestination: async () => ({ destination: link.destination, needsRecheck: false }),
    shortUrl,
    prefixes,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    sleep: async () => {},
  }).run(
    acting(1),
    {
      ...{ source: 'csv', broken: [], ignoredColumns: [], notices: [] },
      links: links.map((one, at) => ({ ...link, short: `link ${at}`, row: at + 2, ...one })),
    },
    { isDryRun: false, onlyGood: false },
  );

/** Imports links, and returns what is stored. */
export async function stored(
  links: readonly Partial<ForeignLink>[],
  prefixes?: string[],
): Promise<NewLink[]> {
  const added: NewLink[] = [];
  const add = async (_: unknown, some: readonly NewLink[]) => added.push(...some);
  await importLinks(links, add, prefixes);
  return added;
}

/** Returns the printed addresses of the links of a file. */
export const shortsOf = (file: string) => parse(file).links.map((one) => [one.row, one.short]);

const { destination } = link;

/** A link as the API of Bitly writes it, with three printed addresses. */
export const bitly = {
  created_at: '2020-10-26T17:20:40+0000',
  id: 'go.example.org/3SD8bAQ',
  link: 'https://go.example.org/3SD8bAQ',
  custom_bitlinks: ['https://go.example.org/menu', 'https://other.example/Menu'],
  long_url: destination,
  title: 'Menu',
  archived: false,
  created_by: 'someone',
  client_id: '0000',
  tags: ['print'],
  deeplinks: [],
  references: { group: 'https://api-ssl.bitly.com/v4/groups/Bk0' },
};

/** Returns an answer of the API of Bitly. */
export const bitlyAnswer = (links: object[], total = links.length) =>
  JSON.stringify({ links, pagination: { prev: '', next: '', size: 50, page: 1, total } });
