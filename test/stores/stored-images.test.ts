import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { QrImageSource } from '../../src/core/codes/qr.ts';
import { createStoredImages } from '../../src/sql/designs/stored-images.ts';
import { createSqliteDialect } from '../../src/sqlite/dialect.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();
const count = 203;
const store = openIn(newFolder());
addManyQrs(store.$client, await addAccount(store, 'a@example.com'), count);
const codesById = store.$client
  .query<{ code: string }, []>('SELECT code FROM qrs ORDER BY id')
  .all()
  .map(({ code }) => code);
const images = createStoredImages(createSqliteDialect(store));
const codesOf = (some: AsyncIterable<QrImageSource>) => Array.fromAsync(some, ({ code }) => code);

test('all images are those of every code once, oldest first', async () => {
  expect(await codesOf(images.all())).toEqual(codesById);
});

test('a sample is random, spread over all ages, and has no duplicates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: count - 1 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (size, random) => {
        const sample = await codesOf(images.sample(size, () => random));
        const places = sample.map((code) => codesById.indexOf(code));
        expect(places).toHaveLength(size);
        for (const [range, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(Math.floor((range * count) / size));
          expect(place).toBeLessThanOrEqual(((range + 1) * count) / size);
          expect(place).toBeGreaterThan(places[range - 1] ?? -1);
        }
      },
    ),
    { numRuns: 20 },
  );
  const other = await codesOf(images.sample(10, () => 0.9));
  expect(await codesOf(images.sample(10, () => 0))).not.toEqual(other);
});

test('a sample as large as all is all, and one of no codes is empty', async () => {
  expect(await codesOf(images.sample(count))).toEqual(codesById);
  const none = createStoredImages(createSqliteDialect(openIn(newFolder())));
  expect(await codesOf(none.sample(5))).toEqual([]);
});
