import { test } from 'bun:test';
import { hostileTexts, hostileWorkbooks } from '../support/hostile-files.ts';
import { sampleOf } from '../support/sample.ts';
import { expectBounded, linkJob, tableJob } from './read-file.ts';

// Those of full size, which take seconds each, are test/ci/files.ts.

test.each(Object.entries(hostileWorkbooks))(
  'a small workbook with %s is read or refused in words',
  (_, create) => expectBounded(tableJob, create(0.02)),
);

const jobs = Object.entries(hostileTexts).flatMap(([name, create], at) => {
  const [one, other] = [
    { name, create, kind: 'a table', job: tableJob },
    { name, create, kind: 'a file of links', job: linkJob },
  ] as const;
  return at % 2 === 0 ? [one, other] : [other, one];
});

test.each(sampleOf(jobs, 2))(
  '200 kB of $name are read or refused in words, as $kind',
  async ({ create, job }) => {
    await expectBounded(job, new TextEncoder().encode(create(200_000)));
  },
);
