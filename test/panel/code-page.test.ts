import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { type PanelClient, signedIn } from './client.ts';

let server: Server;
let holder: PanelClient;
beforeAll(async () => {
  server = await startServer();
  holder = await signedIn(server, 'anna@example.org');
});
afterAll(() => server.close());

const create = async (url: string) => {
  const made = await holder.post('/account/codes', { csrf: await holder.csrf(), url });
  return /^\/account\/codes\/[0-9a-z]{8}/.exec(made.to ?? '')?.[0] ?? '';
};
/** Sends a form of the page, and tells where that leads. */
const send = async (path: string, fields: Record<string, string> = {}) => {
  const { to } = await holder.post(path, { csrf: await holder.csrf(), ...fields });
  return to ?? '';
};
const lead = (page: string) => send(`${page}/destination`, { url: 'https://example.org/new' });

test('a code that does not redirect is not said to lead anywhere from now on', async () => {
  const page = await create('https://example.org/stopped');
  const said = async () => (await holder.get(await lead(page))).text;
  expect(await said()).toContain('The code leads there from now on.');
  await send(`${page}/pause`);
  expect(await said()).toContain('The code leads there once it is resumed.');
  await server.cli(['safety', 'block-code', page.slice(-8)]);
  expect(await said()).toContain('The code leads there once the operator no longer blocks it.');
});

test('the chart stays as it is when something is changed beside it', async () => {
  const page = await create('https://example.org/charted');
  const { text } = await holder.get(`${page}?by=hour`);
  const forms = [...text.matchAll(/action="([^"]*\/codes\/[^"]*)"/g)].map(([, action]) => action);
  expect(forms).toEqual([`${page}/destination?by=hour`, `${page}/pause?by=hour`]);
  const url = 'https://example.org/new';
  expect(await send(`${page}/destination?by=hour`, { url })).toBe(
    `${page}?done=destination&by=hour`,
  );
  expect(await send(`${page}/pause?by=hour`)).toBe(`${page}?done=paused&by=hour`);
  const refused = await holder.post(`${page}/destination?by=hour`, {
    csrf: await holder.csrf(),
    url: 'nowhere',
  });
  expect(refused.text).toMatch(/aria-current="true" href="[^"]*by=hour#scans"/);
});
