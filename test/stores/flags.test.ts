import { expect, test } from 'bun:test';
import { parseCodeNumber } from '../../src/core/codes/code.ts';
import { createLinkStore } from '../../src/sqlite/codes/link-targets.ts';
import { createDamageMonitor } from '../../src/sqlite/damage/monitor.ts';
import { createStores } from '../../src/sqlite/stores.ts';
import { flagStoreSuite } from './flags.suite.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';
import { newQr } from './qr-store.suite.ts';

const { newFolder, openIn } = createFolders();

flagStoreSuite('sqlite', async () => storesOn(openIn(newFolder())));

test('flags and blocks show in cached redirect targets at once', async () => {
  const database = openIn(newFolder());
  const links = createLinkStore(database, { record: async () => {} }, createDamageMonitor());
  const qr = newQr(await addAccount(database, 'owner@example.com'));
  const { qrs, flags } = createStores(database, {
    linkStore: links,
    scanLog: { pending: () => [] },
  });
  await qrs.insert(qr, null);
  const [checked] = await flags.after(0, 1);
  const number = parseCodeNumber(qr.code, 0, qr.code.length);
  if (checked === undefined || number === null) throw new Error('no code was found');
  const target = () => links.follow(number, 'scan', 0).target;
  expect(target()).toMatchObject({ status: 'active', flaggedBy: null });
  await flags.setFlag(checked, { list: 'evil', expression: 'e.example/', sinceMs: 1 });
  expect(target()).toMatchObject({ status: 'active', flaggedBy: 'evil' });
  await flags.setBlocked(qr.code, true);
  expect(target()).toMatchObject({ status: 'blocked' });
  await flags.setBlocked(qr.code, false);
  expect(target()).toMatchObject({ status: 'active' });
});

test('flagged and blocked codes are found by index', async () => {
  const database = openIn(newFolder());
  addManyQrs(database.$client, await addAccount(database, 'many@example.com'), 1000);
  const { flags } = storesOn(database);
  const statements = await statementsOf(database.$client, async () => {
    await flags.find('code');
    await flags.flagged(1);
    await flags.blocked(1);
  });
  const plans = statements.map((sql) => planOf(database.$client, sql)[0]);
  expect(plans).toContain('SEARCH qrs USING INDEX qrs_code_unique (code=?)');
  expect(plans).toContain('SCAN flags');
  expect(plans).toContain('SCAN qrs USING INDEX qrs_blocked');
});
