import { describe, expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';

const { newFolder, openIn } = createFolders();

async function setUp() {
  const folder = newFolder();
  const store = openIn(folder);
  const { accountId } = await addAccount(store, 'a@example.com');
  const { keys } = storesOn(store);
  const generate = (atMs = 1000) => keys.replace(accountId, `hash ${atMs}`, 'last', atMs);
  return { folder, keys, accountId, generate };
}

describe('the last use of a key', () => {
  test('is written at once, and again after a minute', async () => {
    const { folder, keys, generate, accountId } = await setUp();
    await generate();
    const { keys: other } = storesOn(openIn(folder));
    for (const [atMs, written] of [
      [100_000, 100_000],
      [159_999, 100_000],
      [160_000, 160_000],
    ] as const) {
      keys.recordUse(accountId, atMs);
      await until(async () => (await other.findByAccount(accountId))?.lastUsedAtMs === written);
    }
    await generate(170_000);
    expect((await keys.findByAccount(accountId))?.lastUsedAtMs).toBeNull();
    keys.recordUse(accountId, 170_001);
    await until(async () => (await keys.findByAccount(accountId))?.lastUsedAtMs === 170_001);
  });

  test('does not fail a request when it cannot be written', async () => {
    const { folder, keys, generate, accountId } = await setUp();
    await generate();
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    expect(() => keys.recordUse(accountId, 100_000)).not.toThrow();
    other.run('ROLLBACK');
  });
});
