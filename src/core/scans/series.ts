import type { HourlyScans } from './ports.ts';

/** Lengths of a chart. A year has a point a month, the others a point a day. */
export const spans = ['week', 'month', 'year'] as const;
export type Span = (typeof spans)[number];

/** Scans from `beginMs` to the next point. */
export interface SeriesPoint {
  readonly beginMs: number;
  readonly scans: number;
}

const points: Record<Span, number> = { week: 7, month: 30, year: 12 };

/** Returns the beginning of the first point of a chart that ends now, in UTC. */
export function seriesStartMs(span: Span, nowMs: number): number {
  return beginOf(span, nowMs, points[span] - 1);
}

/** Returns the scans in every point of a chart that ends now, oldest first, empty points included. */
export function scanSeries(
  span: Span,
  nowMs: number,
  hours: readonly HourlyScans[],
): SeriesPoint[] {
  const begins = Array.from({ length: points[span] }, (_, at) =>
    beginOf(span, nowMs, points[span] - 1 - at),
  );
  const sums = new Map(begins.map((begin) => [begin, 0]));
  for (const { hourMs, scans } of hours) {
    const begin = beginOf(span, hourMs, 0);
    const sum = sums.get(begin);
    if (sum !== undefined) sums.set(begin, sum + scans);
  }
  return begins.map((beginMs) => ({ beginMs, scans: sums.get(beginMs) ?? 0 }));
}

/** Returns the beginning of the point of an instant, or of the point `back` points earlier. */
function beginOf(span: Span, ms: number, back: number): number {
  if (span !== 'year') return Math.floor(ms / 86_400_000) * 86_400_000 - back * 86_400_000;
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1);
}
