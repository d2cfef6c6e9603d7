import { describe, expect, test } from 'bun:test';
import { createQrInsights } from '../../src/core/codes/insight.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import { sampleQr } from './sample-qr.ts';

type World = Parameters<typeof createQrInsights>[0];

const schedule: World['schedule'] = (work) => work();
const store: World['store'] = {
  formerDestinations: async () => [],
  hourlyScans: async () => [],
  uncountedHits: async () => ({ head: 0, prefetch: 0, preview: 0, crawler: 0 }),
};
const designs: World['designs'] = {
  find: async () => ({ ...plainDesign, quietZoneModules: 6 }),
};
const clock: World['clock'] = { nowMs: () => 0, monotonicMs: () => 0 };

/** A reader over codes that are numbered from the newest, and where it was asked to go on. */
function createWalk(count: number) {
  const steps: number[] = [];
  const reader: World['reader'] = {
    after: async (_accountId, cursor, limit) => {
      const begin = cursor === null ? 0 : Number(cursor.code) + 1;
      steps.push(begin);
      const length = Math.min(limit, count - begin);
      return Array.from({ length }, (_, at) => ({ ...sampleQr, code: String(begin + at) }));
    },
  };
  return { reader, steps };
}

describe('the export of all codes', () => {
  test.each([0, 1, 200, 201, 1000])(
    'holds each of %d once, in the order of the list',
    async (count) => {
      const { reader } = createWalk(count);
      const pieces = createQrInsights({ store, reader, designs, clock, schedule }).csv(1);
      const [head, ...lines] = (await Array.fromAsync(pieces)).join('').trimEnd().split('\r\n');
      expect(head).toBe('code,url,destination,status,scans,last_scan,created_at');
      expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(
        Array.from({ length: count }, (_, at) => at),
      );
    },
  );

  test('reads each piece when its turn has come, and nothing outside of a turn', async () => {
    const { reader, steps } = createWalk(1000);
    let turns = 0;
    const readInTurn: number[] = [];
    const inTurn: World['schedule'] = async (work) => {
      const before = steps.length;
      turns++;
      const done = await work();
      readInTurn.push(steps.length - before);
      return done;
    };
    const insights = createQrInsights({ store, reader, designs, clock, schedule: inTurn });
    await Array.fromAsync(insights.csv(1));
    expect(steps).toEqual([0, 200, 400, 600, 800, 1000]);
    expect(turns).toBe(6);
    expect(readInTurn).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

test('how wide to print a code is known without a picture of it', async () => {
  const { reader } = createWalk(0);
  const insights = createQrInsights({ store, reader, designs, clock, schedule });
  const { print } = await insights.of(sampleQr, 'day');
  // 31 bytes take version 4 (33 modules) at level H; here with six modules of half a millimetre on each side.
  expect(print[0]).toEqual({ use: 'in the hand', distanceMm: 200, widthMm: 23 });
});
