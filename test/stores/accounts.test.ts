import { expect, test } from 'bun:test';
import { accountStoresSuite } from './accounts.suite.ts';
import { codeConflictsSuite } from './code-conflicts.suite.ts';
import { conflictsSuite } from './conflicts.suite.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { hostileTextSuite } from './hostile-text.suite.ts';

const { newFolder, openIn } = createFolders();

const open = async () => storesOn(openIn(newFolder()));
accountStoresSuite('sqlite', open);
hostileTextSuite('sqlite', open);
const openTwo = async () => {
  const folder = newFolder();
  return [storesOn(openIn(folder)), storesOn(openIn(folder))] as const;
};
conflictsSuite('sqlite', openTwo);
codeConflictsSuite('sqlite', openTwo);

test('totals are sums of several steps', async () => {
  const database = openIn(newFolder());
  await addAccount(database, 'anna@example.com');
  const { totals } = storesOn(database).accounts;
  expect(await totals()).toEqual({ accounts: 1, qrs: 0, scans: 0 });
  database.$client.run('INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (30000, 3, 0)');
  expect(await totals()).toMatchObject({ scans: 3 });
  database.$client.run(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) ' +
      'INSERT INTO scan_counters (qr_id, scans, last_scan) SELECT i, 2, 0 FROM n',
  );
  expect(await totals()).toMatchObject({ scans: 50_003 });
});
