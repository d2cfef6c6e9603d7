import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const beganMs = Date.now();
const server = await startServer({
  WAYMARK_SHORT_URL_ALIASES: 'https://qr.example.com,https://example.net/q',
});
afterAll(() => server.close());
const { email, api, key } = await server.account('alice@example.org');

/** Runs a command whose words have no blanks. */
const waymark = (line: string) => server.cli(line.split(' '));

let files = 0;

/** Imports a file and returns what the command prints for machines. */
async function importLinks(content: string | Uint8Array, ...flags: string[]) {
  const file = join(server.folder, `links-${files++}.csv`);
  await Bun.write(file, content);
  const line = ['link', 'import', file, '--account', email, '--json', ...flags];
  const { exitCode, stdout, stderr } = await server.cli(line);
  return { exitCode, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
}

const get = (path: string, headers: Record<string, string> = {}, method?: 'HEAD') =>
  visit(`${server.origin}${path}`, headers, method);

async function show(code: string) {
  return JSON.parse((await waymark(`code show ${code} --json`)).stdout);
}

test('printed paths redirect, count, pause and can be searched and edited', async () => {
  const { exitCode, report } = await importLinks(`path,destination,name,scans,created,last scan
menu-7,https://example.com/menu?x=1,Table 7,120,2024-01-02,2025-03-04T10:00:00Z
https://qr.example.com/Über/8,https://example.com/8,,,,
https://example.net/q/inner,https://example.com/inner,,,,
EVENT200,https://example.com/event,,"1,234",,
`);
  expect({ exitCode, report }).toEqual({
    exitCode: 0,
    report: { rows: 4, created: 4, refused: [], ignored_columns: [], existing: 0 },
  });
  for (const [path, location] of [
    ['/menu-7', 'https://example.com/menu?x=1'],
    ['/%C3%9Cber/8', 'https://example.com/8'],
    ['/inner', 'https://example.com/inner'],
    ['/EVENT200', 'https://example.com/event'],
  ] as const)
    expect((await get(path)).to).toBe(location);
  for (const path of ['/Menu-7', '/Menu-7/', '/event200', '/%C3%BCber/8', '/menu-7.'])
    expect([path, (await get(path)).status]).toEqual([path, 302]);
  for (const path of ['/menu-7//', '/menu-7%2F'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);

  expect((await get('/menu-7', {}, 'HEAD')).status).toBe(302);
  await get('/menu-7', { 'Sec-Purpose': 'prefetch' });
  expect(await show('menu-7')).toMatchObject({
    code: 'menu-7',
    url: `${server.origin}/menu-7`,
    name: 'Table 7',
    scans: 124,
    created_at: '2024-01-02T00:00:00.000Z',
  });
  expect(await show('EVENT200')).toMatchObject({ scans: 1236 });
  expect(await show('Über/8')).toMatchObject({ url: 'https://qr.example.com/%C3%9Cber/8' });

  const found = await waymark(`code list --account ${email} --search table --json`);
  expect(JSON.parse(found.stdout)).toMatchObject({ data: [{ code: 'menu-7' }], total: 1 });
  await waymark('code pause menu-7');
  expect((await get('/menu-7')).status).toBe(410);
  await waymark('code resume menu-7');
  await waymark('code set menu-7 --url https://example.com/new');
  expect((await get('/menu-7')).to).toBe('https://example.com/new');
});

test('all addresses of a link are imported, and links that are not active there are paused', async () => {
  const link = (path: string, fields: object) => ({
    ...{ domain: 'qr.example.com', key: path, url: `https://example.com/${path}` },
    ...{ clicks: 0, createdAt: '2024-01-02', archived: false, ...fields },
  });
  const links = [
    link('gone', { archived: true }),
    link('secret', { password: 'x', geo: { US: 'https://example.com/us' } }),
    link('ends', { expiresAt: '2999-01-01' }),
    link('off', { disabledAt: '2024-01-01' }),
  ];
  const { exitCode, report, stderr } = await importLinks(JSON.stringify(links));
  expect({ exitCode, report }).toEqual({
    exitCode: 0,
    report: { rows: 4, created: 4, refused: [], existing: 0, ignored_columns: [] },
  });
  expect(stderr).toContain('The link of row 1 is archived there, and paused here');
  expect(stderr).toContain('The link of row 2 is protected by a password there, and paused here');
  expect(stderr).toContain('The link of row 2 loses other destinations by device, country');
  expect(stderr).toContain('The link of row 3 loses an end at a time');
  expect(stderr).toContain('The link of row 4 is disabled there, and paused here');
  for (const path of ['/gone', '/secret', '/off']) expect((await get(path)).status).toBe(410);
  expect((await get('/ends')).to).toBe('https://example.com/ends');

  const bitlink = (path: string, custom: string, archived: boolean) => ({
    ...{ id: `qr.example.com/${path}`, link: `https://qr.example.com/${path}`, archived },
    custom_bitlinks: [`https://qr.example.com/${custom}`],
    ...{ long_url: `https://example.com/${path}`, created_at: '2020-10-26T17:20:40+0000' },
  });
  const bitlinks = [bitlink('3SD8bAQ', 'custom', false), bitlink('old', 'old-too', true)];
  const all = await importLinks(JSON.stringify({ links: bitlinks, pagination: { total: 9 } }));
  expect(all.report).toMatchObject({ rows: 2, created: 4 });
  expect(all.stderr).toContain(
    'The file has 2 links of 9. Import the other pages of the answer too.',
  );
  for (const path of ['/3SD8bAQ', '/custom'])
    expect((await get(path)).to).toBe('https://example.com/3SD8bAQ');
  for (const path of ['/old', '/old-too']) expect((await get(path)).status).toBe(410);
  expect(await show('old-too')).toMatchObject({ status: 'paused' });
  await waymark('code resume old-too');
  expect((await get('/old-too')).to).toBe('https://example.com/old');
});

test('what a table does not say is asked, and what somebody says is done', async () => {
  const table = `Short,Long,Title,State
asked-1,https://example.com/1,One,live
asked-2,https://example.com/2,Two,over
asked-3,https://example.com/3,Three,live
`;
  const columns = '--column address=Short --column destination=Long --column name=Title'.split(' ');
  const state = ['--column', 'active=State'];
  const first = await importLinks(table);
  expect(first).toMatchObject({ exitCode: 1, report: null });
  for (const part of ['Short', 'asked-1', 'https://example.com/1', 'One', 'live'])
    expect(first.stderr).toContain(part);
  expect(first.stderr).toContain(
    `--account ${email} --header yes|no --column address=COLUMN --column destination=COLUMN --column active=COLUMN --active-values VALUE,VALUE`,
  );
  const second = await importLinks(table, ...columns);
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toContain(`${columns.join(' ')} --column active=COLUMN`);
  const third = await importLinks(table, ...columns, ...state);
  expect(third.exitCode).toBe(1);
  expect(third.stderr).toMatch(/"live" +2 links\n +"over" +1 link\n/);
  expect((await importLinks(table, '--active-values', 'live')).stderr).toContain(
    '--active-values needs the column',
  );
  for (const path of ['/asked-1', '/asked-2']) expect((await get(path)).status).toBe(404);
  const done = await importLinks(table, ...columns, ...state, '--active-values', 'live');
  expect(done).toMatchObject({ exitCode: 0, report: { created: 3, refused: [] } });
  expect(done.stderr).toContain('The link of row 3 is not said to be active there');
  expect((await get('/asked-1')).to).toBe('https://example.com/1');
  expect((await get('/asked-2')).status).toBe(410);
  expect(await show('asked-3')).toMatchObject({ name: 'Three', status: 'active' });
});

test('every field that is not read is named', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `field_${at}`);
  const item = { path: 'named', destination: 'https://example.com/' };
  const file = join(server.folder, 'fields.json');
  await Bun.write(
    file,
    JSON.stringify([{ ...item, ...Object.fromEntries(names.map((name) => [name, 1])) }]),
  );
  const { stdout } = await waymark(
    `link import ${file} --account ${email} --dry-run --column active=none`,
  );
  for (const name of names) expect(stdout).toContain(`"${name}"`);
});

