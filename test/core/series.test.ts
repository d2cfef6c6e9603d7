import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { scanSeries, seriesStartMs, spans } from '../../src/core/scans/series.ts';

const nowMs = Date.UTC(2026, 2, 1, 10, 30);
const hour = 3_600_000;

describe('a series of scans', () => {
  test.each([
    ['week', 7, '2026-02-23T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['month', 30, '2026-01-31T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['year', 12, '2025-04-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ] as const)('over a %s', (span, points, first, last) => {
    const series = scanSeries(span, nowMs, []);
    expect(series).toHaveLength(points);
    expect(new Date(series[0]?.beginMs ?? 0).toISOString()).toBe(first);
    expect(new Date(series.at(-1)?.beginMs ?? 0).toISOString()).toBe(last);
    expect(seriesStartMs(span, nowMs)).toBe(series[0]?.beginMs ?? 0);
  });

  test('contains every scan since its start in exactly one point', () => {
    const hours = fc.array(
      fc.record({
        hourMs: fc.nat(400 * 24).map((back) => Math.floor(nowMs / hour) * hour - back * hour),
        scans: fc.nat(1000),
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...spans), hours, (span, scanned) => {
        const begin = seriesStartMs(span, nowMs);
        const since = scanned.filter(({ hourMs }) => hourMs >= begin);
        const sum = (list: readonly { scans: number }[]) =>
          list.reduce((total, { scans }) => total + scans, 0);
        expect(sum(scanSeries(span, nowMs, scanned))).toBe(sum(since));
      }),
    );
  });
});
