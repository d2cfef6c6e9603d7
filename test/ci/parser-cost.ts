import { expect, test } from 'bun:test';
import { authorizationProblem, bearerKey } from '../../src/core/accounts/api-key.ts';
import { parseEmail } from '../../src/core/accounts/email.ts';
import { repeatedPart } from '../../src/core/accounts/password/guessable-password.ts';
import { parseTable } from '../../src/core/batches/table.ts';
import { parseCode } from '../../src/core/codes/code.ts';
import { labelFields } from '../../src/core/codes/fields.ts';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import { nameSortKey } from '../../src/core/codes/lists/sort-key.ts';
import { parseImportedPath } from '../../src/core/codes/path.ts';
import { fileNameOf } from '../../src/core/codes/print/archive.ts';
import { parsePage, parsePair, parseSizeMm } from '../../src/core/codes/print/paper.ts';
import { isStoredDestination, parseDestination } from '../../src/core/codes/urls/destination.ts';
import { codeInShortLink, formsInText } from '../../src/core/codes/urls/short-url.ts';
import { withScheme } from '../../src/core/codes/urls/typed-address.ts';
import { parseColor } from '../../src/core/designs/design.ts';
import { csvLine } from '../../src/lib/csv.ts';
import { readSpreadsheet } from '../../src/lib/spreadsheet/read.ts';
import { trimInvisible } from '../../src/lib/trim.ts';
import { networkOf } from '../../src/panel/request/client-address.ts';
import { ownPath } from '../../src/panel/request/own-path.ts';
import { classifyHit } from '../../src/redirect/hits/classify.ts';
import { readLine } from '../../src/reputation/lists/parse-line.ts';
import { canonicalForms } from '../../src/reputation/url/canonicalize.ts';
import { expressionsOf } from '../../src/reputation/url/expressions.ts';
import { hostileTexts } from '../support/hostile-files.ts';
import { ods, xlsx } from '../support/spreadsheets.ts';

const prefixes = ['https://qr.example.com', 'https://example.net/q'];
const bounds = { maxRows: 100, maxColumns: 10 };
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const format = (code: string) =>
  `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${escaped(code)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;

/** Whatever parses a text that somebody sends, by name. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'a table': parseTable,
  'an export of links': (text) => parseLinkFile(text),
  'a file of a table': (text) => parseTable(new TextEncoder().encode(text)),
  'a cell of an .xlsx file': (text) =>
    readSpreadsheet(xlsx([{ name: 'A', rows: [[text]] }]), null, bounds),
  'a cell of an .ods file': (text) =>
    readSpreadsheet(ods([{ name: 'A', rows: [[text]] }]), null, bounds),
  'a number format': (text) =>
    readSpreadsheet(
      xlsx([{ name: 'A', rows: [['<c s="0"><v>1.5</v></c>']] }], { 'xl/styles.xml': format(text) }),
      null,
      bounds,
    ),
  'a formula': (text) =>
    readSpreadsheet(
      xlsx([{ name: 'A', rows: [[`<c><f>HYPERLINK("${escaped(text)}</f><v>1</v></c>`]] }]),
      null,
      bounds,
    ),
  'a destination': (text) => parseDestination(text, prefixes),
  'a destination behind a scheme': (text) => parseDestination(`https://${text}`, prefixes),
  'a stored destination': isStoredDestination,
  'a typed address': withScheme,
  'the ends of a text': trimInvisible,
  'a printed path': parseImportedPath,
  'a short link': (text) => codeInShortLink(text, prefixes),
  'forms of a short link': (text) => formsInText(`https://qr.example.com/${text}`, prefixes),
  ...Object.fromEntries(
    Object.entries(labelFields).map(([name, { parse }]) => [`the label ${name}`, parse] as const),
  ),
  'a sort key': nameSortKey,
  'a file name': (name) => fileNameOf({ name, code: '7h3k9m2x' }, 'svg'),
  'a page': parsePage,
  'a margin': (text) => parsePair(text, 'margin'),
  'a size': parseSizeMm,
  'a colour': parseColor,
  'a code': parseCode,
  'an e-mail address': parseEmail,
  'a password': repeatedPart,
  'an API key': bearerKey,
  'an API key of two words': (text) => bearerKey(`Bearer ${text}`),
  'a missing API key': (text) => authorizationProblem(null, `?${text}`),
  'a wrong API key': (text) => authorizationProblem(`Bearer ${text}`, ''),
  'a user agent': (text) => classifyHit('GET', new Headers({ 'User-Agent': encodeURI(text) })),
  'a line of CSV': (text) => csvLine([text]),
  'an address of a client': networkOf,
  'a path to return to': ownPath,
  'a line of a threat list': readLine,
  'a URL to look up': canonicalForms,
  'expressions of a URL': (text) => expressionsOf(`http://a.example/${text}`),
};

const length = 12_000;
// Less is noise of the clock and of the collector of garbage.
const measuredMs = 4;
const maxTimes = 5000;
// Other files of tests in this process, and its collection of garbage, take the time of some.
const rounds = 40;

/** Quadratic time is at least a billion steps at this length: more than {@link measuredMs} with any processor. */
const longest = 4 * length;

/** Copies a text, whose pieces an engine would otherwise join when it is first read. */
const flat = (text: string) => Buffer.from(text).toString();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a parser several times and returns its CPU time. */
async function cost(parse: (text: string) => unknown, text: string, times: number) {
  const startMs = cpuMs();
  for (let time = 0; time < times; time++) {
    try {
      const parsed = parse(text);
      if (parsed instanceof Promise) await parsed;
    } catch {
      // A refusal costs something too.
    }
  }
  return cpuMs() - startMs;
}

/** Returns how much more a text of twice the length costs, of the best of some rounds. */
async function growth(parse: (text: string) => unknown, [one, two]: readonly [string, string]) {
  let times = 1;
  // Parsers that refuse long texts do nothing at all.
  while (times < maxTimes && (await cost(parse, two, times)) < measuredMs) times *= 2;
  let ratio = Number.POSITIVE_INFINITY;
  let [first, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds && ratio > maxGrowth; round++) {
    first = Math.min(first, await cost(parse, one, times));
    second = Math.min(second, await cost(parse, two, times));
    ratio = second / first;
  }
  return ratio;
}

const maxGrowth = 2.5;

test.each(Object.entries(parsers))(
  '%s of twice the length costs twice as much',
  async (_, parse) => {
    const grown: [string, number][] = [];
    for (const [name, create] of Object.entries(hostileTexts)) {
      let once = await cost(parse, flat(create(longest)), 1);
      // The first call is of a function that is not compiled yet.
      if (once > measuredMs) once = await cost(parse, flat(create(longest)), 1);
      if (once < measuredMs) continue;
      let ratio = Number.POSITIVE_INFINITY;
      // A cost that grows too much does so at each length; a cache or a collection of garbage falls on one.
      for (const size of [length, 2 * length, 4 * length])
        if (ratio > maxGrowth)
          ratio = await growth(parse, [flat(create(size)), flat(create(2 * size))]);
      if (ratio > maxGrowth) grown.push([name, ratio]);
    }
    expect(grown).toEqual([]);
  },
);
