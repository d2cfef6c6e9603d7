import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PanelDeps } from '../../src/panel/deps.ts';
import { createPanel } from '../../src/panel/panel.ts';
import { type Server, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, signedIn } from './client.ts';

let server: Server;
let anna: PanelClient;
let operator: PanelClient;
beforeAll(async () => {
  server = await startServer();
  [anna, operator] = await Promise.all([
    signedIn(server, 'anna@example.org'),
    signedIn(server, 'olga@example.org', ['--operator']),
  ]);
});
afterAll(() => server.close());

const nothing: object = new Proxy({}, { get: () => nothing });
// The routes are only listed here, so their dependencies are never called.
const panel = createPanel(nothing as PanelDeps);
const routes = panel.routes.map(({ method, path, audience }) => ({
  method,
  path: path.replace(':code', 'zzzzzzzz').replace(':id', '1').replace(':token', 'f'.repeat(64)),
  audience,
}));
const forms = routes.filter(({ method }) => method === 'POST');

const send = (client: PanelClient, method: string, path: string, fields = {}) =>
  method === 'GET' ? client.get(path) : client.post(path, fields);

describe('without a session, the sign-in page follows', () => {
  test.each(routes.filter(({ audience }) => audience !== 'anyone'))(
    '$method $path',
    async ({ method, path }) => {
      const response = await send(createPanelClient(server.origin), method, path);
      expect(response.status).toBe(303);
      expect(response.to).toStartWith('/account/sign-in');
    },
  );
});

describe('for other accounts, routes of operators do not exist', () => {
  test.each(routes.filter(({ audience }) => audience === 'operator'))(
    '$method $path',
    async ({ method, path }) => {
      const { status } = await send(anna, method, path, { csrf: await anna.csrf() });
      expect(status).toBe(404);
    },
  );
});

describe('a form from another site is rejected', () => {
  test.each(forms)('$path', async ({ path, audience }) => {
    const client = audience === 'anyone' ? createPanelClient(server.origin) : operator;
    const { status } = await client.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(status).toBe(403);
  });
});

describe('a form without its token is rejected', () => {
  test.each(forms.filter(({ audience }) => audience !== 'anyone'))('$path', async ({ path }) => {
    expect((await operator.post(path, {})).status).toBe(403);
  });
});

describe('the address of a form redirects to its page', () => {
  test.each([
    ['/account/settings/password?q=menu', '/account/settings?q=menu'],
    ['/account/codes/zzzzzzzz/pause', '/account/codes/zzzzzzzz'],
    ['/account/key/revoke', '/account/key'],
    ['/account/sign-out', '/account'],
    ['/account/accounts/1/link', '/account/accounts/1'],
    ['/account/safety/codes/zzzzzzzz/block', '/account/safety'],
  ])('%s', async (path, page) => {
    const response = await operator.get(path);
    expect([response.status, response.to]).toEqual([303, page]);
  });
});

test('signing out without a session says so, and shows no message on other pages', async () => {
  const visitor = createPanelClient(server.origin);
  const { to } = await visitor.post('/account/sign-out', {});
  expect(to).toBe('/account/sign-in?done=signed-out');
  expect((await visitor.get('/account/sign-in?done=signed-out')).text).toContain('signed out.');
  expect((await visitor.get('/account/sign-in?done=password')).text).not.toContain('changed.');
  expect((await operator.get('/account/nothing?done=created')).text).not.toContain('ready');
});

test('a page that is too long to return to leads to the codes after signing in', async () => {
  const { to } = await createPanelClient(server.origin).get(`/account?q=${'%25'.repeat(2500)}`);
  expect(to).toBe('/account/sign-in');
});
