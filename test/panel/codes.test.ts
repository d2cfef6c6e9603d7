import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createCode, signedIn } from './client.ts';
import { fieldOf, headingOf, linkOf, parsePage, sentFields, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const anna = await signedIn(server, 'anna@example.org');
const api = server.api(await server.generateKey('anna@example.org'));
const codes: string[] = [];
for (let at = 0; at < 27; at++)
  codes.unshift((await api.create(`https://example.org/${at},"quoted"`)).code);

const listed = (text: string) =>
  [...text.matchAll(/name="code" value="([0-9a-z]{8})"/g)].map(([, code]) => code ?? '');

test.each([
  ['osteria', '“osteria” is not a complete host name. Write it with its ending'],
  ['osteria/menu', '“osteria” is not a complete host name.'],
  ['localhost/menu', '“localhost” is the phone itself.'],
  ['localhost:8080/menu', '“localhost” is the phone itself.'],
  ['osteria,example', 'There is a comma in the host name.Use osteria.example'],
  ['our menu', 'This is no address: there is a space in it.'],
  ['ftp://example.org/menu', 'must begin with http:// or https://'],
  ['mailto:ada@example.org', 'must begin with http:// or https://'],
  ['menu.pdf', '"menu.pdf" may be a file or a name.'],
])('the destination %p is rejected for what is wrong with it', async (url, problem) => {
  const { status, text } = await anna.post('/account/codes', { csrf: await anna.csrf(), url });
  expect([status, textOf(text)]).toEqual([422, expect.stringContaining(problem)]);
});

describe('the list', () => {
  test.each(['', 'q=EXAMPLE.org'])('has pages, newest first: %p', async (query) => {
    const first = await anna.get(`/account/codes?${query}`);
    expect(listed(first.text)).toEqual(codes.slice(0, 25));
    const older = linkOf(first.text, 'Next') ?? '';
    const second = await anna.get(older);
    expect(listed(second.text)).toEqual(codes.slice(25));
    expect(linkOf(second.text, 'Next')).toBeUndefined();
  });

  test('has at most 120 kB with its style sheet and script, none of them compressed', async () => {
    const client = await signedIn(server, 'full-page@example.org');
    for (let at = 1; at <= 25; at++) {
      const url = `https://shop.example.com/menus/summer/table-${at}?utm_source=qr`;
      const labels = { name: `Table ${at}, terrace`, folder: 'Summer menu' };
      await visit(`${server.origin}/${await createCode(client, url, labels)}`);
    }
    let text = '';
    // The scans show first as a time, then also as bars.
    await until(async () => {
      ({ text } = await client.get('/account/codes'));
      return text.split('<svg class="mini"').length === 26 && !text.includes('<path class="none"');
    });
    const assets = [...text.matchAll(/"(\/account\/assets\/panel[^"]+)"/g)];
    const kilobytes = [Buffer.byteLength(text) / 1000];
    for (const [, path] of assets) {
      const response = await fetch(`${server.origin}${path}`);
      // Pages are not compressed: they have secrets beside what an address says.
      expect(response.headers.get('content-encoding')).toBe('gzip');
      kilobytes.push((await response.bytes()).length / 1000);
    }
    console.info(`The list has ${kilobytes.join(' + ')} kB: page, style sheet, script.`);
    expect(kilobytes).toHaveLength(3);
    expect(kilobytes.reduce((sum, part) => sum + part)).toBeLessThan(120);
  });

  test.each(['/11,', ' /11, '])('is searched for %p', async (text) => {
    const { text: found } = await anna.get(`/account/codes?${new URLSearchParams({ q: text })}`);
    expect(listed(found)).toEqual(codes.slice(15, 16));
  });

  test('is limited to codes that were never scanned, or not for 30 days', async () => {
    const [, scanned = ''] = codes;
    await fetch(`${server.origin}/${scanned}`, { redirect: 'manual' });
    const never = await anna.get('/account/codes?scans=never&q=example.org');
    expect(headingOf(never.text)).toBe('Never scanned');
    expect(listed(never.text)).toEqual([codes[0] ?? '', ...codes.slice(2, 26)]);
    const older = linkOf(never.text, 'Next') ?? '';
    expect(listed((await anna.get(older)).text)).toEqual(codes.slice(26));
    expect(listed((await anna.get('/account/codes?scans=quiet')).text)).toEqual([]);
  });

  test('is searched by code and short link', async () => {
    const [code = ''] = codes;
    const shortLink = `${server.origin}/${code}`;
    const bare = shortLink.replace('http://', '');
    for (const q of [code, shortLink, shortLink.toUpperCase(), bare])
      expect(listed((await anna.get(`/account/codes?${new URLSearchParams({ q })}`)).text)).toEqual(
        [code],
      );
  });

  test.each([
    ['page=9', 'This page is empty.'],
    ['page=9&q=example.org', 'This page is empty.'],
    ['page=401', 'A list shows its first 10,000 codes.'],
    [`page=${'9'.repeat(400)}`, 'A list shows its first 10,000 codes.'],
    ['page=401&q=example.org&sort=scans', 'A list shows its first 10,000 codes.'],
    ['q=nowhere', 'No code matches “nowhere”.'],
  ])('says that nothing was found: %s', async (query, text) => {
    const found = await anna.get(`/account/codes?${query}`);
    expect([found.status, found.text.includes(text)]).toEqual([
      query.startsWith('page') ? 404 : 200,
      true,
    ]);
  });
});

test('a page, filter, order or period that there is not is 404, never all codes', async () => {
  const client = await signedIn(server, 'strict@example.org');
  const code = await createCode(client, 'https://example.org/none');
  const values = [
    ...['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=1e1', `page=${'9'.repeat(400)}`],
    ...['folder=Bar', 'folder=in%3ANowhere', 'status=open', 'status=%5E', 'scans=many'],
    ...['archived=no', 'sort=oldest', 'design=first'],
  ];
  const csrf = await client.csrf();
  for (const value of values) {
    const list = `/account/codes?${value}`;
    const isPage = value.startsWith('page');
    const csv = isPage ? 404 : (await client.get(`/account/codes.csv?${value}`)).status;
    const dialog = { csrf, list, all: 'yes', open: 'archive' };
    const selected = (await client.post('/account/selection', dialog)).text;
    expect([value, (await client.get(list)).status, csv]).toEqual([value, 404, 404]);
    if (!isPage) expect(selected).not.toContain('Archive 1');
  }
  for (const path of [
    `/account/codes/${code}?days=13`,
    `/account/codes/${code}/picture?size=huge`,
    `/account/codes/${code}/picture?form=round`,
    '/account/print?codes=in%3ANowhere',
    '/account/print?codes=some',
    '/account/batches?of=999999',
  ])
    expect([path, (await client.get(path)).status]).toEqual([path, 404]);
});

test('fields that a form left empty mean nothing', async () => {
  const client = await signedIn(server, 'empty@example.org');
  for (const path of [
    '/account/codes?q=&folder=&status=&sort=&scans=&design=&archived=&page=&days=',
    `/account/codes/${await createCode(client, 'https://example.org/empty')}?days=`,
    '/account/batches?of=',
    '/account/activity?code=&by=&kind=&before=',
    '/account/print?codes=&layout=',
    '/account?days=&first=',
  ])
    expect([path, (await client.get(path)).status]).toEqual([path, 200]);
});

test('dialogs of the list lead back to the list with its search, page, sort and folder, also when rejected', async () => {
  const bea = await signedIn(server, 'back@example.org');
  const csrf = await bea.csrf();
  await createCode(bea, 'https://example.org/back', { name: 'Back', folder: 'Über uns' });
  const list = '/account/codes?folder=in%3A%C3%9Cber+uns&sort=name&q=Back&page=1';
  const { links } = parsePage((await bea.get(list)).text);
  for (const [path, wrong] of [
    ['/account/new?', { url: 'ftp://x', name: 'Kept' }],
    ['/account/folders/rename?', { folder: 'Über uns', name: '' }],
    ['/account/folders/remove?', null],
  ] as const) {
    const opened = links.find((link) => link.startsWith(path)) ?? '';
    const { text } = await bea.get(opened);
    expect([path, linkOf(text, 'Cancel')]).toEqual([path, list]);
    if (wrong === null) continue;
    const form = parsePage(text).forms.find(({ fields }) =>
      fields.some(({ name }) => name === 'list'),
    );
    const rejected = await bea.post(form?.action ?? '', { ...sentFields(form), csrf, ...wrong });
    expect([rejected.status, linkOf(rejected.text, 'Cancel')]).toEqual([422, list]);
    expect(fieldOf(rejected.text, 'name')?.value).toBe(wrong.name);
  }
});

test('a folder that is empty by now is not said to be renamed', async () => {
  const typed = { csrf: await anna.csrf(), folder: 'Gone "by" now', name: 'Roof' };
  const { status, text } = await anna.post('/account/folders/rename', typed);
  expect([status, fieldOf(text, 'name')?.value]).toEqual([422, 'Roof']);
  expect(fieldOf(text, 'name')?.descriptions.at(-1)).toBe(
    'No code is in the folder “Gone "by" now” any more.',
  );
});

test('a bookmark of version 0.1 leads to the list', async () => {
  expect((await anna.get('/account?q=menu&page=2')).to).toBe('/account/codes?q=menu&page=2');
});

test('the export has every code once, quoted where needed', async () => {
  const { text, headers } = await anna.get('/account/codes.csv');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="waymark-codes-.*\.csv"$/,
  );
  const lines = text.trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',')[1])).toEqual(codes);
  expect(lines[0]).toContain('"https://example.org/26,""quoted"""');
});

