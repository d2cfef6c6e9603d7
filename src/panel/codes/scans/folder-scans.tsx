/** @jsxImportSource preact */
import {
  compareDays,
  daysIn,
  type HourSums,
  scansOn,
  shiftBack,
  thisWeek,
} from '../../../core/scans/days.ts';
import type { Overview, Overviews } from '../../../core/scans/overview.ts';
import type { SignedInContext } from '../../request/request.ts';
import { formatDayRange } from '../../ui/formatting.ts';
import { useLocalTime } from '../../ui/page-context.tsx';
import { type ChartPeriod, periodTitle, readChartPeriod } from './chart-period.tsx';
import { Change } from './scan-chart.tsx';
import { figureDays, hoursOfChart, ScansCard } from './scans-card.tsx';

/** How the codes of a folder are doing. */
export interface FolderFigures {
  /** Its name; null for the codes in none. */
  readonly folder: string | null;
  readonly period: ChartPeriod;
  /** Null while the scans of many codes are counted. */
  readonly overview: Overview | null;
  /** The hours of the chart; null while they are counted. */
  readonly sums: HourSums | null;
}

/** Reads the figures of a folder; null for the codes in none. */
export async function readFolderFigures(
  overviews: Overviews,
  context: SignedInContext,
  folder: string | null,
): Promise<FolderFigures> {
  const { accountId, zone } = context;
  const scope = { accountId, folder };
  const period = readChartPeriod(context);
  const overview = await overviews.of(scope, figureDays, zone);
  const sums =
    overview === null ? null : await hoursOfChart(overviews, scope, period, zone, overview);
  return { folder, period, overview, sums };
}

/** Renders the figures and the chart of a folder. */
export function FolderScans({ title, ...figures }: FolderFigures & { title: string }) {
  const { folder, period, overview, sums } = figures;
  return (
    <ScansCard title={title} period={period} sums={sums} plotPx={140} subject={{ folder }}>
      {overview === null ? undefined : (
        <Figures overview={overview} period={period} periodSums={sums} />
      )}
    </ScansCard>
  );
}

interface FiguresProps {
  readonly overview: Overview;
  readonly period: ChartPeriod;
  /** Null while the scans of the period are counted. */
  readonly periodSums: HourSums | null;
}

function Figures({ overview, period, periodSums }: FiguresProps) {
  const { zone, texts } = useLocalTime('days');
  const { scans: t, formats } = texts;
  const { atMs, codes, sums } = overview;
  const { range } = period;
  const total = periodSums === null ? null : scansOn(range, periodSums, zone);
  // The days before longer ones are not read.
  const compared =
    periodSums !== null && period.length !== null && 2 * period.length <= figureDays
      ? compareDays(range, period.length, periodSums, zone, atMs)
      : null;
  const week = thisWeek(atMs, zone);
  const { scans, before } = compareDays(week, 7, sums, zone, atMs);
  const monday = shiftBack(week, 7).first;
  const lastWeek = { first: monday, last: monday.add({ days: 6 }) };
  const change = scans - before;
  return (
    <div class="facts">
      <div class="stat">
        <h2 class="label">{periodTitle(period, texts)}</h2>
        <div class="figure">{total === null ? '…' : formats.number(total)}</div>
        {compared !== null && (
          <span class="small">
            <Change {...compared} />
          </span>
        )}
      </div>
      <div class="stat">
        <span class="label">{t.thisWeekSinceMonday}</span>
        <div class="figure">{formats.number(scans)}</div>
        <span class="small">
          {t.toLastWeek({
            change: change === 0 ? 'same' : change > 0 ? 'more' : 'fewer',
            by: <Change scans={scans} before={before} />,
            soft: (text) => <span class="soft">{text}</span>,
          })}
        </span>
      </div>
      <div class="stat compact-hide">
        <span class="label">{t.lastWeek}</span>
        <div class="figure">{formats.number(scansOn(lastWeek, sums, zone))}</div>
        <span class="small soft">{formatDayRange(lastWeek, texts, 'weekday')}</span>
      </div>
      <div class="stat compact-hide">
        <span class="label">{t.perCodeAndDay}</span>
        <div class="figure">
          {total === null ? '…' : formats.mean(total / daysIn(range) / Math.max(1, codes))}
        </div>
        <span class="small soft">{t.daysAndCodes({ days: daysIn(range), codes })}</span>
      </div>
    </div>
  );
}
