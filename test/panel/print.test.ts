import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { createCode, type PanelClient, signedIn } from './client.ts';

let server: Server;
let anna: PanelClient;
let code: string;
beforeAll(async () => {
  server = await startServer();
  anna = await signedIn(server, 'anna@example.org');
  const csrf = await anna.csrf();
  code = await createCode(anna, 'https://example.org/7');
  const name = 'Tisch "7" / Café';
  await anna.post(`/account/codes/${code}/labels`, { csrf, name, note: '' });
  for (let at = 0; at < 12; at++) await createCode(anna, `https://example.org/more/${at}`);
}, 120_000);
afterAll(() => server.close());

const get = (path: string) =>
  fetch(`${server.origin}/account/${path}`, {
    headers: { Cookie: [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
/** Sends a form about a selection, with the fields of a query. */
const send = async (path: string, query: string, client = anna) =>
  fetch(`${server.origin}/account/selection/${path}`, {
    method: 'POST',
    headers: {
      Cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'Sec-Fetch-Site': 'same-origin',
    },
    body: new URLSearchParams(`${query}&csrf=${await client.csrf()}`),
  });
const bytesOf = async (path: string, query: string) =>
  Buffer.from(await (await send(path, query)).arrayBuffer());

test('an image is named by its code’s name (RFC 6266)', async () => {
  const names = async (file: string) =>
    (await get(`codes/${code}/${file}`)).headers.get('content-disposition');
  expect(await names('image.svg')).toBe(
    `inline; filename="Tisch 7 Caf_ - ${code}.svg"; filename*=UTF-8''Tisch%207%20Caf%C3%A9%20-%20${code}.svg`,
  );
  expect(await names('image.png?size=512')).toContain(`Caf%C3%A9%20-%20${code}-512px.png`);
});

describe('the images of a selection', () => {
  test('are one ZIP file, named by name, with a table', async () => {
    const response = await send('images.zip', 'all=yes&q=example.org');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="codes-.*\.zip"/,
    );
    const zip = Buffer.from(await response.arrayBuffer()).toString('latin1');
    expect(zip).toContain(Buffer.from(`Tisch 7 Café - ${code}.svg`).toString('latin1'));
    expect(zip).toContain('codes.csv');
  });

  test.each([
    ['svg', ' width="86.7mm"'],
    ['png-512', 'pHYs'],
    ['pdf', '/TrimBox [0 0 245.7638 245.7638]'],
  ])('have the format %s', async (format, content) => {
    const zip = await bytesOf('images.zip', `code=${code}&format=${format}`);
    expect(zip.toString('latin1')).toContain(content);
  });

  test('are rejected in words when there are none', async () => {
    const response = await send('images.zip', 'all=yes&q=nothing-like-it');
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('No codes with an image were found');
  });
});

describe('a sheet', () => {
  test('says what fits, and is a PDF with as many pages', async () => {
    const query = 'all=yes&q=&layout=a4-grid&columns=2&rows=3&captions=none&marks=yes';
    const text = await (await send('sheet', query)).text();
    expect(text).toContain('13 codes on 3 pages');
    expect(text).toContain('aria-label="A page with 2 columns and 3 rows"');
    const pdf = await bytesOf('sheet', `${query}&do=pdf`);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.toString('latin1').match(/\/Type ?\/Page\b/g)).toHaveLength(3);
  });

  test('of ticked codes has only these', async () => {
    const text = await (await send('sheet', `code=${code}&layout=L7160`)).text();
    expect(text).toContain('1 code on 1 page');
  });

  test.each([
    ['layout=a4-grid&columns=0', 'The number of columns must be from 1 to 50.'],
    ['layout=5160&size=80', 'fit'],
    ['layout=5160&size=many', 'The size must be a number of mm'],
    ['layout=5160&size=8', 'too small'],
    ['layout=a4-grid&margin=200', 'leave no room'],
  ])('that cannot be printed says why: %s', async (query, problem) => {
    for (const action of ['', '&do=pdf']) {
      const response = await send('sheet', `all=yes&q=&${query}${action}`);
      const text = await response.text();
      expect([response.status, text.includes(problem)]).toEqual([422, true]);
      expect(text).not.toContain('Download PDF');
    }
  });
});

test('nothing of another account is downloaded', async () => {
  const ben = await signedIn(server, 'ben@example.org');
  for (const file of ['images.zip', 'sheet'])
    expect((await send(file, `code=${code}&do=pdf`, ben)).status).toBe(422);
});