test('a slash at the end leads where the link leads, if nothing else is there', async () => {
  await importLinks(
    'path,destination\nsl,https://example.com/sl\nboth,https://example.com/without\nboth/,https://example.com/with\nfolder/in,https://example.com/in\nupper,https://example.com/u',
  );
  const { code } = await api.create('https://example.com/code');
  for (const [path, location] of [
    ['/sl/', 'https://example.com/sl'],
    ['/sl/?utm=1', 'https://example.com/sl'],
    ['/both', 'https://example.com/without'],
    ['/both/', 'https://example.com/with'],
    ['/folder/in/', 'https://example.com/in'],
    [`/${code}/`, 'https://example.com/code'],
    [`/${code.toUpperCase()}/`, 'https://example.com/code'],
  ] as const)
    for (const method of [undefined, 'HEAD'] as const) {
      const { status, to } = await get(path, {}, method);
      expect([path, status, to]).toEqual([path, 302, location]);
    }
  expect(await show(code)).toMatchObject({ scans: 2 });
  for (const path of ['/sl//', '/folder/', '/none/', '/7h3k9m2y/', `/api/v1/qrs/${code}/`])
    expect([path, (await get(path)).status]).toEqual([path, path.startsWith('/api') ? 401 : 404]);
  expect((await api.call(`GET /qrs/${code}/`)).status).toBe(404);
  expect((await get('/docs/')).status).toBe(308);
  for (const url of [`${server.origin}/sl/`, `${server.origin}/both/`, `${server.origin}/${code}/`])
    expect((await server.cli(['code', 'set', code, '--url', url])).stderr).toContain('loop');
  const { report } = await importLinks(`path,destination\nround,https://qr.example.com/round/`);
  expect(report.refused).toEqual([{ row: 2, reason: expect.stringContaining('loop') }]);
});