test.each([
  ['name', ['Table 2', 'Table 10', 'Zoo']],
  ['newest', ['Table 10', 'Table 2', 'Zoo']],
  ['scans', ['Table 2', 'Table 10', 'Zoo']],
  ['last-scan', ['Table 2', 'Table 10', 'Zoo']],
])('the export has the order of the list: %s', async (sort, names) => {
  const client = await signedIn(server, `sorted-${sort}@example.org`);
  for (const name of ['Zoo', 'Table 2', 'Table 10'])
    await createCode(client, `https://sorted.example/${encodeURIComponent(name)}`, { name });
  const path = (await client.get('/account/codes?q=Table+2')).text.match(
    /\/account\/codes\/(\w{8})"/,
  );
  await visit(`${server.origin}/${path?.[1]}`);
  for (const query of [`sort=${sort}`, `sort=${sort}&q=sorted.example`])
    await until(async () => {
      const { text } = await client.get(`/account/codes.csv?${query}`);
      const exported = text.trimEnd().split('\r\n').slice(1);
      return Bun.deepEquals(
        exported.map((line) => line.split(',')[0]),
        names,
      );
    });
});

test('flagged codes are a filter, which the export follows, as it follows the search and other filters', async () => {
  const flagged = await createCode(anna, 'https://flagged.example/1');
  const inFolder = await createCode(anna, 'https://flagged.example/2', { folder: 'Bar' });
  for (const command of [
    ['safety', 'block', 'flagged.example/'],
    ['safety', 'recheck'],
  ])
    expect((await server.cli(command)).exitCode).toBe(0);
  const both = [inFolder, flagged];
  for (const [query, expected] of [
    ['status=flagged', both],
    ['status=flagged&q=example%2F1', [flagged]],
    ['status=flagged&folder=in%3ABar', [inFolder]],
    ['status=paused&folder=in%3ABar', []],
    ['q=flagged.example', both],
  ] as const) {
    const { text } = await anna.get(`/account/codes?${query}`);
    expect(listed(text)).toEqual([...expected]);
    if (expected.length === 0) continue;
    const table = await anna.get(linkOf(text, 'Export as CSV') ?? '');
    const lines = table.text.trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[1])).toEqual([...expected]);
  }
});

