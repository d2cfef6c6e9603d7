import { expect, test } from 'bun:test';
import { cliNotice, cliSentence } from '../../src/cli/sentences/sentences.ts';
import { type ActivityKind, activityKinds } from '../../src/core/accounts/activity/activity.ts';
import type { ActivityEntry } from '../../src/core/accounts/activity/ports.ts';
import { labelNames } from '../../src/core/codes/fields.ts';
import type { FileNotice } from '../../src/core/codes/tables/file-reasons.ts';
import type { DomainProblem } from '../../src/core/domains/checks.ts';
import type { PanelReason, Reason } from '../../src/core/reasons.ts';
import { textsOf } from '../../src/languages/texts.ts';
import { panelNotice, panelSentence } from '../../src/panel/ui/sentences/sentences.ts';
import { activityDetail, activitySentence } from '../../src/sentences/activity.ts';
import { domainProblemSentence } from '../../src/sentences/domains.ts';

// What the pages of `forms.test.ts` say is what they meet. Here stands each reason, whatever it takes to meet it.

type Kind = { readonly kind: string };
/** Values of each kind. Those with several sentences have several. */
type Samples<R extends Kind> = {
  readonly [K in R['kind']]: readonly Omit<Extract<R, { readonly kind: K }>, 'kind'>[];
};

/** Returns samples with their kinds. */
function allOf<R extends Kind>(samples: Samples<R>): readonly R[] {
  return Object.entries<readonly object[]>(samples).flatMap(([kind, values]) =>
    // The cast is safe: the values are those of the kind by the type of the samples.
    values.map((one) => ({ kind, ...one }) as unknown as R),
  );
}

/** Values of a kind that has none. */
const plain = [{}] as const;
const email = 'anna@example.com';
const url = 'https://go.example.com';
/** As of a pasted title. Commands must not change it. */
const name = 'The “Rosa’s” menu';
const one = { first: [2], others: 0 };
const two = { first: [2, 3], others: 0 };
const many = { first: [2, 3, 4], others: 5 };
const names = [
  { first: ['Shelf'], others: 0 },
  { first: ['Shelf', 'A "b"'], others: 1 },
  { first: ['Shelf', 'Price'], others: 1200 },
];
const lines = ['name', 'folder', 'business name', 'reason'] as const;
const texts = ['note', 'message'] as const;
const cells = ['destination', 'name', 'note', 'folder', 'path', 'query', 'domain', 'utm_source'];
const withNouns = <N extends string, T extends object>(nouns: readonly N[], values: T) =>
  nouns.map((noun) => ({ noun, ...values }));
const remedies = ['compact', 'text', 'larger'] as const;
const destination = 'https://example.com/menu';

const problems = [
  'missing',
  'no text',
  'empty',
  'too long',
  'no scheme',
  'two schemes',
  'space or control character',
  'space in the host',
  'half of a surrogate pair',
  'invisible character at an end',
  'direction mark',
  'backslash',
  'user name',
  'no host',
  'comma in the host',
  'percent-encoded host',
  'no valid host or port',
  'port 0',
  'dot too many',
  'unusual IP address',
  'replaced characters',
  'long label',
  'long host',
  'no host name',
] as const;

