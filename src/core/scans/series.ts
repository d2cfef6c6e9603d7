import { type DayRange, daysIn, type HourSums, mondayOf, scansOn } from './days.ts';

/** What a point of a chart stands for. */
export type ChartUnit = 'day' | 'week';

/** Scans on the days of a point. */
export interface SeriesPoint extends DayRange {
  readonly scans: number;
}

// More bars are too narrow for a phone.
const maxDailyPoints = 92;

/** Returns whether the chart of some days has a point for each day, or for each week. */
export function unitOf(range: DayRange): ChartUnit {
  return daysIn(range) <= maxDailyPoints ? 'day' : 'week';
}

/**
 * Returns the scans in every point of a chart, oldest first, empty points included.
 * Weeks begin on Monday; the first and the last may be incomplete.
 */
export function scanSeries(range: DayRange, sums: HourSums, zone: string): SeriesPoint[] {
  const unit = unitOf(range);
  const points: SeriesPoint[] = [];
  for (let first = range.first; Temporal.PlainDate.compare(first, range.last) <= 0; ) {
    const next = unit === 'day' ? first.add({ days: 1 }) : mondayOf(first).add({ days: 7 });
    const end = next.subtract({ days: 1 });
    const last = Temporal.PlainDate.compare(end, range.last) > 0 ? range.last : end;
    points.push({ first, last, scans: scansOn({ first, last }, sums, zone) });
    first = next;
  }
  return points;
}