test('a code shows its latest earlier destinations', async () => {
  const { code } = await api.create('https://example.org/0');
  for (let change = 1; change <= 51; change++)
    await api.call(`PATCH /qrs/${code}`, { url: `https://example.org/${change}` });
  expect((await anna.get(`/account/codes/${code}`)).text).toContain('Changed more than 50 times');
  const { text } = await anna.get(`/account/codes/${code}/history`);
  expect(text).toContain('Only the latest 50 are shown.');
  expect(text).toContain('>https://example.org/50<');
  expect(text).toContain('>https://example.org/1<');
  expect(text).not.toContain('>https://example.org/0<');
});

test('a form that is sent twice creates one code', async () => {
  const create = () => createCode(anna, 'https://example.org/once', { attempt: 'a'.repeat(64) });
  expect(await create()).toBe(await create());
  expect(listed((await anna.get('/account/codes?q=once')).text)).toHaveLength(1);
});

test.each([
  ['http://127.0.0.1:8080/', 'Phones can’t open 127.0.0.1'],
  ['http://nas.local/menu', 'Only phones in your network can open nas.local'],
])('a destination that phones cannot open is accepted, with a warning: %s', async (url, text) => {
  const code = await createCode(anna, url);
  expect((await anna.get(`/account/codes/${code}`)).text).toContain(text);
});