/** What people of the panel may meet. */
const reasons: Samples<PanelReason> = {
  // Accounts
  'no e-mail address': plain,
  'same e-mail address': plain,
  'e-mail address taken': [{ email }],
  'no plan end': plain,
  'no time zone': plain,
  'only operator': [{ email }],
  'no recipient of the codes': plain,
  'account gone': [{ email }],
  'no right': plain,
  'invited owner': [{ email }],
  'invited member': [{ email }],
  'invitation of somebody else': plain,
  'too many people': [{ max: 50 }],
  'too many invitations': [{ max: 20 }],
  'too many accounts': [{ max: 20 }],
  'password too short': [{ minLength: 10 }],
  'password too long': [{ maxLength: 200 }],
  'guessable password': plain,
  'same password': plain,
  'wrong current password': plain,
  'wrong second factor': plain,
  'unreadable second factor': plain,
  'too many attempts': [1, 59, 60, 61, 300, 3599, 3600, 7200].map((seconds) => ({ seconds })),
  // Access
  'wrong authorization': (
    ['key in the URL', 'Bearer twice', 'comma', 'no Bearer', 'quotation marks'] as const
  ).map((problem) => ({ problem })),
  'rate limited': [
    { limit: 600, seconds: 1 },
    { limit: 1200, seconds: 12 },
  ],
  'too many keys': [
    { count: 1, seconds: 60 },
    { count: 10, seconds: 3000 },
  ],
  'account deleted': plain,
  // Codes
  'wrong destination': [
    ...problems.map((problem) => ({ problem, text: 'menu', meant: null })),
    ...[
      'mailto:anna@example.com',
      'http;//example.com',
      'example,com',
      'our menu.com',
      'localhost:3000',
      'example',
      '//',
    ].map((text) => ({ problem: 'no scheme' as const, text, meant: null })),
    { problem: 'no scheme', text: 'example,com', meant: destination },
  ],
  'resembles a domain': [{ text: 'menu.pdf' }],
  'short link of this server': plain,
  'imported link of this server': plain,
  'destination cannot be checked': plain,
  'flagged destination': (['operator', 'built-in', 'remote check', 'imported list'] as const).map(
    (source) => ({
      source,
      list: {
        operator: 'operator',
        'built-in': 'built-in',
        'remote check': 'webrisk',
        'imported list': 'evil',
      }[source],
      expression: 'evil.example/',
    }),
  ),
  'no such code': plain,
  'no image of an imported link': plain,
  'no such batch': plain,
  'several lines in a label': withNouns(lines, {}),
  'control characters in a label': withNouns(texts, {}),
  'label is no Unicode': withNouns([...lines, ...texts], {}),
  'label too long': withNouns([...lines, ...texts], { maxLength: 100 }),
  'neither on nor off': plain,
  'folder without a name': plain,
  'sorted too far': [{ max: 10_000 }],
  'no such saved design': [{ name }],
  'saved design exists': [{ name }],
  'saved design without a name': plain,
  // Bulk edits
  'bulk edit running': plain,
  'nothing to replace': plain,
  'too many selected': [{ max: 10_000 }],
  'no bulk edit to undo': plain,
  'changed since': [
    { changed: 1, codes: 1 },
    { changed: 1, codes: 12 },
    { changed: 1000, codes: 1200 },
  ],
  'earlier destination rejected': [
    { code: 'abc123', reason: { kind: 'short link of this server' } },
  ],
  'blocked by the operator': plain,
  'nothing left of the destination': plain,
  'changed meanwhile': plain,
  'bulk edit stopped': plain,
  'editor without a right': plain,
  // Paths, links and domains
  'path badly encoded': plain,
  'path empty': plain,
  'path too long': [{ maxLength: 200 }],
  'path with control characters': plain,
  'path with an empty segment': plain,
  'path of Waymark': [{ segment: 'account' }],
  'path with a slash at the end': plain,
  'path with a blank at an end': plain,
  'path with invisible characters': plain,
  'path of several scripts': plain,
  'path like own page': [{ segment: 'login' }],
  'path leads back': [{ path: 'menu' }],
  'path that programs ask for': [{ path: 'favicon.ico' }],
  'path exists': [{ path: 'menu' }],
  'path in another case': [{ path: 'menu' }],
  'path reserved': [{ path: 'menu' }],
  'path of an earlier row': [{ row: 1200 }],
  'no domain of the account': [{ url }],
  'no domain': [{ text: 'go.example.com/menu' }],
  'main domain': [{ url }],
  'domain of the settings': [{ url }],
  'domain exists': [{ url }],
  'no such domain': [{ url }],
  'printed domain': [
    { url, codes: 1 },
    { url, codes: 1200 },
  ],
  'rule for a network': [{ text: '192.0.2.0/24' }],
  'rule for a pattern': [{ text: 'e*l.example' }],
  'rule for a top-level domain': [{ text: 'zip', topLevel: 'zip' }],
  'rule for no domain or URL': [{ text: 'evil' }],
  // Planned changes
  'no wall time': plain,
  'planned time over': [{ zone: 'Europe/Zurich' }],
  'planned too far': [{ years: 5 }],
  'planned end first': plain,
  'planned end late': (['day', 'week'] as const).map((period) => ({ period })),
  'too many planned changes': [{ max: 20 }],
  'same planned time': plain,
  'stopped code planned': plain,
  'no such planned change': plain,
  // Tables and files
  'batch started': plain,
  'file of the table gone': plain,
  'every row has a problem': plain,
  'rows with problems': [
    { refused: 1, rows: 12 },
    { refused: 1000, rows: 1200 },
  ],
  'all codes exist': plain,
  'every row left out': plain,
  'batch stopped': plain,
  'plan expired': plain,
  'file refused': [
    {
      reason: { kind: 'several sheets', sheets: ['Menu', 'Shelf'] },
      notices: [{ kind: 'encoding', encoding: 'UTF-16' }],
    },
  ],
  'broken spreadsheet': plain,
  'spreadsheet too large': [{ maxBytes: 50_000_000 }],
  'spreadsheet with a password': plain,
  'too many linked cells': plain,
  'spreadsheet without sheets': plain,
  'binary spreadsheet': plain,
  'document of Numbers': plain,
  'document of text': plain,
  'no spreadsheet': plain,
  'no such sheet': [
    { sheet: 'Men', sheets: ['Menu'], hasMore: false },
    { sheet: 'Men', sheets: ['Menu', 'Shelf'], hasMore: true },
  ],
  'several sheets': [{ sheets: ['Menu', 'Shelf'] }],
  'file too large': [{ maxBytes: 5_000_000 }],
  'file takes too long': [{ isSpreadsheet: true }, { isSpreadsheet: false }],
  'too much text in the file': plain,
  'control characters in the file': plain,
  'file without sheets': plain,
  'file is no text': plain,
  'letters not known': [{ readings: [] }],
  'not in this encoding': [{ encoding: 'shift_jis' }],
  'file is a PDF': plain,
  'file is a picture': plain,
  'file is a ZIP file': plain,
  'encrypted spreadsheet': plain,
  'old spreadsheet': plain,
  'file is markup': plain,
  'too many rows': [{ max: 10_000 }],
  'too many columns in a table': [{ row: 1200, max: 100 }],
  'table is JSON': plain,
  'table without rows': plain,
  'several such columns': [{ column: 'Shelf' }],
  'no such column': names.map((columns) => ({ column: 'shelf', columns })),
  'computed link': plain,
  'error in a cell': [...withNouns(cells, { text: '#REF!' }), { noun: 'name', text: '####' }],
  'no result in a cell': withNouns(cells, {}),
  'split row': plain,
  'shortened destination': [{ text: '…' }],
  'label from HTML': withNouns(labelNames, { text: '&amp;' }),
  'destination from HTML': [{ meant: destination }],
  'lost characters': withNouns(labelNames, {}),
  'misread characters': withNouns(labelNames, { text: 'CafÃ©', meant: 'Café' }),
  'no destination in the row': plain,
  'row not closed': plain,
  'same as an earlier row': [{ row: 1200 }],
  'code exists': plain,
  'left out': plain,
  'row failed': plain,
  'as stored': [{ text: 'A sentence that was stored.' }],
  // Designs, logos and print
  'caption too long': [{ maxCharacters: 24 }],
  'caption letters missing': [{ letters: ['中', '\u0301'] }],
  'logo file empty': plain,
  'logo file too large': [{ bytes: 12_345_678, maxBytes: 1_000_000 }],
  'logo takes too long': plain,
  'logo too long': [{ maxAspectRatio: 4 }],
  'logo transparent': plain,
  'logo too small': [{ widthPx: 12, heightPx: 16, minSidePx: 32 }],
  'logo of another kind': plain,
  'logo of other colours': plain,
  'logo of too many pixels': plain,
  'logo damaged': plain,
  'design unreadable': [
    { isDefault: true, reasons: [], advice: null },
    ...(
      [
        { kind: 'inverted' },
        { kind: 'finder patterns lighter than the background' },
        { kind: 'finder patterns paler than modules' },
        { kind: 'modules paler than finder patterns' },
        ...(['finder patterns', 'modules'] as const).flatMap((tone) =>
          (['symbol contrast', 'print contrast signal'] as const).map((measure) => ({
            ...{ kind: 'too close to the background' as const, tone, measure },
            ...{ percent: 12, neededPercent: 40 },
          })),
        ),
        { kind: 'quiet zone too narrow', modules: 1, neededModules: 4 },
        { kind: 'logo hides too much', hiddenPercent: 12, errorCorrectionPercent: 80 },
        { kind: 'logo reaches function patterns' },
        { kind: 'logo hides the alignment pattern' },
        { kind: 'logo looks like an alignment pattern' },
        { kind: 'logo is a code' },
        { kind: 'no scan read it', scans: 12 },
        { kind: 'not read as SVG' },
        { kind: 'logo placed elsewhere', sizePercent: 90, isMoved: false },
        { kind: 'logo placed elsewhere', sizePercent: 100, isMoved: true },
        { kind: 'logo placed elsewhere', sizePercent: 90, isMoved: true },
        { kind: 'low contrast' },
        { kind: 'some colours pale' },
        { kind: 'much error correction used', errorCorrectionPercent: 70 },
        { kind: 'not for black and white', color: '#00aaaa', becomes: 'white' },
        { kind: 'not for black and white', color: '#333333', becomes: 'black' },
      ] as const
    ).map((reason) => ({ isDefault: false, reasons: [reason], advice: null })),
    {
      isDefault: false,
      reasons: [{ kind: 'inverted' }],
      advice: {
        changes: { foreground: '#000000', finderColor: null, quietZoneModules: 4 },
        instead: { foreground: '#ffffff', finderColor: '#ff0000', quietZoneModules: 1 },
      },
    },
    {
      isDefault: false,
      reasons: [],
      advice: { changes: { logoSizePercent: 20 }, instead: { logoSizePercent: 30 } },
    },
  ],
  'wrong page': [{ papers: ['a4', 'letter'], minMm: 10, maxMm: 1000 }],
  'wrong lengths': (['margin', 'gap'] as const).map((of) => ({ of })),
  'wrong size of codes': [{ minMm: 5, maxMm: 1000 }],
  'unknown lines of text': [{ known: ['name', 'link'] }],
  'unknown layout': [{ name: 'avery' }],
  'line above too long': [{ maxLength: 60 }],
  'start beyond the sheet': [
    { labels: 1, start: 2 },
    { labels: 21, start: 22 },
  ],
  'labels of fixed dimensions': [{ layout: 'l7160' }],
  'one label on a roll': plain,
  'no room for codes': plain,
  'codes do not fit': [
    { sizeMm: null, largestMm: 3.5, remedies },
    { sizeMm: 12.5, largestMm: 3.5, remedies: [] },
  ],
  'cut marks on a roll': plain,
  'margin too small for cut marks': [{ neededMm: 5 }],
  'code too small': [{ title: 'Menu', widthMm: 7.5, smallestMm: 9, remedies }],
  'no codes to print': plain,
  'no images': plain,
  'too many codes to print': [{ max: 2000 }],
  'too many images': [{ max: 2000, found: 2001 }],
};

