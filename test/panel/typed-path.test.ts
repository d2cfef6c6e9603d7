import { afterAll, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { signedIn } from './client.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const anna = await signedIn(server, 'anna@example.org');
const csrf = await anna.csrf();
const host = new URL(server.origin).host;
const destinationOf = async (path: string) => (await visit(`${server.origin}/${path}`)).to;

const create = (fields: Record<string, string>) =>
  anna.post('/account/codes', { csrf, url: 'https://example.com/menu', ...fields });

test('a new code gets a path, which its page and the list show, and a search finds', async () => {
  expect((await anna.get('/account/new')).text).toContain('Path<span class="optional">');
  const { status, to } = await create({ path: 'Menu', name: 'Lunch' });
  expect(status).toBe(303);
  expect(await destinationOf('Menu')).toBe('https://example.com/menu');
  expect((await anna.get(String(to))).text).toContain(`${host}/Menu</bdi>`);
  expect((await anna.get('/account/codes')).text).toContain('>/Menu</bdi>');
  await create({ name: 'Another one' });
  for (const search of ['menu', `${server.origin}/Menu`]) {
    const { text } = await anna.get(`/account/codes?${new URLSearchParams({ q: search })}`);
    expect(text).toContain('>/Menu</bdi>');
  }
});

test('a path that cannot be had is refused at its field, and nothing is created', async () => {
  for (const [path, message] of [
    ['Menu', '/Menu exists already.'],
    ['docs', '/docs is a page of Waymark.'],
  ] as const) {
    const { status, text } = await create({ path, name: 'Refused' });
    expect(status).toBe(422);
    expect(text).toMatch(/id="path"[^>]*aria-invalid="true"/);
    expect(text).toContain(message);
  }
  expect((await anna.get('/account/codes')).text).not.toContain('Refused');
});

test('the form of a code changes its path, and a page without the field leaves it', async () => {
  const { to } = await create({ name: 'Dinner' });
  const page = String(to).split('?')[0];
  const labels = { csrf, name: 'Dinner', note: '', folder: '' };
  expect((await anna.post(`${page}/labels`, { ...labels, path: '/abend' })).status).toBe(303);
  expect((await anna.get(`${page}/labels`)).text).toContain('value="abend"');
  await anna.post(`${page}/labels`, labels);
  expect(await destinationOf('abend')).toBe('https://example.com/menu');
  const taken = await anna.post(`${page}/labels`, { ...labels, name: 'Renamed', path: 'Menu' });
  expect(taken.status).toBe(422);
  expect(taken.text).toContain('/Menu exists already.');
  expect((await anna.get(String(page))).text).not.toContain('Renamed');
  await anna.post(`${page}/labels`, { ...labels, path: '' });
  expect(await destinationOf('abend')).toBeNull();
});
