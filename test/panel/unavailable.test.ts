import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { createCode, password, signedIn } from './client.ts';
import { fieldOf, linkOf, parsePage, sentFields } from './page.ts';

const server = await startServer();
afterAll(server.close);

test('what was typed while the database is locked is kept, and sent again afterwards', async () => {
  const client = await signedIn(server, 'typed@example.org');
  const code = await createCode(client, 'https://example.org/');
  const labels = `/account/codes/${code}/labels`;
  const list = '/account/codes?q=m%C3%BC&page=2';
  const typed = { name: 'Tisch "7"', note: '\r\none\r\ntwo', folder: '', list };
  const other = new Database(join(server.folder, 'data', 'waymark.db'));
  other.run('BEGIN IMMEDIATE');
  let shown = '';
  try {
    const { status, text } = await client.post(labels, { csrf: await client.csrf(), ...typed });
    expect([status, linkOf(text, 'Back to the list')]).toEqual([503, list]);
    shown = text;
  } finally {
    other.run('ROLLBACK');
    other.close();
  }
  const form = parsePage(shown).forms.find(({ action }) => action === labels);
  expect((await client.post(labels, sentFields(form))).to).toStartWith(`${list}#`);
  const { text } = await client.get(labels);
  expect([fieldOf(text, 'name')?.value, fieldOf(text, 'note')?.value]).toEqual([
    'Tisch "7"',
    'one\ntwo',
  ]);
});

test('while the database is locked, the panel responds with 503 and logs the cause', async () => {
  const client = await signedIn(server, 'alice@example.org');
  const csrf = await client.csrf();
  const other = new Database(join(server.folder, 'data', 'waymark.db'));
  other.run('BEGIN IMMEDIATE');
  try {
    const response = await client.post('/account/key', { csrf, replaces: '', password });
    expect([response.status, response.headers.get('retry-after'), response.text]).toEqual([
      503,
      '1',
      expect.stringContaining('Nothing was changed.'),
    ]);
  } finally {
    other.run('ROLLBACK');
    other.close();
  }
  expect(server.log()).toMatch(/The database cannot be written\. cause="database is locked"/);
  expect((await client.post('/account/key', { csrf, replaces: '', password })).status).toBe(200);
});
