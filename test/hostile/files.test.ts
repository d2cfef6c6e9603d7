import { test } from 'bun:test';
import { hostileTexts, hostileWorkbooks } from '../support/hostile-files.ts';
import { expectBounded, linkJob, tableJob } from './read-file.ts';

// Those of full size, which take seconds each, are test/ci/files.ts.

test.each(Object.entries(hostileWorkbooks))(
  'a small workbook with %s is read or refused in words',
  (_, create) => expectBounded(tableJob, create(0.02)),
);

test.each(Object.entries(hostileTexts))(
  '200 kB of %s are read or refused in words',
  async (_, create) => {
    const file = new TextEncoder().encode(create(200_000));
    await expectBounded(tableJob, file);
    await expectBounded(linkJob, file);
  },
);