/** What only commands meet, which import links. */
const importReasons: Samples<Exclude<Reason, PanelReason>> = {
  'destination in this file': plain,
  'path of an earlier row and another host': [{ row: 7 }],
  'path of an image': [{ path: 'abc123.png', code: 'abc123' }],
  'printed path that programs ask for': [{ path: 'favicon.ico' }],
  'addresses not read': [{ name: 'data_address' }],
  'no short address': plain,
  'short address is no URL': plain,
  'short address with a query': plain,
  'short address of another domain': [{ url }],
  'no number of scans': [{ text: 'ma"ny' }],
  'no date': (['creation', 'last scan'] as const).map((of) => ({ of, text: '31.2.' })),
  'paths created meanwhile': [{ created: 0 }, { created: 1200 }],
  'too many links': [{ max: 100_000 }],
  'too many columns of links': [{ row: 2, max: 100 }],
  'file without links': plain,
  'file is an SQL dump': plain,
  'columns of links not known': [
    {
      columns: [],
      hasHeader: true,
      isHeaderOpen: false,
      isSeparatorOpen: false,
      missing: [],
      states: null,
      unknownStates: [],
    },
  ],
  'column chosen twice': [{ column: 'Shelf' }],
  'not this export': names.map((missing) => ({ missing, unknown: { first: [], others: 0 } })),
  'links without a header': plain,
  'JSON without links': plain,
  'JSON with too many fields': plain,
  'JSON with several lists': names.map((lists) => ({ lists })),
  'broken JSON': plain,
};

