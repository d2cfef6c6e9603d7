import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createCode, createPanelClient, password, signedIn } from './client.ts';
import { fieldOf, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);

const zoneOf = (email: string) =>
  server.onStores(async ({ accounts }) => (await accounts.findByEmail(email))?.timeZone);
const countOf = (text: string, part: string) => text.split(part).length - 1;

describe('the time zone of an account', () => {
  test('is that of the browser at the first sign-in, which the page says once', async () => {
    const email = 'rome@example.org';
    await signedIn(server, email);
    const client = createPanelClient(server.origin);
    const enter = (zone: string) => client.post('/account/sign-in', { email, password, zone });
    expect((await enter('Europe/Rome')).status).toBe(303);
    expect(await zoneOf(email)).toBe('Europe/Rome');
    expect(textOf((await client.get('/account')).text)).toContain('Your days follow Rome.');
    expect(textOf((await client.get('/account')).text)).not.toContain('Your days follow Rome.');
    // A journey does not change the days of the business.
    const abroad = { email, password, zone: 'Asia/Tokyo' };
    expect((await createPanelClient(server.origin).post('/account/sign-in', abroad)).status).toBe(
      303,
    );
    expect(await zoneOf(email)).toBe('Europe/Rome');
  });

  test.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Europe/Oslo', 'Europe/Oslo'],
    ['UTC', 'UTC'],
  ])('that a browser calls %s is %s', async (zone, name) => {
    const email = `named-${Bun.hash(zone)}@example.org`;
    await signedIn(server, email);
    await createPanelClient(server.origin).post('/account/sign-in', { email, password, zone });
    expect(await zoneOf(email)).toBe(name);
  });

  test.each(['', 'Mars/Olympus', '+02:00', `Europe/${'x'.repeat(5000)}`, '<b>'])(
    'that a browser names as %p is left out, and signing in goes on',
    async (zone) => {
      const email = `guess-${Bun.hash(zone)}@example.org`;
      await signedIn(server, email);
      const client = createPanelClient(server.origin);
      expect((await client.post('/account/sign-in', { email, password, zone })).status).toBe(303);
      expect(await zoneOf(email)).toBeNull();
    },
  );

  test('is that of the browser where a one-time link creates or opens an account', async () => {
    const email = 'link@example.org';
    const id = await server.addAccount(email);
    const operator = await signedIn(server, 'operator@example.org', { isOperator: true });
    const csrf = await operator.csrf();
    const { text } = await operator.post(`/account/accounts/${id}/link`, { csrf });
    const path = /\/account\/link\/[\w-]+/.exec(text)?.[0] ?? '';
    const client = createPanelClient(server.origin);
    const opened = { password: 'some other unrelated words', zone: 'America/New_York' };
    expect((await client.post(path, opened)).to).toBe('/account');
    expect(await zoneOf(email)).toBe('America/New_York');
  });

  test('is changed in the settings, and rejected when it is none', async () => {
    const email = 'settings@example.org';
    const client = await signedIn(server, email);
    const csrf = await client.csrf();
    const change = (zone: string) => client.post('/account/settings/time-zone', { csrf, zone });
    expect((await change('Asia/Kolkata')).to).toBe('/account/settings');
    const { text } = await client.get('/account/settings');
    expect(textOf(text)).toContain('Your days follow Kolkata.');
    expect(fieldOf(text, 'zone')?.value).toBe('Asia/Kolkata');
    const wrong = await change('Mars/Olympus');
    expect(wrong.status).toBe(422);
    expect(textOf(wrong.text)).toContain('This is not a time zone.');
    expect(await zoneOf(email)).toBe('Asia/Kolkata');
  });

  test('is followed by times of pages and exports, and named once a page', async () => {
    const email = 'times@example.org';
    const client = await signedIn(server, email);
    const code = await createCode(client, 'https://example.org/', { folder: 'Menus' });
    await visit(`${server.origin}/${code}`);
    const csrf = await client.csrf();
    const pages = [
      '/account',
      '/account/codes',
      '/account/codes?folder=in%3AMenus',
      `/account/codes/${code}`,
      '/account/settings',
    ];
    await until(async () =>
      (await client.get(`/account/codes/${code}`)).text.includes('bar today'),
    );
    for (const [zone, note, offset] of [
      ['UTC', 'UTC', 'Z'],
      ['Asia/Tokyo', 'Tokyo', '+09:00'],
      ['Asia/Kolkata', 'Kolkata', '+05:30'],
    ] as const) {
      await client.post('/account/settings/time-zone', { csrf, zone });
      await client.get('/account/settings');
      for (const path of pages) {
        const shown = textOf((await client.get(path)).text);
        expect([path, shown.match(/(Days begin at midnight|Times are) in [^.]*\./g)]).toEqual([
          path,
          [expect.stringContaining(` in ${note}.`)],
        ]);
        const saysHalf = shown.includes('the half hour before it counts to the new day');
        expect([path, saysHalf]).toEqual([path, zone === 'Asia/Kolkata' && path !== pages[4]]);
      }
      const [, line = ''] = (await client.get('/account/codes.csv')).text.split('\r\n');
      const times = line.match(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)/g) ?? [];
      expect(times.map((time) => time.replace(/.*\d\d\.\d{3}/, ''))).toEqual([offset, offset]);
      for (const time of times)
        expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(3_600_000);
    }
  });
});

