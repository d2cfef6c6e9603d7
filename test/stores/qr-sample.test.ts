import { expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { openForReading } from '../../src/sqlite/database/read-only.ts';
import { allPrinted, samplePrinted } from '../../src/sqlite/maintenance/sample.ts';
import { keptSchemas, unpack } from './fixtures/fixture.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();
const codes = 1003;
const store = openIn(newFolder());
addManyQrs(store.$client, await addAccount(store, 'a@example.com'), codes);
const ids = (printed: Iterable<{ id: number }>) => [...printed].map(({ id }) => id);
const everyId = Array.from({ length: codes }, (_, index) => index + 1);

test('all is every code once, oldest first', () => {
  expect(ids(allPrinted(store))).toEqual(everyId);
});

test('a sample is spread over all ages, without repetition, and the seed repeats it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: codes - 1 }), fc.nat(), (size, seed) => {
      const sample = ids(samplePrinted(store, size, seed));
      expect(sample).toHaveLength(size);
      expect(sample).toEqual(ids(samplePrinted(store, size, seed)));
      for (const [stretch, id] of sample.entries()) {
        expect(id).toBeGreaterThan((stretch * codes) / size);
        expect(id).toBeLessThanOrEqual(((stretch + 1) * codes) / size + 1);
        expect(id).toBeGreaterThan(sample[stretch - 1] ?? 0);
      }
    }),
    { numRuns: 50 },
  );
});

test('another seed picks others; a sample as large as all is all', () => {
  expect(ids(samplePrinted(store, 10, 1))).not.toEqual(ids(samplePrinted(store, 10, 2)));
  expect(ids(samplePrinted(store, codes, 1))).toEqual(everyId);
  expect(ids(samplePrinted(openIn(newFolder()), 5, 1))).toEqual([]);
});

test.each(keptSchemas)('the codes of a database with the schema %s can be read', async (schema) => {
  const folder = join(newFolder(), 'data');
  const { records } = await unpack(schema, folder);
  const older = openForReading(folder);
  const printed = [...allPrinted(older)];
  older.$client.close();
  expect(printed.map(({ code }) => code)).toEqual(records.map(({ code }) => code));
  for (const { logoPlacement } of printed) expect(logoPlacement).toBeNull();
});