const notices: Samples<FileNotice> = {
  'read from a file': [{ name: 'menu.csv' }],
  'sheet read': [
    { sheet: 'Menu', others: 1 },
    { sheet: 'Menu', others: 3 },
  ],
  'hidden rows': [one, two, many].map((rows) => ({ rows })),
  'hidden columns': names.map((columns) => ({ columns })),
  'merged rows': [{ ranges: { first: ['A2:A4', 'B2:B3'], others: 1 } }],
  encoding: [{ encoding: 'shift_jis' }],
  'columns not used': names.map((columns) => ({ columns })),
  'https added': [one, two, many].map((rows) => ({ rows })),
  'address and link differ': [one, two, many].map((rows) => ({ rows })),
  'one destination': [{ rows: 1200, destination }],
  'addresses of a network': [one, two, many].map((rows) => ({ rows })),
  'column with the destinations': [{ column: 'Shelf' }],
  'parameter there already': [one, two, many].map((rows) => ({ name: 'utm_source', rows })),
  'parameters not added': [one, two, many].map((rows) => ({ rows })),
  'row with the headers': [{ row: 3, text: 'Name' }],
  'notice as stored': [{ text: 'A sentence that was stored.' }],
};

const domainProblems: Samples<DomainProblem> = {
  'no address': [{ hostname: 'go.example.com', cause: 'ENOTFOUND' }],
  'no answer': [{ host: 'go.example.com', cause: 'ECONNREFUSED' }],
  'slow answer': [{ host: 'go.example.com', seconds: 5 }],
  'bad certificate': [{ host: 'go.example.com', cause: 'CERT_HAS_EXPIRED' }],
  'other server': [{ host: 'go.example.com' }],
};