test('dates are ISO 8601, MySQL or seconds or milliseconds since 1970, all others are refused', async () => {
  const dates = [
    ['2024-01-02', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02T03:04', '2024-01-02T03:04:00.000Z'],
    ['2024-01-02T03:04:05.678Z', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02T03:04:05+0200', '2024-01-02T01:04:05.000Z'],
    ['20240102T030405Z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02 03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02 03:04:05.678901', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02 03:04:05+02', '2024-01-02T01:04:05.000Z'],
    ['2024-01-02 03:04:05 -05:30', '2024-01-02T08:34:05.000Z'],
    ['1704164645', '2024-01-02T03:04:05.000Z'],
    ['1704164645678', '2024-01-02T03:04:05.678Z'],
  ];
  const { report } = await importLinks(
    `path,destination,created\n${dates.map(([date], at) => `date${at},https://example.com/,"${date}"`).join('\n')}`,
  );
  expect(report).toMatchObject({ created: dates.length, refused: [] });
  const listed = await waymark(`code list --account ${email} --search date --json`);
  const { data }: { data: { code: string; created_at: string }[] } = JSON.parse(listed.stdout);
  const created = new Map(data.map((one) => [one.code, one.created_at]));
  for (const [at, [, iso]] of dates.entries()) expect(created.get(`date${at}`)).toBe(iso);

  const others = [
    ...['03/04/2023', '5', '12', '2023-02-30', '2023-13-01', '2023-1-2', '2001', '2001-05'],
    ...['1 Jan 2020', 'Tue, 05 May 2020 10:00:00 GMT', '2020-01-01 25:00:00', 'yesterday'],
    ...['2020-01-01T10:00:00+99:00', '01.02.2023', '20230230', '12345'],
  ];
  const refused = await importLinks(
    `path,destination,created\n${others.map((date, at) => `other${at},https://example.com/,"${date}"`).join('\n')}`,
  );
  expect(refused.report.refused).toEqual(
    others.map((date, at) => ({
      row: at + 2,
      reason: `${JSON.stringify(date)} is no date of the creation. Write it like 2026-01-31.`,
    })),
  );
  const unknown = await importLinks(
    'path,destination,created,last scan\nzero,https://example.com/,0000-00-00 00:00:00,0000-00-00',
  );
  expect(unknown.report).toMatchObject({ created: 1, refused: [] });
  expect(Date.parse((await show('zero')).created_at)).toBeGreaterThan(beganMs);
});

test('a destination that is an imported link is refused, by command and API', async () => {
  for (const url of ['https://qr.example.com/menu-7', `${server.origin}/menu-7`]) {
    const { exitCode, stderr } = await server.cli(['code', 'set', 'menu-7', '--url', url]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('could redirect in a loop');
  }
  expect((await api.call('POST /qrs', { url: `${server.origin}/menu-7` })).status).toBe(400);
  const again = await importLinks(`path,destination\nchain,${server.origin}/menu-7`);
  expect(again.report.refused).toEqual([{ row: 2, reason: expect.stringContaining('loop') }]);
});

test('scans of an unknown date are counted, and the next scan has a date', async () => {
  await importLinks('path,destination,scans\nold-one,https://example.com/,5');
  expect(await show('old-one')).toMatchObject({ scans: 5, last_scan: null });
  await get('/old-one');
  const { scans, last_scan: lastScan } = await show('old-one');
  expect(scans).toBe(6);
  expect(Date.parse(lastScan)).toBeGreaterThan(beganMs);
});

describe('nothing is created', () => {
  test('when a row is refused, unless --only-good', async () => {
    const { code } = await api.create();
    const table = `path,destination,created,scans
good,https://example.com/,,
docs/json,https://example.com/,,
${code},https://example.com/,,
${code.toUpperCase()},https://example.com/,,
good,https://example.com/2,,
bad,javascript:alert(1),,
dangerous,http://malware.testing.google.test/testing/malware/,,
loop,https://qr.example.com/good,,
self,${server.origin}/${code},,
late,https://example.com/,2999-01-01,
many,https://example.com/,,lots
${'x'.repeat(256)},https://example.com/,,
,https://example.com/,,
https://qr.example.com/a?b=c,https://example.com/,,
`;
    const refused = [
      [3, '/docs is a page of Waymark.'],
      [4, `/${code} exists already.`],
      [5, `/${code.toUpperCase()} exists already.`],
      [6, 'Row 2 has the same path.'],
      [7, 'The URL must begin with http:// or https://.'],
      [8, 'flagged as dangerous'],
      [9, 'loop'],
      [10, 'loop'],
      [11, 'is no date'],
      [12, 'is no number of scans'],
      [13, 'longer than 255 characters'],
      [14, 'no short address'],
      [15, 'has a query'],
    ].map(([row, reason]) => ({ row, reason: expect.stringContaining(String(reason)) }));
    const first = await importLinks(table);
    expect(first).toMatchObject({ exitCode: 1, report: { rows: 14, created: 0, refused } });
    expect(first.stderr).toContain('Nothing was created');
    expect((await get('/good')).status).toBe(404);

    expect(await importLinks(table, '--only-good')).toMatchObject({
      exitCode: 0,
      report: { rows: 14, created: 1, refused },
    });
    expect((await get('/good')).status).toBe(302);
    expect(await importLinks('path,destination\ngood,https://example.com/')).toMatchObject({
      exitCode: 1,
      report: { created: 0, refused: [{ row: 2, reason: '/good exists already.' }] },
    });
  });

  test('without a plan', async () => {
    await server.addAccount('expired@example.org', { planUntilMs: 1 });
    const file = join(server.folder, 'plan.csv');
    await Bun.write(file, 'path,destination\nplan,https://example.com/');
    const line = `link import ${file} --account expired@example.org`;
    const { exitCode, stderr } = await waymark(line);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('plan of this account has expired');
  });

  test('from a row of 1 MB, which is refused alone', async () => {
    const table = `path,destination\nrow,https://example.com/${'a'.repeat(1_000_000)}\n`;
    expect(await importLinks(table)).toMatchObject({
      exitCode: 1,
      report: { refused: [{ row: 2, reason: 'The URL is longer than 2048 characters.' }] },
    });
  });
});

test('a host that is not set up is imported by its paths, with a warning', async () => {
  const { exitCode, stderr, report } = await importLinks(
    'Short link,Destination URL,Clicks,Created at\nhttps://old.example/promo,https://example.com/promo,7,2024-01-01',
  );
  expect({ exitCode, created: report.created }).toEqual({ exitCode: 0, created: 1 });
  expect(stderr).toContain('Links were printed under old.example');
  expect((await get('/promo')).to).toBe('https://example.com/promo');
});

test('an imported link has no image, and exports have it', async () => {
  const out = join(server.folder, 'x.pdf');
  const sheet = await waymark(`code sheet --account ${email} --layout L7160 --out ${out}`);
  expect(sheet.stderr).toContain('not on the sheet');
  const { stdout } = await server.cli(['export', '--format', 'redirects']);
  expect(stdout).toContain('\n/menu-7 https://example.com/new 302\n');
});

test('a link that is named like an image can be read and changed; the image of a code comes first', async () => {
  // The document describes the paths of images as those of images.
  const send = async (method: string, path: string, url?: string) => {
    const response = await fetch(`${server.origin}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(url !== undefined && { body: JSON.stringify({ url }) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const { code } = await api.create();
  const names = ['logo.png', 'a/b c.svg', 'twice.png.svg'];
  const imported = await importLinks(
    ['path,destination', ...names.map((name) => `${name},https://example.com/`)].join('\n'),
  );
  expect(imported).toMatchObject({ exitCode: 0, report: { created: 3 } });
  for (const name of names) {
    const path = `/qrs/${encodeURIComponent(name)}`;
    const read = await send('GET', path);
    expect([read.status, JSON.parse(read.text)]).toMatchObject([200, { code: name, kind: 'link' }]);
    expect((await send('HEAD', path)).status).toBe(200);
    const url = `https://example.com/${code}`;
    const changed = await send('PATCH', path, url);
    expect([changed.status, JSON.parse(changed.text)]).toMatchObject([200, { destination: url }]);
    const deleted = await send('DELETE', path);
    expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
    expect((await send('GET', `${path}/stats`)).status).toBe(200);
    // Waymark has no image of it.
    expect((await send('GET', `${path}.png`)).status).toBe(404);
  }
  const image = await send('GET', `/qrs/${code.toUpperCase()}.png`);
  expect(image.headers.get('content-type')).toBe('image/png');
  const changed = await send('PATCH', `/qrs/${code}.png`, 'https://example.com/');
  expect([changed.status, changed.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await send('GET', '/qrs/nothing.png')).status).toBe(404);
});

test('a link is refused that has the name of the image of a code', async () => {
  const { code } = await api.create();
  const names = [`${code}.png`, `${code}.svg`, `${code.toUpperCase()}.png`];
  const { exitCode, report } = await importLinks(
    ['path,destination', ...names.map((name) => `${name},https://example.com/`)].join('\n'),
  );
  expect({ exitCode, created: report.created }).toEqual({ exitCode: 1, created: 0 });
  expect(report.refused).toEqual(
    names.map((_, index) => ({ row: index + 2, reason: expect.stringContaining('an image') })),
  );
});

test('paths that programs ask every host for need --force', async () => {
  const paths = 'robots.txt favicon.ico .well-known/security.txt apple-touch-icon.png'.split(' ');
  const table = ['path,destination', ...paths.map((path) => `${path},https://example.com/`)];
  const { exitCode, report } = await importLinks(table.join('\n'));
  expect({ exitCode, refused: report.refused }).toEqual({
    exitCode: 1,
    refused: paths.map((_, index) => ({
      row: index + 2,
      reason: expect.stringContaining('--force'),
    })),
  });
  expect(await importLinks(table.join('\n'), '--force')).toMatchObject({
    exitCode: 0,
    report: { created: paths.length, refused: [] },
  });
  expect((await get('/.well-known/security.txt')).to).toBe('https://example.com/');
});

test('redirects and edits go on while many links are imported', async () => {
  const { code } = await api.create();
  const rows = Array.from(
    { length: 1500 },
    (_, index) => `bulk/${index},https://example.com/${index}`,
  );
  let isOver = false;
  const running = importLinks(`path,destination\n${rows.join('\n')}`).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    expect((await get('/inner')).status).toBe(302);
    expect((await api.call(`PATCH /qrs/${code}`, { url: 'https://example.com/2' })).status).toBe(
      200,
    );
  }
  expect(await running).toMatchObject({ exitCode: 0, report: { created: 1500 } });
  expect((await get('/bulk/1499')).to).toBe('https://example.com/1499');
});
