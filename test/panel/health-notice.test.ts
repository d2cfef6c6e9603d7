import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { signedIn } from './client.ts';
import { textOf } from './page.ts';

test('operators are told on every page what is wrong with the server, others are not', async () => {
  const server = await startServer();
  const operator = await signedIn(server, 'olga@example.org', { isOperator: true });
  const other = await signedIn(server, 'anna@example.org');
  const textAt = async (path: string, client = operator) => textOf((await client.get(path)).text);
  expect(await textAt('/account/accounts')).not.toContain('This server');

  // A backup that fails: the folder above is missing, as where a disk is not mounted.
  await server.stop();
  await server.start({ WAYMARK_BACKUP_DIR: join(server.folder, 'unmounted', 'backups') });
  await until(async () => (await textAt('/account')).includes('The backup into'));
  for (const path of ['/account', '/account/accounts', '/account/safety', '/account/settings']) {
    expect(await textAt(path)).toContain('This server needs attention');
    expect(await textAt(path, other)).not.toContain('This server needs attention');
  }

  // A clock that was set back since, and safe browsing without an answer, in one notice.
  await server.stop();
  await inDatabase(server, 'UPDATE server_versions SET since = 4102444800000');
  await server.start({ WAYMARK_BACKUP_DIR: undefined });
  const both = await textAt('/account/codes');
  expect(both).toContain('The newest entry of the database is of 2100-01-01');
  expect(both).toContain('Nothing is backed up');
  await server.close();
});