describe('the days of a chart', () => {
  const today = () => new Date().toISOString().slice(0, 10);

  test('are chosen by their number, which the browser keeps, or as a range', async () => {
    const client = await signedIn(server, 'chart@example.org');
    const code = await createCode(client, 'https://example.org/');
    await visit(`${server.origin}/${code}`);
    const path = `/account/codes/${code}`;
    await until(async () => (await client.get(path)).text.includes('bar today'));
    expect(textOf((await client.get(path)).text)).toContain('Last 30 days');
    expect(countOf((await client.get(`${path}?days=365`)).text, 'class="hit"')).toBeGreaterThan(52);
    expect(textOf((await client.get(path)).text)).toContain('Last 365 days');
    expect(textOf((await client.get('/account?days=7')).text)).toContain('Today is not over');
    expect(countOf((await client.get(path)).text, 'class="hit"')).toBe(7);
    const past = (await client.get(`${path}?since=2024-02-28&until=2024-03-01`)).text;
    expect(textOf(past)).toContain('28 Feb – 1 Mar 2024');
    expect(countOf(past, 'class="hit"')).toBe(3);
    expect(past).not.toContain('bar today');
    expect((await client.get(`${path}?since=${today()}&until=${today()}`)).text).toContain(
      'bar today',
    );
    // The next page shows last days again.
    expect(countOf((await client.get(path)).text, 'class="hit"')).toBe(7);
  });

  test.each([
    ['2026-03-02', '2026-03-01', 'The first day is after the last one.'],
    ['2026-03-01', '', 'Choose the first and the last day.'],
    ['2026-02-30', '2026-03-01', 'Choose the first and the last day.'],
    ['x'.repeat(500), '2026-03-01', 'Choose the first and the last day.'],
    ['1999-12-31', '2000-01-02', 'Choose days from the year 2000 on.'],
    ['2020-01-01', '2026-01-01', 'Choose up to two years.'],
    ['2020-01-01', '9999-12-31', 'The last day is in the future.'],
  ])('from %p to %p are rejected', async (from, to, problem) => {
    const client = await signedIn(server, `range-${Bun.hash(from + to)}@example.org`);
    const code = await createCode(client, 'https://example.org/', { folder: 'Menus' });
    await visit(`${server.origin}/${code}`);
    const paths = [`/account/codes/${code}?`, '/account?', '/account/codes?folder=in%3AMenus&'];
    await until(async () => (await client.get(paths[0] ?? '')).text.includes('bar today'));
    for (const path of paths) {
      const query = new URLSearchParams({ since: from, until: to });
      const { status, text } = await client.get(`${path}${query}`);
      expect([path, status]).toEqual([path, 200]);
      expect(textOf(text)).toContain(problem);
      expect(countOf(text, 'class="hit"')).toBe(30);
    }
  });
});

test('a folder has its own figures, and this week against last week', async () => {
  const client = await signedIn(server, 'folder@example.org');
  const menu = await createCode(client, 'https://example.org/menu', { folder: 'Menus' });
  const other = await createCode(client, 'https://example.org/other', { folder: 'Other' });
  for (const code of [menu, menu, other]) await visit(`${server.origin}/${code}`);
  const path = '/account/codes?folder=in%3AMenus';
  let shown = '';
  await until(async () => {
    const { text } = await client.get(path);
    shown = textOf(text);
    return text.includes('bar today') && shown.includes('This week, since Monday2');
  });
  expect(shown).toContain('more than last week until now');
  expect(shown).toContain('Last week0');
  expect(shown).toContain('30 days, 1 code');
  expect((await client.get(`${path}&days=7`)).text).toContain(`${path}&amp;days=365`);
  expect(textOf((await client.get('/account/codes?folder=in%3ANone')).text)).not.toContain(
    'This week',
  );
  expect(shown).toContain('Search in Menus');
  expect(shown).not.toContain('paused');
  await client.post(`/account/codes/${menu}/pause`, { csrf: await client.csrf() });
  expect(textOf((await client.get(path)).text)).toContain('1 paused');
});
