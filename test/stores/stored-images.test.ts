import { expect, test } from 'bun:test';
import type { QrImageSource } from '../../src/core/codes/qr.ts';
import { createStoredImages } from '../../src/sql/database/stored-images.ts';
import { runQueries } from '../../src/sqlite/database/queries.ts';
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
const imagesOf = ({ $client }: typeof store, random?: () => number) =>
  createStoredImages(async (queries) => runQueries($client, queries), random);
const codesOf = (some: AsyncIterable<QrImageSource>) => Array.fromAsync(some, ({ code }) => code);

test('all images are those of every code once, oldest first', async () => {
  expect(await codesOf(imagesOf(store).allImages())).toEqual(codesById);
});

test('a sample is random, spread over all ages, and has no duplicates', async () => {
  for (const size of [1, 10, 50, count - 1])
    for (const random of [0, 0.5, 0.999]) {
      const sample = await codesOf(imagesOf(store, () => random).sampleImages(size));
      expect(sample).toHaveLength(size);
      for (const [range, code] of sample.entries()) {
        const place = codesById.indexOf(code);
        expect(place).toBeGreaterThanOrEqual(Math.floor((range * count) / size));
        expect(place).toBeLessThanOrEqual(((range + 1) * count) / size);
      }
      expect(new Set(sample).size).toBe(size);
    }
  const sampleOf = (random: number) => codesOf(imagesOf(store, () => random).sampleImages(10));
  expect(await sampleOf(0)).not.toEqual(await sampleOf(0.9));
});

test('a sample as large as all is all, and one of no codes is empty', async () => {
  expect(await codesOf(imagesOf(store).sampleImages(count))).toEqual(codesById);
  expect(await codesOf(imagesOf(openIn(newFolder())).sampleImages(5))).toEqual([]);
});
