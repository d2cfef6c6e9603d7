import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { createPanelClient } from './client.ts';

const server = await startServer();
afterAll(server.close);
const [email, password] = ['alice@example.org', 'correct horse battery staple'];
await server.cli(['account', 'create', email, '--password-stdin'], { stdin: password });

test('while the database is locked, the panel responds with 503 and logs the cause', async () => {
  const client = createPanelClient(server.origin);
  expect((await client.post('/account/sign-in', { email, password })).status).toBe(303);
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
