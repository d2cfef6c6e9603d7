import { expect, test } from 'bun:test';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import { createFlagStore } from '../../src/sqlite/safety/flags.ts';
import { createReviewedCodeStore } from '../../src/sqlite/safety/reviewed-codes.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';
import { newQr } from './qr-store.suite.ts';

const { newFolder, openIn } = createFolders();
const links = { forget: () => {} };
const noon = Date.UTC(2026, 5, 1, 12);

test('operators find codes with their owner, flag and status', async () => {
  const database = openIn(newFolder());
  const owner = await addAccount(database, 'anna@example.com');
  const store = createQrStore(database, links, { pending: () => [] });
  const flagStore = createFlagStore(database, links);
  const watch = createReviewedCodeStore(database);
  const codes = [newQr(owner), newQr(owner), newQr(owner)];
  for (const qr of codes) await store.insert(qr, null, true);
  const [first, second, third] = codes.map(({ code }) => code);
  expect(await watch.queueLength()).toBe(3);

  for (const [at, suspect] of (await flagStore.after(0, 2)).entries())
    await flagStore.setFlag(suspect, { list: 'a list', expression: 'x/', sinceMs: noon + at });
  await flagStore.setBlocked(third ?? '', true);

  expect(await watch.find(second ?? '')).toMatchObject({
    code: second,
    owner: 'anna@example.com',
    status: 'active',
    flag: { list: 'a list', expression: 'x/', sinceMs: noon + 1 },
  });
  expect(await watch.find('zzzzzzzz')).toBeNull();
  expect((await watch.flagged(10)).map(({ code }) => code)).toEqual([second ?? '', first ?? '']);
  expect(await watch.flagged(1)).toHaveLength(1);
  expect(await watch.blocked(10)).toMatchObject([{ code: third, status: 'blocked', flag: null }]);
});

test('flagged and blocked codes are found by index', async () => {
  const database = openIn(newFolder());
  addManyQrs(database.$client, await addAccount(database, 'many@example.com'), 1000);
  const statements = await statementsOf(database.$client, async () =>
    createReviewedCodeStore(database),
  );
  const plans = statements.map((sql) => planOf(database.$client, sql)[0]);
  expect(plans).toEqual([
    'SEARCH qrs USING INDEX qrs_code_unique (code=?)',
    'SCAN flags',
    'SCAN qrs USING INDEX qrs_blocked',
    expect.stringContaining('SCAN recheck_queue'),
  ]);
});
