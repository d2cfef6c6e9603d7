import { expect, test } from 'bun:test';
import { createFreshCache } from '../../src/sqlite/database/fresh-cache.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

function world() {
  const folder = newFolder();
  const own = openIn(folder).$client;
  const other = openIn(folder).$client;
  const cache = createFreshCache<string, string>(own, 10);
  const change = (database = other) =>
    database.run("INSERT OR REPLACE INTO short_bases (base) VALUES ('https://qr.example.com')");
  cache.get('a');
  cache.set('a', 'read');
  return { cache, change, own };
}

test('what was read is kept while nobody else changes the database', async () => {
  const { cache, change, own } = world();
  await yieldToEventLoop();
  change(own);
  expect(cache.get('a')).toBe('read');
  expect(await cache.getLatest('a')).toBe('read');
});

test('what another process changed is read anew in the next turn, every time', async () => {
  const { cache, change } = world();
  for (const value of ['first', 'second', 'third']) {
    cache.set('a', value);
    expect(cache.get('a')).toBe(value);
    change();
    await yieldToEventLoop();
    expect(cache.get('a')).toBeUndefined();
  }
});

test('whoever may miss nothing is told of what was committed before the question, in the same turn', async () => {
  const { cache, change } = world();
  for (const value of ['first', 'second', 'third']) {
    cache.set('a', value);
    const before = cache.getLatest('a');
    change();
    expect(await cache.getLatest('a')).toBeUndefined();
    expect(await before).toBeUndefined();
  }
});
