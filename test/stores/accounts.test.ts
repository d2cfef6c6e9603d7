import { expect, test } from 'bun:test';
import { accountStoresSuite } from './accounts.suite.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';

const { newFolder, openIn } = createFolders();

accountStoresSuite('sqlite', async () => storesOn(openIn(newFolder())));

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
