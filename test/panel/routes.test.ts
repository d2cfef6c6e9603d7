import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, signedIn } from './client.ts';
import { headingOf } from './page.ts';
import { panelRoutes } from './routes.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const operator = await signedIn(server, 'olga@example.org', { isOperator: true });
const anna = await signedIn(server, 'anna@example.org');

const routes = panelRoutes.map(({ method, path, needs }) => ({
  method,
  path: path.replace(':code', 'zzzzzzzz').replace(':id', '1').replace(':token', 'f'.repeat(64)),
  needs,
}));
const forms = routes.filter(({ method }) => method === 'POST');

const send = (client: PanelClient, method: string, path: string, fields = {}) =>
  method === 'GET' ? client.get(path) : client.post(path, fields);

test.each(routes.filter(({ needs }) => needs !== 'anyone'))(
  'without a session, one is asked to sign in: $method $path',
  async ({ method, path }) => {
    const { status, to, text } = await send(createPanelClient(server.origin), method, path);
    if (method === 'POST') expect([status, headingOf(text)]).toEqual([401, 'Sign in again']);
    else expect([status, to]).toEqual([303, expect.stringMatching(/^\/account\/sign-in/)]);
  },
);

test.each(routes.filter(({ needs }) => needs === 'operator'))(
  'for other accounts, a route of operators does not exist: $method $path',
  async ({ method, path }) => {
    const { status } = await send(anna, method, path, { csrf: await anna.csrf() });
    expect(status).toBe(404);
  },
);

test.each(forms)('a form from another site is rejected: $path', async ({ path, needs }) => {
  const client = needs === 'anyone' ? createPanelClient(server.origin) : operator;
  const { status } = await client.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' });
  expect(status).toBe(403);
});

test.each(forms.filter(({ needs }) => needs !== 'anyone'))(
  'a form without its token is rejected: $path',
  async ({ path }) => {
    expect((await operator.post(path, {})).status).toBe(403);
  },
);

test.each([
  ['/account/settings/visitors?q=menu', '/account/settings?q=menu'],
  ['/account/codes/zzzzzzzz/resume', '/account/codes/zzzzzzzz'],
  ['/account/sign-out', '/account'],
  ['/account/accounts/1/link', '/account/accounts/1'],
  ['/account/safety/codes/zzzzzzzz/unblock', '/account/safety'],
])('the address of a form redirects to its page: %s', async (path, page) => {
  const response = await operator.get(path);
  expect([response.status, response.to]).toEqual([303, page]);
});

describe('the message of a change', () => {
  test('is shown once, on the page that follows', async () => {
    const csrf = await operator.csrf();
    const rule = { csrf, address: 'evil.example', decision: 'block' };
    expect((await operator.post('/account/safety/rules', rule)).to).toBe('/account/safety');
    expect((await operator.get('/account/safety')).text).toContain('Rule saved.');
    expect((await operator.get('/account/safety')).text).not.toContain('Rule saved.');
  });

  test('is also shown to a visitor', async () => {
    const visitor = createPanelClient(server.origin);
    expect((await visitor.post('/account/sign-out', {})).to).toBe('/account/sign-in');
    expect((await visitor.get('/account/sign-in')).text).toContain('You are signed out.');
    expect((await visitor.get('/account/sign-in')).text).not.toContain('You are signed out.');
  });

  test('cannot be made up: neither in an address nor in a cookie', async () => {
    for (const query of ['done=password', 'ended=1', 'message=passwordChanged'])
      for (const path of ['/account', '/account/settings', '/account/sign-in'])
        for (const client of [operator, createPanelClient(server.origin)]) {
          const { text } = await client.get(`${path}?${query}`);
          expect(text).not.toMatch(/Password changed|Your session has ended/);
        }
    const payload = Buffer.from('{"kind":"passwordChanged"}').toString('base64url');
    await anna.post('/account/sign-out', { csrf: 'x' });
    const sealed = anna.cookies.get('waymark-message') ?? '';
    for (const forged of [
      payload,
      `${payload}.`,
      `${payload}.x`,
      // As many characters as the seal has, but more bytes.
      `${payload}.${encodeURIComponent('é'.repeat(43))}`,
      sealed.replace(/^[^.]*/, payload),
    ]) {
      operator.cookies.set('waymark-message', forged);
      const { status, text } = await operator.get('/account');
      expect([status, text.includes('Password changed')]).toEqual([200, false]);
    }
    operator.cookies.delete('waymark-message');
  });
});

test('a page that is too long to return to leads to the codes after signing in', async () => {
  const { to } = await createPanelClient(server.origin).get(`/account?q=${'%25'.repeat(2500)}`);
  expect(to).toBe('/account/sign-in');
});
