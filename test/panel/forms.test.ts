import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, password, signedIn } from './client.ts';

let server: Server;
let operator: PanelClient;
beforeAll(async () => {
  server = await startServer();
  operator = await signedIn(server, 'olga@example.org', ['--operator']);
});
afterAll(() => server.close());

describe('the address of a form leads to its page', () => {
  test.each([
    ['/account/codes?q=menu', '/account?q=menu'],
    ['/account/codes/zzzzzzzz/destination', '/account/codes/zzzzzzzz'],
    ['/account/codes/zzzzzzzz/pause', '/account/codes/zzzzzzzz'],
    ['/account/key/revoke', '/account/key'],
    ['/account/settings/password', '/account/settings'],
    ['/account/sign-out', '/account'],
    ['/account/accounts/1/link', '/account/accounts/1'],
    ['/account/safety/rules/withdraw', '/account/safety'],
    ['/account/safety/codes/zzzzzzzz/block', '/account/safety'],
  ])('%s', async (path, page) => {
    const answer = await operator.get(path);
    expect([answer.status, answer.to]).toEqual([303, page]);
  });
});

test('to take back what is no rule changes nothing', async () => {
  const csrf = await operator.csrf();
  for (const expression of ['never-ruled.example/', 'not an address', ''])
    expect(
      (await operator.post('/account/safety/rules/withdraw', { csrf, expression })).status,
    ).toBe(303);
});

describe('an account that cannot be created', () => {
  test.each([
    ['no e-mail', '2099-12-31', 'This is not an e-mail address.'],
    ['nina@example.org', '2099-02-31', 'Write the day as 2027-01-31, or &quot;never&quot;.'],
    ['OLGA@example.org', '2099-12-31', 'There is already an account olga@example.org.'],
  ])('stays as it was typed: %s, %p', async (email, plan, problem) => {
    const form = { csrf: await operator.csrf(), email, plan, operator: 'yes' };
    const { status, text } = await operator.post('/account/accounts', form);
    expect(status).toBe(422);
    expect(text).toContain(problem);
    const field = (name: string) => new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(text)?.[0];
    expect(field('email')).toContain(` value="${email}"`);
    expect(field('plan')).toContain(` value="${plan}"`);
    expect(field('operator')).toContain(' checked');
    expect((await operator.get('/account/accounts?q=nina')).text).toContain('No account matches');
  });
});

test('accounts are found by a part of their e-mail in whatever case', async () => {
  const isFound = async (search: string) => {
    const query = new URLSearchParams({ q: search });
    const { text } = await operator.get(`/account/accounts?${query}`);
    return / href="\/account\/accounts\/\d+"[^>]*>olga@example\.org</.test(text);
  };
  expect(await isFound(' OLGA@Exa ')).toBe(true);
  expect(await isFound('olgb')).toBe(false);
});

test('the end of a plan that cannot be set stays as it was typed', async () => {
  const list = (await operator.get('/account/accounts')).text;
  const own = /\/account\/accounts\/\d+/.exec(list)?.[0] ?? '';
  const csrf = await operator.csrf();
  const set = await operator.post(`${own}/plan`, { csrf, plan: '2099-12-31' });
  expect(set.to).toBe(`${own}?done=plan`);
  const { status, text } = await operator.post(`${own}/plan`, { csrf, plan: '12027-01-31' });
  expect(status).toBe(422);
  expect(text).toMatch(/<input[^>]* name="plan"[^>]* value="12027-01-31"/);
  expect(text).toContain('>31 Dec 2099<');
});

test('an address to redirect to may stand between blanks, and without its scheme', async () => {
  const url = '  example.org/menu ';
  const made = await operator.post('/account/codes', { csrf: await operator.csrf(), url });
  const page = /^\/account\/codes\/[0-9a-z]{8}/.exec(made.to ?? '')?.[0] ?? '';
  expect((await operator.get(page)).text).toContain('https://example.org/menu');
  const next = { csrf: await operator.csrf(), url: ' example.org/drinks  ' };
  expect((await operator.post(`${page}/destination`, next)).to).toBe(`${page}?done=destination`);
  expect((await operator.get(page)).text).toContain('https://example.org/drinks');
});

