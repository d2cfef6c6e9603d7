import { expect, test } from 'bun:test';
import { createLinkFollower } from '../../src/core/codes/follow.ts';
import type { LinkTarget } from '../../src/core/ports.ts';

const target: LinkTarget = {
  qrId: 7,
  location: 'https://example.com/',
  status: 'active',
  flaggedBy: null,
};

/** Follows a link to a target. @returns where it led, the hits that were recorded, and how that ended */
async function followed(found: LinkTarget | null, outcome: 'committed' | 'buffered' = 'committed') {
  const hits: unknown[] = [];
  const links = createLinkFollower({
    warnOfFlagged: true,
    clock: { nowMs: () => 5, monotonicMs: () => 0 },
    links: { find: async () => found },
    scans: {
      record: async (...hit) => {
        hits.push(hit);
        return outcome;
      },
    },
  });
  const { outcome: led, recorded } = await links.follow(1, 'scan');
  return { led, outcome: await recorded, hits };
}

test('an active code leads to its destination once the hit is recorded', async () => {
  expect(await followed(target)).toEqual({
    led: { to: 'destination', location: 'https://example.com/' },
    outcome: 'committed',
    hits: [[7, 'scan', 5]],
  });
});

test('it leads there just the same while hits have to wait for the database', async () => {
  expect(await followed(target, 'buffered')).toMatchObject({
    led: { to: 'destination', location: 'https://example.com/' },
    outcome: 'buffered',
  });
});

test.each(['paused', 'blocked'] as const)(
  'a %s code is closed, and nothing is recorded',
  async (status) => {
    expect(await followed({ ...target, status })).toEqual({
      led: { to: 'closed', status },
      outcome: null,
      hits: [],
    });
  },
);

test('a code that nobody has leads nowhere, and nothing is recorded', async () => {
  expect(await followed(null)).toEqual({ led: { to: 'nothing' }, outcome: null, hits: [] });
});