test('scans are shown by the page of the code, the list and the overview', async () => {
  const scanned = await signedIn(server, 'scanned@example.org');
  expect(headingOf((await scanned.get('/account')).text)).toBe('Welcome to Waymark');
  const code = await createCode(scanned, 'https://example.org/menu');
  const page = `/account/codes/${code}`;
  const { text: fresh } = await scanned.get(page);
  expect(fresh).toContain('No scans yet. Test it with your phone.');
  expect(fresh).not.toContain('Link previews');
  const shortLink = `${server.origin}/${code}`;
  await visit(shortLink);
  await visit(shortLink);
  await visit(shortLink, { 'User-Agent': 'WhatsApp/2.23' });
  await visit(shortLink, {}, 'HEAD');
  let text = '';
  // Scans are added to the chart a moment later.
  await until(async () => {
    ({ text } = await scanned.get(page));
    return text.includes('"bar today"');
  });
  const shown = textOf(text);
  expect(shown).toContain('All time2last scan');
  expect(shown).toContain('Link previews1Prefetches0Crawlers0HEAD requests1');
  for (const [days, unit] of [
    [7, 'a day'],
    [365, 'a week'],
  ] as const) {
    expect(text).toContain(`href="${page}?days=${days}"`);
    const { text: chart } = await scanned.get(`${page}?days=${days}`);
    expect(chart).toContain(`Scans ${unit}, `);
    expect(chart).toContain('"bar today"');
  }
  expect(textOf((await scanned.get('/account/codes')).text)).toContain('2just now');
  await until(async () => {
    ({ text } = await scanned.get('/account'));
    return text.includes('more than yesterday at this hour');
  });
  expect(textOf(text)).toContain('2 more than in the 7 days before');
  expect(textOf(text)).toContain('2 more than in the 30 days before');
  expect(textOf(text)).toMatch(new RegExp(`Most scanned.*${code}`, 's'));
});

test('a URL may have blanks around it and lack its scheme, which the next page says', async () => {
  const code = await createCode(anna, '  example.org:8443/menu?a=b ');
  const page = `/account/codes/${code}`;
  const created = textOf((await anna.get(page)).text);
  expect(created).toContain('Your code is ready. Download it below. https:// was added.');
  expect((await anna.get(page)).text).toContain('https://example.org:8443/menu?a=b');
  const change = async (url: string) => {
    expect((await anna.post(`${page}/destination`, { csrf: await anna.csrf(), url })).to).toBe(
      page,
    );
    return (await anna.get(page)).text;
  };
  const completed = await change(' example.org/drinks  ');
  expect(completed).toContain('https://example.org/drinks');
  expect(textOf(completed)).toContain('Destination saved. https:// was added.');
  expect(textOf(await change('https://example.org/food'))).not.toContain('was added');
});

test.each(['', ' ', '\u200b'])('a destination is asked for when none is typed: %p', async (url) => {
  const csrf = await anna.csrf();
  const rejected = await anna.post('/account/codes', { csrf, url, name: 'Table 9' });
  expect([rejected.status, fieldOf(rejected.text, 'name')?.value]).toEqual([422, 'Table 9']);
  expect(fieldOf(rejected.text, 'url')?.descriptions.at(-1)).toBe(
    'Enter the address that opens, such as https://example.com/menu.',
  );
});

test('a file name, a version or a name is no address', async () => {
  const client = await signedIn(server, 'no-address@example.org');
  for (const url of ['menu.pdf', 'v1.beta', 'J.Smith']) {
    const { status, text } = await client.post('/account/codes', {
      csrf: await client.csrf(),
      url,
    });
    expect(status).toBe(422);
    expect(textOf(text)).toContain(
      `"${url}" may be a file or a name. If it is an address, write https:// before it.`,
    );
  }
});

test('a long destination is shown in part, with the rest behind a click', async () => {
  const code = await createCode(anna, `https://example.org/${'long/'.repeat(60)}`);
  const { text } = await anna.get(`/account/codes/${code}`);
  expect(textOf(text)).toContain('Show full address');
});