test('after the end of a plan nothing new is made and no destination changes', async () => {
  const holder = await signedIn(server, 'carl@example.org');
  const csrf = await holder.csrf();
  const url = 'https://example.org/';
  const made = await holder.post('/account/codes', { csrf, url });
  const page = /^\/account\/codes\/[0-9a-z]{8}/.exec(made.to ?? '')?.[0] ?? '';
  const ended = await server.cli(['account', 'plan', 'carl@example.org', '--until', '2026-01-31']);
  expect(ended.exitCode).toBe(0);
  const refused = { csrf, url: 'https://example.org/new' };
  for (const path of ['/account/codes', `${page}/destination`])
    expect((await holder.post(path, refused)).status).toBe(402);
  expect((await holder.get('/account/codes.csv')).text).not.toContain('https://example.org/new');
  expect((await holder.post(`${page}/pause`, { csrf })).status).toBe(303);
});

describe('a colour that is none', () => {
  const colors = { foreground: '#1b3a57', background: 'cream', finder_color: '#12345' };
  const send = async (action: string, fields: Record<string, string>) => {
    const form = { csrf: await operator.csrf(), do: action, ...fields };
    const { status, text } = await operator.post('/account/design', form);
    const field = (name: string) => new RegExp(`<input id="${name}"[^>]*>`).exec(text)?.[0] ?? '';
    const shown = (name: string) => / value="([^"]*)"/.exec(field(name))?.[1];
    const wrong = (name: string) => field(name).includes('aria-invalid');
    return { status, text, shown, wrong };
  };

  test.each(['save', 'preview'])('stays as it was typed: %s', async (action) => {
    const { status, text, shown, wrong } = await send(action, colors);
    expect(status).toBe(422);
    expect(Object.keys(colors).map(shown)).toEqual(Object.values(colors));
    expect(Object.keys(colors).map(wrong)).toEqual([false, true, true]);
    expect(text).toContain('in the place of a colour that is none it shows the saved one');
  });

  test('gives way to the saved one where advice is taken, which is for the picture of that', async () => {
    const pale = { foreground: '#fafafa', background: '#ffffff', finder_color: '' };
    expect((await send('save', pale)).status).toBe(303);
    const { status, shown, wrong } = await send('advice', { ...colors, foreground: 'pale' });
    expect(status).toBe(200);
    expect(shown('foreground')).toMatch(/^#(?!fafafa)[0-9a-f]{6}$/);
    expect(shown('background')).toBe('#ffffff');
    expect(Object.keys(colors).map(wrong)).toEqual([false, false, false]);
  });
});

test('a form from a session that has ended is said to be lost, and its page comes after the sign-in', async () => {
  const stranger = createPanelClient(server.origin);
  const refused = await stranger.post('/account/settings/password', { present: password });
  expect(refused.to).toBe('/account/sign-in?ended=1&next=%2Faccount%2Fsettings%2Fpassword');
  const asked = await stranger.get(refused.to ?? '');
  expect(asked.text).toContain('Your session has ended');
  const next = /name="next" value="([^"]*)"/.exec(asked.text)?.[1] ?? '';
  const fields = { email: 'olga@example.org', password, next };
  const { to } = await stranger.post('/account/sign-in', fields);
  expect((await stranger.get(to ?? '')).to).toBe('/account/settings');
});

test('whoever signs out after the session has ended is signed out, but by no other site', async () => {
  const stranger = createPanelClient(server.origin);
  const refused = await stranger.post('/account/sign-out', {});
  expect(refused.to).toBe('/account/sign-in?signedOut=1');
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  const { to, headers } = await stranger.post('/account/sign-out', {}, foreign);
  expect(to).toStartWith('/account/sign-in?ended=1');
  expect(headers.getSetCookie()).toEqual([]);
});
