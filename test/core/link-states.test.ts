import { describe, expect, test } from 'bun:test';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import type { ForeignLink } from '../../src/core/codes/imports/sources.ts';
import { refusalOf } from '../support/refusal.ts';
import { bitly, bytes, importLinks, link, parse, stored } from './sample-links.ts';

const { destination } = link;

const dub = {
  ...{ domain: 's.example', key: 'x', url: destination, clicks: 7, createdAt: '2024-01-02' },
  ...{ archived: false, expiresAt: null, password: null, rewrite: false, geo: null, ios: null },
};
const kutt = {
  ...{ address: 'x', target: destination, visit_count: 7, created_at: '2024-01-02' },
  ...{ banned: false, password: false, expire_in: null, link: 'https://s.example/x' },
};
const shlink = {
  ...{ shortCode: 'x', shortUrl: 'https://s.example/x', longUrl: destination, domain: null },
  meta: { validSince: null, validUntil: null, maxVisits: null },
  ...{ hasRedirectRules: false, forwardQuery: false },
};

test.each<[object, string | undefined]>([
  [{ ...bitly, archived: true }, 'archived'],
  [{ ...bitly, is_deleted: true, archived: true }, 'deleted'],
  [bitly, undefined],
  [{ ...dub, archived: true }, 'archived'],
  [{ ...dub, disabledAt: '2024-01-01T00:00:00Z' }, 'disabled'],
  [{ ...dub, disabledAt: null }, undefined],
  [{ ...dub, password: 'false' }, 'password'],
  [{ ...dub, password: 'NULL' }, 'password'],
  [dub, undefined],
  [{ ...kutt, banned: true }, 'banned'],
  [{ ...kutt, password: true }, 'password'],
  [kutt, undefined],
  [shlink, undefined],
])('the state of a link is read from its export: %j', (item, inactive) => {
  expect(parse(JSON.stringify([item])).links[0]?.inactive).toBe(inactive as undefined);
});

test.each([
  ['t,f', 'banned'],
  ['1,0', 'banned'],
  ['f,t', 'password'],
  ['0,$2b$10$abcdefghijklmnopqrstuv', 'password'],
  ['f,f', undefined],
  ['0,NULL', undefined],
])('a database writes the state of a link as %s', (cells, inactive) => {
  const file = `address,target,visit_count,created_at,banned,password\nx,https://a.example,7,2024-01-02,${cells}`;
  expect(parse(file).links[0]?.inactive).toBe(inactive as undefined);
});

test('a link that is over or has not begun is imported paused', async () => {
  // The clock of the test stands at 1970.
  const [past, future] = ['1960-01-01', '1980-01-01T00:00:00Z'];
  const cases: [Partial<ForeignLink>, 'active' | 'paused'][] = [
    [{ expires: '1970-01-01' }, 'paused'],
    [{ expires: future }, 'active'],
    [{ starts: future }, 'paused'],
    [{ starts: past }, 'active'],
    [{ maxScans: '120' }, 'paused'],
    [{ maxScans: '121' }, 'active'],
    [{ inactive: 'banned' }, 'paused'],
    [{ expires: 'soon' }, 'paused'],
    [{ maxScans: '120', isFurther: true }, 'paused'],
    [{}, 'active'],
  ];
  const links = await stored(cases.map(([fields]) => fields));
  expect(links.map(({ status }) => status)).toEqual(cases.map(([, status]) => status));
  const meta = { validSince: '2030-01-01', validUntil: '2031-01-01', maxVisits: 9 };
  const answer = { shortUrls: { data: [{ ...shlink, meta }] } };
  expect(parse(JSON.stringify(answer)).links).toMatchObject([
    { starts: '2030-01-01', expires: '2031-01-01', maxScans: '9' },
  ]);
});

test('what a link does at the other service alone is named by its rows', async () => {
  const url = 'https://apps.example/x';
  const cases: [object, string[] | undefined][] = [
    [{ ...dub, ios: url, geo: { US: url } }, ['targeted']],
    [{ ...dub, rewrite: true }, ['targeted']],
    [{ ...dub, testVariants: [{ url, percentage: 50 }] }, ['targeted']],
    [{ ...dub, utm_source: 'flyer' }, ['parameters']],
    [{ ...dub, url: `${url}?utm_source=flyer`, utm_source: 'flyer' }, undefined],
    [dub, undefined],
    [{ ...shlink, hasRedirectRules: true }, ['targeted']],
    [{ ...shlink, deviceLongUrls: { android: url, ios: null } }, ['targeted']],
    [{ ...shlink, deviceLongUrls: { android: null, ios: null } }, undefined],
    [{ ...bitly, deeplinks: [{ os: 'ios' }] }, ['targeted']],
  ];
  for (const [item, is] of cases)
    expect([item, parse(JSON.stringify([item])).links[0]?.differences as unknown]).toEqual([
      item,
      is,
    ]);
  const differing = await importLinks(
    [{ differences: ['targeted'] }, { expires: '1980-01-01' }, { expires: '1960-01-01' }],
    async () => 1,
  );
  expect(differing).toMatchObject({
    differing: [
      { row: 2, difference: 'targeted' },
      { row: 3, difference: 'ends' },
    ],
    paused: [{ row: 4, reason: 'expired' }],
  });
});

test.each<[string, object]>([
  ['Dub', { ...dub, isPaused: true }],
  ['Kutt', { ...kutt, status: 'off' }],
  ['Shlink', { ...shlink, enabled: false }],
  ['Bitly', { ...bitly, active: false }],
])('an export of %s with a field that is not known is asked about', async (_, item) => {
  expect((await refusalOf(() => parse(JSON.stringify([item])))).reason).toMatchObject({
    kind: 'columns of links not known',
  });
});

