import { expect, test } from 'bun:test';
import { makeLinks } from '../../src/core/links.ts';
import type { LinkTarget } from '../../src/core/ports.ts';

const target: LinkTarget = {
  qrId: 7,
  location: 'https://example.com/',
  status: 'active',
  flaggedBy: null,
};

/** Follows a link to a target. @returns where it led, and the hits that were recorded */
async function followed(found: LinkTarget | null, outcome: 'committed' | 'waiting' = 'committed') {
  const hits: unknown[] = [];
  const links = makeLinks({
    warnOfFlagged: true,
    clock: { nowMs: () => 5, monotonicMs: () => 0 },
    links: { target: async () => found },
    scans: {
      record: async (...hit) => {
        hits.push(hit);
        return outcome;
      },
    },
  });
  return { led: await links.follow('01234567', 'scan'), hits };
}

test('an active code leads to its destination once the hit is recorded', async () => {
  expect(await followed(target)).toEqual({
    led: { to: 'destination', location: 'https://example.com/' },
    hits: [[7, 'scan', 5]],
  });
});

test('it leads there just the same while hits have to wait for the database', async () => {
  const { led } = await followed(target, 'waiting');
  expect(led).toEqual({ to: 'destination', location: 'https://example.com/' });
});

test.each(['paused', 'blocked'] as const)(
  'a %s code is closed, and nothing is recorded',
  async (status) => {
    expect(await followed({ ...target, status })).toEqual({
      led: { to: 'closed', status },
      hits: [],
    });
  },
);

test('a code that nobody has leads nowhere, and nothing is recorded', async () => {
  expect(await followed(null)).toEqual({ led: { to: 'nothing' }, hits: [] });
});
