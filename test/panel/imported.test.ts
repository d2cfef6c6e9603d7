import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Server, startServer } from '../support/server.ts';
import { type PanelClient, signedIn } from './client.ts';

const path = 'Garden/Tür 8';
const encoded = encodeURIComponent(path);
let server: Server;
let anna: PanelClient;
let csrf: string;
beforeAll(async () => {
  server = await startServer();
  anna = await signedIn(server, 'anna@example.org');
  csrf = await anna.csrf();
  const file = join(server.folder, 'links.csv');
  await Bun.write(
    file,
    `path,destination,name,scans,last scan\n/Garden/T%C3%BCr%208,https://example.com/garden,Gate,120,2026-01-02\n`,
  );
  const { exitCode, stderr } = await server.cli([
    'link',
    'import',
    file,
    '--account',
    'anna@example.org',
  ]);
  if (exitCode !== 0) throw new Error(stderr);
}, 120_000);
afterAll(() => server.close());

const page = () => anna.get(`/account/codes/${encoded}`);
const visit = () => fetch(`${server.origin}/Garden/T%C3%BCr%208`, { redirect: 'manual' });

describe('an imported link', () => {
  test('is listed with its name, path and former scans, without an image', async () => {
    const { text } = await anna.get('/account/codes');
    expect(text).toContain(
      `<bdi class="name">Gate</bdi> <bdi class="code-name beside">${path}</bdi>`,
    );
    expect(text).toContain('120 scans');
    expect(text).not.toContain('image.png');
    expect((await anna.get('/account')).text).toContain(path);
  });

  test('is found by its name, path and printed address', async () => {
    for (const q of [
      'gate',
      'garden/tür',
      `${server.origin}/Garden/Tür`,
      `${server.origin}/garden`.slice(7),
    ])
      expect((await anna.get(`/account/codes?${new URLSearchParams({ q })}`)).text).toContain(path);
  });

  test('has a page that says why there is no image, and offers a code for its destination', async () => {
    const { status, text } = await page();
    expect(status).toBe(200);
    expect(text).toContain('Waymark has no image of it');
    expect(text).not.toContain('Minimum print width');
    const { to } = await anna.post('/account/codes', {
      csrf,
      url: 'https://example.com/garden',
      name: 'Gate',
    });
    expect((await anna.get(to ?? '')).text).toContain('image.svg');
    expect((await anna.get(`/account/codes/${encoded}/image.svg`)).status).toBe(404);
  });

  test('is renamed, edited, paused and resumed like a code', async () => {
    const form = (name: string, fields: Record<string, string> = {}) =>
      anna.post(`/account/codes/${encoded}/${name}`, { csrf, ...fields });
    expect((await form('labels', { name: 'Door', note: '' })).to).toBe(
      `/account/codes/${encoded}?done=labels`,
    );
    await form('destination', { url: 'https://example.com/door' });
    expect((await visit()).headers.get('location')).toBe('https://example.com/door');
    await form('pause');
    expect((await visit()).status).toBe(410);
    const { to } = await form('resume');
    expect((await anna.get(to ?? '')).text).toContain('The code redirects again.');
    expect((await visit()).status).toBe(302);
  });

  test('takes part in bulk edits, and is left out of sheets', async () => {
    const query = `code=${encoded}`;
    expect((await anna.get(`/account/selection?${query}`)).text).toContain('<h1>1 code</h1>');
    const fields = {
      csrf,
      code: path,
      do: 'replace',
      replaced: 'example.com',
      replacement: 'example.net',
    };
    expect((await anna.post('/account/selection/apply', fields)).to).toBe(
      '/account/codes?done=edited',
    );
    expect((await visit()).headers.get('location')).toBe('https://example.net/door');
    expect((await anna.get(`/account/selection/sheet?${query}`)).text).toContain(
      'No codes to print',
    );
    expect((await anna.get('/account/selection/sheet?all=yes&q=')).text).toContain(
      '1 imported link left out',
    );
  });
});