test('an invalid colour is rejected beside its field, unless suggested changes replace it', async () => {
  const send = async (action: string, fields: Record<string, string>) => {
    const form = { csrf: await anna.csrf(), do: action, background: '#ffffff', ...fields };
    const { status, text } = await anna.post('/account/design', form);
    const field = (name: string) => fieldOf(text, name);
    return { status, field };
  };
  const colors = { foreground: '#1b3a57', background: 'cream', finder_color: '#12345' };
  for (const action of ['save', 'preview']) {
    const { status, field } = await send(action, colors);
    expect(status).toBe(422);
    const invalid = Object.keys(colors).map((name) => field(name)?.isInvalid);
    expect(invalid).toEqual([false, true, true]);
  }
  expect((await send('save', { foreground: '#fafafa' })).status).toBe(303);
  const { status, field } = await send('advice', { foreground: 'pale' });
  expect(status).toBe(200);
  expect(field('foreground')?.value).toMatch(/^#(?!fafafa)[0-9a-f]{6}$/);
});

test('a folder that does not exist is no heading, and has no dialogs', async () => {
  const name = 'Call +1 555 0100';
  const query = new URLSearchParams({ folder: `in:${name}` });
  const list = await anna.get(`/account/codes?${query}`);
  expect([list.status, headingOf(list.text)]).toEqual([404, 'Codes']);
  for (const dialog of ['rename', 'remove'])
    expect(
      (await anna.get(`/account/folders/${dialog}?${new URLSearchParams({ folder: name })}`))
        .status,
    ).toBe(404);
});

test('the label over the destination says who gets there', async () => {
  const [code = ''] = codes;
  const labelOf = async () => textOf((await anna.get(`/account/codes/${code}`)).text);
  expect(await labelOf()).toContain('People who scan it go to');
  await anna.post(`/account/codes/${code}/pause`, { csrf: await anna.csrf() });
  expect(await labelOf()).toContain('When resumed, people go to');
});

test('a paused code shows its message as visitors see it, which changes without another pause', async () => {
  const anna = await signedIn(server, 'terrace@example.org');
  const code = await createCode(anna, 'https://example.org/terrace');
  const csrf = await anna.csrf();
  const own = `/account/codes/${code}`;
  const shown = async () => textOf((await anna.get(own)).text);
  const seen = async () => (await fetch(`${server.origin}/${code}`, { redirect: 'manual' })).text();
  expect(await shown()).not.toContain('What people see who scan it');
  await anna.post(`${own}/pause`, { csrf, message: 'Closed until Easter.' });
  for (const text of ['What people see who scan it', 'Closed until Easter.', 'Change the message'])
    expect(await shown()).toContain(text);
  const dialog = (await anna.get(`${own}/message`)).text;
  expect(fieldOf(dialog, 'message')?.value).toBe('Closed until Easter.');
  const message = 'Ask inside\r\nfor a table.';
  expect((await anna.post(`${own}/message`, { csrf, message })).to).toBe(own);
  for (const page of [await shown(), await seen()])
    expect(page).toContain('Ask inside\nfor a table.');
  const activity = textOf((await anna.get(`/account/activity?code=${code}`)).text);
  expect(activity.match(/paused/g)).toHaveLength(1);
  await anna.post(`${own}/message`, { csrf, message: '' });
  await anna.post('/account/settings/visitors', { csrf, pausedMessage: 'We are on holiday.' });
  for (const page of [await shown(), await seen()]) expect(page).toContain('We are on holiday.');
  // Who has the dialog open of a code that is resumed meanwhile does not pause it.
  await anna.post(`${own}/resume`, { csrf });
  await anna.post(`${own}/message`, { csrf, message: 'Late.' });
  expect(await shown()).not.toContain('Late.');
  expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  await anna.post('/account/settings/visitors', { csrf, pausedMessage: '' });
});

test('a search that finds nothing shows what is near, says so, and goes on with it', async () => {
  const client = await signedIn(server, 'near@example.org');
  const code = await createCode(client, 'https://example.org/', { name: 'Airport shuttle' });
  await createCode(client, 'https://example.org/other', { name: 'Menu' });
  const { text } = await client.get('/account/codes?q=shutle');
  const shown = textOf(text);
  expect(shown).toContain('No code matches “shutle”. These match “shuttle”, which is near.');
  expect(shown).toContain('Airport shuttle');
  expect(shown).not.toContain('Menu1');
  expect(text).toContain('name="q" value="shuttle"');
  const csv = await client.get(linkOf(text, 'Export as CSV') ?? '');
  expect([csv.text.includes(code), csv.text.includes('Menu')]).toEqual([true, false]);
  const exact = textOf((await client.get('/account/codes?q=shuttle')).text);
  expect(exact).not.toContain('which is near');
  const none = textOf((await client.get('/account/codes?q=elephant')).text);
  expect(none).toContain('No code matches “elephant”.');
});
