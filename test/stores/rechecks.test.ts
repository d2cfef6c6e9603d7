import { expect, test } from 'bun:test';
import { createRecheckSchedule } from '../../src/core/safety/schedule.ts';
import { importList } from '../../src/reputation/lists/import.ts';
import { createReputation } from '../../src/reputation/reputation.ts';
import { addRule } from '../../src/reputation/rules.ts';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import { createFlagStore, createRecheckRunStore } from '../../src/sqlite/safety/flags.ts';
import { createThreatListStore } from '../../src/sqlite/safety/lists.ts';
import { createRuleStore } from '../../src/sqlite/safety/rules.ts';
import { addAccount, createFolders } from './folder.ts';
import { newQr } from './qr-store.suite.ts';

const { newFolder, openIn } = createFolders();
const listsIn = (folder: string) => createThreatListStore(folder, { busyTimeoutMs: 0 });
const nothing = { forget: () => {} };

/** Opens a data folder as a start does, looks once, and closes it again. */
async function startAndLook(folder: string, nowMs = 1000) {
  const store = openIn(folder);
  const [rules, lists] = [createRuleStore(store), listsIn(folder)];
  const check = createReputation({
    serverVersion: '1',
    rules,
    lists,
    provider: null,
    onFailure: 'allow',
  });
  const pause = async () => true;
  const patrol = createRecheckSchedule({
    store: createFlagStore(store, nothing),
    runs: createRecheckRunStore(store),
    check: check.rechecks,
    listVersion: check.listVersion,
    clock: { nowMs: () => nowMs, monotonicMs: () => 0 },
    pauses: { lists: pause, provider: pause },
  });
  const { checked, flagged } = await patrol.recheckChanges();
  lists.close();
  return { checked, found: flagged };
}

async function folderWith(...destinations: string[]) {
  const folder = newFolder();
  const database = openIn(folder);
  const store = createQrStore(database, nothing, { pending: () => [] });
  const owner = await addAccount(database, 'owner@example.com');
  for (const destination of destinations) await store.insert(newQr(owner, { destination }), null);
  return {
    folder,
    importLines: async (...lines: string[]) => {
      await importList(listsIn(folder), Buffer.from(lines.join('\n')), 'feed', { nowMs: 1000 });
    },
  };
}

test('a start looks at all destinations only where lists or entries have changed since the last look', async () => {
  const { folder, importLines } = await folderWith('https://one.example/', 'https://two.example/');
  expect(await startAndLook(folder)).toEqual({ checked: 2, found: 0 });
  expect(await startAndLook(folder)).toEqual({ checked: 0, found: 0 });

  await importLines('one.example');
  expect(await startAndLook(folder)).toEqual({ checked: 2, found: 1 });
  expect(await startAndLook(folder)).toEqual({ checked: 0, found: 0 });

  await addRule(createRuleStore(openIn(folder)), 'block', 'two.example', { nowMs: 1000 });
  expect(await startAndLook(folder)).toEqual({ checked: 2, found: 1 });
  expect(await startAndLook(folder)).toEqual({ checked: 0, found: 0 });
});

test('looks of both kinds are kept, the last one of each', async () => {
  const looks = createRecheckRunStore(openIn(newFolder()));
  expect(await looks.last('lists')).toBeNull();
  await looks.record('lists', { listVersion: 'first', startedMs: 1 });
  await looks.record('provider', { listVersion: 'first', startedMs: 2 });
  await looks.record('lists', { listVersion: 'second', startedMs: 3 });
  expect(await looks.last('lists')).toMatchObject({ listVersion: 'second', startedMs: 3 });
  expect(await looks.last('provider')).toMatchObject({ listVersion: 'first', startedMs: 2 });
});