type EntryValues = Pick<ActivityEntry, 'subject' | 'before' | 'after' | 'count'>;
const nothing: EntryValues = { subject: null, before: null, after: null, count: null };
const some = { ...nothing, subject: name, count: 12 };
const from = { before: 'https://example.com/old', after: destination };

/** Values of events that say more than the others. Each also stands without any. */
const told: { readonly [Kind in ActivityKind]?: readonly Partial<EntryValues>[] } = {
  'code-created': [{ after: destination }],
  'destination-changed': [from],
  'name-changed': [{ before: null, after: 'Menu' }],
  'folder-changed': [{ before: 'Shelf', after: null }],
  'label-changed': [{ before: 'old', after: 'new', subject: 'note' }],
  'code-blocked': [{ after: 'phishing' }],
  'plan-added': [
    { subject: 'pause', before: '2026-12-24T18:00', count: null },
    { subject: 'resume', before: '2026-12-24T18:00', count: 12 },
    { subject: 'destination', before: '2026-12-24T18:00', after: destination, count: 1 },
  ],
  'plan-cancelled': [
    { subject: 'resume', before: '2026-12-24T18:00' },
    { subject: 'destination', before: '2026-12-24T18:00', after: destination },
  ],
  'plan-not-made': [
    ...['no plan', 'flagged', 'not valid', 'blocked', 'failed', 'other'].map((before) => ({
      ...{ before, subject: 'destination', after: destination },
    })),
    { before: 'no plan', subject: 'pause' },
  ],
  'folder-renamed': [{ before: 'Shelf', after: 'Shop', count: 1 }],
  'folder-removed': [{ before: 'Shelf' }],
  'folder-domain-changed': [{ after: url, subject: 'Shelf' }],
  'codes-destination-changed': [{ after: destination }, from],
  'codes-moved': [
    { before: null, after: 'Shop' },
    { after: null },
    { before: 'Shelf', after: 'Shop' },
  ],
  'links-imported': [{ count: 1 }, { count: 1200 }],
  'signed-in': [{ after: '' }, { after: 'Firefox on Linux' }],
  'browser-added': [{ after: 'Firefox on Linux' }],
  'key-made': [{ subject: '4f2a' }],
  'key-ended': [{ subject: '4f2a' }],
  'key-revoked': [{ subject: '4f2a' }],
  'identity-connected': [{ subject: 'Osteria login' }],
  'person-invited': [
    { subject: email, after: 'editor' },
    { subject: null, after: 'viewer' },
  ],
  'invitation-cancelled': [{ subject: email }, { subject: null }],
  'person-joined': [{ after: 'editor' }, { after: 'viewer' }],
  'role-changed': [{ subject: email, before: 'viewer', after: 'editor' }, { subject: null }],
  'person-removed': [{ subject: email }, { subject: null }],
  'account-plan-changed': [{ after: '2027-01-31' }, { after: null }],
  'email-changed': [{ before: email, after: 'eva@example.com' }],
  'time-zone-changed': [{ after: 'Europe/Zurich' }],
  'domain-changed': [{ after: url }],
  'domain-given': [{ subject: url }],
  'domain-taken': [{ subject: url }],
};

