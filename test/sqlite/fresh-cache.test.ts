import { expect, test } from 'bun:test';
import { makeFreshCache } from '../../src/sqlite/fresh-cache.ts';
import { makeFolders } from './folder.ts';

const { newFolder, openIn } = makeFolders();
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function world() {
  const folder = newFolder();
  const own = openIn(folder).$client;
  const other = openIn(folder).$client;
  const time = { nowMs: 0 };
  const cache = makeFreshCache<string, string>(own, 10, () => time.nowMs);
  const change = (database = other) =>
    database.run("INSERT OR REPLACE INTO short_bases (base) VALUES ('https://qr.example.com')");
  return { cache, change, own, time };
}

test('what was read is kept while nobody else changes the database', async () => {
  const { cache, change, own } = world();
  cache.get('a');
  cache.set('a', 'read');
  await nextTurn();
  change(own);
  expect(cache.get('a')).toBe('read');
});

test('what another process changed is read anew in the next turn, every time', async () => {
  const { cache, change } = world();
  cache.get('a');
  for (const value of ['first', 'second', 'third']) {
    cache.set('a', value);
    expect(cache.get('a')).toBe(value);
    change();
    await nextTurn();
    expect(cache.get('a')).toBeUndefined();
  }
});

test('a turn that takes long asks again: a connection that is made meanwhile is answered in it', () => {
  const { cache, change, time } = world();
  cache.get('a');
  cache.set('a', 'read');
  change();
  time.nowMs = 1;
  expect(cache.get('a')).toBeUndefined();
});
