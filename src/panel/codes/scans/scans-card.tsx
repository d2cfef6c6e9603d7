/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { dayOf, type HourSums } from '../../../core/scans/days.ts';
import type { Overview, Overviews } from '../../../core/scans/overview.ts';
import type { CounterScope } from '../../../core/scans/ports.ts';
import { scanSeries, unitOf } from '../../../core/scans/series.ts';
import { useLocalTime } from '../../ui/page-context.tsx';
import { ChartLinks } from '../compare/chart-links.tsx';
import type { ComparedKey } from '../compare/compared.ts';
import { type ChartPeriod, PeriodPicker } from './chart-period.tsx';
import { ScanChart } from './scan-chart.tsx';

/** Days of the figures of a page: 30, and those before. Shorter charts need no others. */
export const figureDays = 60;

/** Returns the hours of a chart of an account or a folder; null while those of many codes are counted. */
export async function hoursOfChart(
  overviews: Overviews,
  scope: CounterScope,
  { range, length }: ChartPeriod,
  zone: string,
  figures: Overview,
): Promise<HourSums | null> {
  if (length !== null && length <= figureDays) return figures.sums;
  const overview = await overviews.of(scope, length ?? range, zone);
  return overview?.sums ?? null;
}

interface ScansCardProps {
  readonly title: string;
  readonly period: ChartPeriod;
  readonly sums: HourSums | null;
  readonly plotPx: number;
  /** The folder whose codes these are. Left out for all codes of the account. */
  readonly subject?: ComparedKey;
  /** Figures in place of the title. */
  readonly children?: ComponentChildren;
}

/** Renders a card with the chart of an account or a folder, whose days can be chosen. */
export function ScansCard({ title, period, sums, plotPx, subject, children }: ScansCardProps) {
  const { nowMs, zone, texts } = useLocalTime('days');
  const { scans: t } = texts;
  const { range } = period;
  const isNow = range.last.equals(dayOf(nowMs, zone));
  return (
    <section class="card pad stack tight" id="scans" aria-label={title}>
      <div class="row between">
        {children ?? <h2>{title}</h2>}
        {isNow && children === undefined && (
          <span class="small soft legend-note">{t.notOver({ unit: unitOf(range) })}</span>
        )}
        <PeriodPicker period={period} />
      </div>
      {sums === null ? (
        <p class="soft" role="status">
          {t.counting}
        </p>
      ) : (
        <ScanChart range={range} points={scanSeries(range, sums, zone)} plotPx={plotPx}>
          {subject !== undefined && <ChartLinks subject={subject} period={period} />}
        </ScanChart>
      )}
    </section>
  );
}
