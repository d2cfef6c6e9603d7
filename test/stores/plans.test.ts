import { expect, test } from 'bun:test';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();

test('no list, search or look-up reads all codes, accounts or counters', async () => {
  const database = openIn(newFolder());
  const { $client } = database;
  const { accountId, ...owner } = await addAccount(database, 'many@example.com');
  addManyQrs($client, { accountId, ...owner }, 1000);
  const { qrs, flags } = storesOn(database);
  const [last] = (await qrs.listPage(accountId, 1, 500)).qrs;
  const statements = await statementsOf($client, async () => {
    await qrs.listPage(accountId, 1, 0);
    await qrs.searchBatch(accountId, null, '', 1);
    await qrs.searchBatch(accountId, last ?? null, 'example', 1);
    await qrs.find(accountId, last?.code ?? '');
    await flags.find(last?.code ?? '');
    await flags.flagged(1);
    await flags.blocked(1);
  });
  const plans = statements.flatMap((sql) => planOf($client, sql));
  expect(plans.length).toBeGreaterThan(7);
  expect(plans.filter((step) => /SCAN (qrs|accounts|scan_counters)(?! USING)/.test(step))).toEqual(
    [],
  );
  expect(plans.join()).toContain('qrs_listed (account_id=? AND archived=? AND created_at<?)');
});
