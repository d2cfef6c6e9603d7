import { expect, test } from 'bun:test';
import { parseCodeNumber } from '../../src/core/codes/code.ts';
import { createLinkStore } from '../../src/sqlite/codes/link-targets.ts';
import { createDamageMonitor } from '../../src/sqlite/damage/monitor.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();

// test/contract/code-commands.test.ts changes codes beside a server, which redirects by them at the next request.
test('an unknown code is not cached', async () => {
  const store = openIn(newFolder());
  addManyQrs(store.$client, await addAccount(store, 'a@example.com'), 2);
  const links = createLinkStore(store, { record: async () => {} }, createDamageMonitor());
  const fresh = parseCodeNumber('fresh000', 0, 8) ?? -1;
  expect(links.follow(fresh, 'scan', 0).target).toBeNull();
  store.$client.run("UPDATE qrs SET code = 'fresh000' WHERE id = 2");
  expect(links.follow(fresh, 'scan', 0).target).toMatchObject({ qrId: 2 });
});
