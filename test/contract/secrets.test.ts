import { afterAll, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPanelClient } from '../panel/client.ts';
import { usesPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf } from '../support/wire.ts';

const server = await startServer({ WAYMARK_LOG: 'json' });
afterAll(server.close);
const password = 'correct horse battery staple';
const email = 'alice@example.org';
await server.cli(['account', 'create', email, '--operator', '--password-stdin'], {
  stdin: password,
});
const replaced = await server.generateKey(email);
const key = await server.generateKey(email);
const client = createPanelClient(server.origin);

/** Uses every secret, also wrong ones. */
async function useAll(): Promise<void> {
  const api = server.api(key);
  await api.create();
  await server.api(replaced).call('GET /qrs');
  await server.api(`${key}0`).call('GET /qrs');
  await client.post('/account/sign-in', { email, password: `${password}?` });
  expect((await client.post('/account/sign-in', { email, password })).status).toBe(303);
  await fetch(`${server.origin}/api/v1/qrs?key=${key}`);
  await fetch(`${server.origin}/account/link/${key}`);
}

test('no key, password or session is stored in clear or logged', async () => {
  await useAll();
  const secrets = [key, replaced, password, ...client.cookies.values()];
  expect(secrets).toHaveLength(5);
  await server.cli(['backup', join(server.folder, 'backup.db')]);
  // Database, write-ahead log, shared memory and backup of the running server.
  const files = (await readdir(server.folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  );
  expect(files.length).toBeGreaterThanOrEqual(usesPostgres ? 2 : 4);
  for (const { parentPath, name } of files) {
    const bytes = Buffer.from(await Bun.file(join(parentPath, name)).arrayBuffer());
    for (const secret of secrets) expect([name, bytes.includes(secret)]).toEqual([name, false]);
  }
  const shown = await server.cli(['account', 'show', email, '--json']);
  await server.stop();
  for (const secret of secrets)
    expect(shown.stdout + shown.stderr + server.log()).not.toContain(secret);
});

test('every line of a JSON log has a time, a level and a message', () => {
  const lines = server.log().trimEnd().split('\n');
  const entries = lines.map((line) => fieldsOf(JSON.parse(line)));
  for (const entry of entries)
    expect(entry).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: expect.stringMatching(/^(info|warn|error)$/),
      message: expect.stringMatching(/./),
    });
  const listening = { message: 'listening', url: server.origin };
  expect(entries).toContainEqual(expect.objectContaining(listening));
});
