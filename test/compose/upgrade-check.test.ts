import { expect, test } from 'bun:test';
import { createStorage } from '../../src/compose/storage.ts';
import { checkBeforeServing } from '../../src/compose/upgrade/upgrade-check.ts';
import { version } from '../../src/lib/build/version.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { addAccount, createFolders } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';

const { newFolder, openIn } = createFolders();

test('after an upgrade, a start without working render workers goes on and gives up on the sample', async () => {
  const data = newFolder();
  const store = openIn(data);
  addManyQrs(store.$client, await addAccount(store, 'alice@example.org'), 20);
  store.$client.run(
    "INSERT INTO server_versions (version, renderer, since) VALUES ('0.0.9', 'other', 0)",
  );
  const lines: string[] = [];
  let starts = 0;
  const reader = await (await createStorage({ data, databaseUrl: null })).openForReading();
  const isVerified = await checkBeforeServing(
    reader,
    {
      shortUrl: 'https://qr.example.com',
      shortUrlAliases: [],
      publicUrl: 'https://public.example.com',
    },
    {
      startRenderWorker: () => {
        starts++;
        throw new Error('no thread left');
      },
      log: createLogger('text', Date.now, (line) => lines.push(line)),
      health: { add: () => {} },
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
