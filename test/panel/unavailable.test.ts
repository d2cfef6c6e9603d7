import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { password, signedIn } from './client.ts';

const server = await startServer();
afterAll(server.close);

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