describe('a table', () => {
  const text = `Kürzel,Ziel,Bezeichnung,Zustand
a,https://a.example,A,aktiv
b,https://b.example,B,gesperrt
c,https://c.example,C,
d,https://d.example,D,aktiv
`;
  const read = (options: Parameters<typeof parseLinkFile>[1]) =>
    parseLinkFile(bytes(text), options).links;
  const asked = async (options: Parameters<typeof parseLinkFile>[1], file = text) =>
    (await refusalOf(() => parseLinkFile(bytes(file), options))).reason;
  const columns = [
    { role: 'address', of: 'Kürzel' },
    { role: 'destination', of: '2' },
    { role: 'name', of: 'C' },
  ] as const;
  const active = { role: 'active', of: 'Zustand' } as const;

  test('with other words than those of the product is asked about, each column and value', async () => {
    expect(await asked({})).toMatchObject({
      isHeaderOpen: true,
      missing: ['address', 'destination', 'active'],
      columns: [
        { header: 'Kürzel', value: 'a' },
        { header: 'Ziel', value: 'https://a.example' },
        { header: 'Bezeichnung', value: 'A' },
        { header: 'Zustand', value: 'aktiv' },
      ],
    });
    expect(await asked({ linkColumns: columns })).toMatchObject({
      isHeaderOpen: false,
      missing: ['active'],
    });
    const states = {
      first: [
        { value: 'aktiv', links: 2 },
        { value: 'gesperrt', links: 1 },
        { value: '', links: 1 },
      ],
      others: 0,
    };
    expect(await asked({ linkColumns: [...columns, active] })).toMatchObject({ states });
    expect(
      await asked({ linkColumns: [...columns, active], activeValues: ['Aktiv'] }),
    ).toMatchObject({ states, unknownStates: ['Aktiv'] });
  });

  test('has links that are active by what somebody said, and no others', () => {
    const states = (activeValues: readonly string[]) =>
      read({ linkColumns: [...columns, active], activeValues }).map(({ inactive }) => !inactive);
    expect(states(['aktiv'])).toEqual([true, false, false, true]);
    expect(states(['aktiv', ''])).toEqual([true, false, true, true]);
    expect(read({ linkColumns: [...columns, { role: 'active', of: 'none' }] })).toMatchObject([
      { row: 2, short: 'a', destination: 'https://a.example', name: 'A' },
      {},
      {},
      { row: 5, short: 'd' },
    ]);
    const ignored = { role: 'ignore', of: 'Zustand' } as const;
    expect(read({ linkColumns: [...columns, ignored] })).toHaveLength(4);
  });

  test.each(['Status', 'status', 'Active', 'archived', 'Expires', 'password', 'Clicks'])(
    'with the column %s beside words of the product is asked about',
    async (name) => {
      const file = `path,destination,${name}\nx,https://a.example,1`;
      expect(await asked({}, file)).toMatchObject({ missing: ['active'] });
      expect(parse(file.replace(/1$/, '')).links).toMatchObject([{ short: 'x' }]);
    },
  );

  test('without a header is asked about, and no first row is lost', async () => {
    const file = 'x,https://a.example,A\ny,https://b.example,B';
    const numbered = [
      { role: 'address', of: '1' },
      { role: 'destination', of: '2' },
      { role: 'name', of: '3' },
    ] as const;
    expect(await asked({}, file)).toMatchObject({ hasHeader: false, isHeaderOpen: false });
    expect(parseLinkFile(bytes(file), { linkColumns: numbered }).links).toMatchObject([
      { row: 1, short: 'x', name: 'A' },
      { row: 2, short: 'y', name: 'B' },
    ]);
    const unclear = file.replaceAll('https://', '');
    expect(await asked({ linkColumns: numbered }, unclear)).toMatchObject({ isHeaderOpen: true });
    expect(
      parseLinkFile(bytes(unclear), { linkColumns: numbered, header: false }).links,
    ).toHaveLength(2);
    // The number of a column may be the path of the first link.
    const digits = '1,a.example\n2,b.example';
    expect(await asked({ linkColumns: numbered.slice(0, 2) }, digits)).toMatchObject({
      isHeaderOpen: true,
    });
  });

  test('has one column for each thing, and each column is one thing', async () => {
    const both = 'path,address,destination\nx,y,https://a.example';
    expect(await asked({}, both)).toMatchObject({ missing: ['address', 'active'] });
    expect(
      await asked({
        linkColumns: [
          { role: 'address', of: 'Ziel' },
          { role: 'destination', of: 'B' },
        ],
      }),
    ).toEqual({ kind: 'column chosen twice', column: 'B' });
    expect(await asked({ linkColumns: [{ role: 'address', of: 'Pfad' }] })).toMatchObject({
      kind: 'no such column',
    });
  });

  test('of JSON has its fields named', () => {
    const linkColumns = [
      { role: 'address', of: 'tiny_url' },
      { role: 'destination', of: 'url' },
      { role: 'active', of: 'deleted' },
    ] as const;
    const item = (at: number, deleted: boolean) => ({
      ...{ tiny_url: `https://t.example/${at}`, url: destination, deleted },
    });
    const file = JSON.stringify({ code: [{ a: 1 }], data: [item(1, false), item(2, true)] });
    const { links } = parseLinkFile(bytes(file), { linkColumns, activeValues: ['false'] });
    expect(links.map(({ short, inactive }) => [short, inactive])).toEqual([
      ['https://t.example/1', undefined],
      ['https://t.example/2', 'not said to be active'],
    ]);
  });
});
