import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createStorage } from '../../src/compose/storage.ts';
import { checkBeforeServing } from '../../src/compose/upgrade/upgrade-check.ts';
import { version } from '../../src/lib/build/version.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
for (let count = 0; count < 20; count++) await api.create();
await server.stop();

const database = new Database(join(server.dataFolder, 'waymark.db'));
database.run("INSERT INTO server_versions (version, renderer, since) VALUES ('0.0.9', 'other', 0)");
afterAll(() => database.close());

test('after an upgrade, a start without working render workers goes on and gives up on the sample', async () => {
  const lines: string[] = [];
  let starts = 0;
  const reader = await (
    await createStorage({ data: server.dataFolder, databaseUrl: null })
  ).openForReading();
  const isVerified = await checkBeforeServing(
    reader,
    { shortUrl: server.origin, shortUrlAliases: [], publicUrl: 'https://public.example.com' },
    {
      startRenderWorker: () => {
        starts++;
        throw new Error('no thread left');
      },
      log: createLogger('text', Date.now, (line) => lines.push(line)),
    },
  );
  await reader.close();
  expect(isVerified).toBe(false);
  expect(starts).toBeLessThan(20);
  const log = lines.join('\n');
  expect(log).toContain(`upgrade from 0.0.9 to ${version}: no image could be rendered`);
  expect(log).toContain('no thread left');
  expect(log).not.toContain('unchanged');
});