/** Says each kind. */
function saidOf<R extends Kind>(samples: Samples<R>, say: (one: R) => string) {
  const said = allOf<R>(samples).map((one) => [one.kind, say(one)] as const);
  for (const [, sentence] of said) expect(sentence).not.toMatch(/undefined|\[object|NaN| {2}/);
  return said.map(([kind, sentence]) => `${kind}: ${sentence}`);
}

test('sentences of the panel', () => {
  expect(
    saidOf<PanelReason>(reasons, (one) => panelSentence(one, textsOf('en'))),
  ).toMatchSnapshot();
});

test('sentences of commands', () => {
  expect(saidOf<Reason>({ ...reasons, ...importReasons }, cliSentence)).toMatchSnapshot();
});

test('notices of files, and problems of domains', () => {
  expect(saidOf<FileNotice>(notices, cliNotice)).toMatchSnapshot();
  expect(saidOf<FileNotice>(notices, (one) => panelNotice(one, textsOf('en')))).toMatchSnapshot();
  expect(
    saidOf<DomainProblem>(domainProblems, (one) => domainProblemSentence(one, textsOf('en'))),
  ).toMatchSnapshot();
});

test('events of the activity', () => {
  const said = activityKinds.flatMap((kind) =>
    [nothing, ...(told[kind] ?? [{}]).map((values) => ({ ...some, ...values }))].map((values) => {
      const [entry, texts] = [{ kind, ...values }, textsOf('en')];
      const parts = { who: 'Anna', code: 'CODE', written: String };
      const sentence = activitySentence(entry, parts, texts).join('');
      const detail = activityDetail(entry, texts);
      return `${kind}: ${sentence}${detail === null ? '' : `: ${detail}`}`;
    }),
  );
  expect(said).toMatchSnapshot();
});
