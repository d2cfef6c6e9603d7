/** @jsxImportSource preact */
import { resultOf } from '../../../core/scans/comparison.ts';
import { type DayRange, dayOf, daysIn } from '../../../core/scans/days.ts';
import { type SeriesPoint, scanSeries, unitOf } from '../../../core/scans/series.ts';
import { Crumb } from '../../ui/cards.tsx';
import { PageHead, ScrollRegion, ZoneNote } from '../../ui/components.tsx';
import { formatDay } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link, useLocalTime, useTexts } from '../../ui/page-context.tsx';
import { CodeDestination, codePath, Thumbnail } from '../code-label.tsx';
import { pathOfFolder } from '../folders/folders.tsx';
import { type ChartPeriod, PeriodPicker, periodTitle } from '../scans/chart-period.tsx';
import { formatPoint } from '../scans/scan-chart.tsx';
import {
  type Compared,
  type ComparedKey,
  comparePath,
  maxCompared,
  minCompared,
  periodFields,
} from './compared.ts';
import { comparisonSentence } from './sentences.ts';

interface CompareProps {
  readonly keys: readonly ComparedKey[];
  /** Null while the scans are counted. */
  readonly compared: readonly Compared[] | null;
  readonly period: ChartPeriod;
  /** Whether the scans are divided by the number of codes. */
  readonly isPerCode: boolean;
}

/** A row of a comparison. */
interface ComparedRow extends Compared {
  /** All scans of the period. */
  readonly total: number;
  /** Scans of a code on a day. */
  readonly mean: number;
  /** What the chart shows. */
  readonly points: readonly SeriesPoint[];
}

/** Renders codes and folders beside each other: totals, means, and one chart on one scale. */
export function ComparePage({ keys, compared, period, isPerCode }: CompareProps) {
  const fields = { ...periodFields(period), ...(isPerCode && { per: 'code' }) };
  const { common, compare: t } = useTexts();
  return (
    <>
      <Crumb above={[['/account/codes', common.codes]]}>{t.title}</Crumb>
      <PageHead title={t.title} beside={<span class="soft">{keys.length}</span>}>
        {compared !== null && (
          <Link
            class="button compact-hide"
            to={comparePath(keys, periodFields(period), '.csv')}
            download
          >
            {t.exportByDay}
          </Link>
        )}
        {keys.length < maxCompared && (
          <Link class="button" to={comparePath(keys, fields, '/add')}>
            {t.add}
          </Link>
        )}
      </PageHead>
      {compared === null ? (
        <section class="card pad stack tight">
          <PeriodPicker period={period} />
          <p class="soft" role="status">
            {useTexts().scans.counting}
          </p>
        </section>
      ) : (
        <Comparison {...{ keys, compared, period, isPerCode, fields }} />
      )}
    </>
  );
}

interface ComparisonProps extends CompareProps {
  readonly compared: readonly Compared[];
  /** The query of the page beside what is compared. */
  readonly fields: Readonly<Record<string, string>>;
}

function Comparison({ keys, compared, period, isPerCode, fields }: ComparisonProps) {
  const { nowMs, zone, texts } = useLocalTime('days');
  const { compare: t, formats } = texts;
  const { range } = period;
  const isNow = range.last.equals(dayOf(nowMs, zone));
  const days = daysIn(range);
  const rows = compared.map((one): ComparedRow => {
    const series = scanSeries(range, one.sums, zone);
    const total = series.reduce((sum, { scans }) => sum + scans, 0);
    const codes = Math.max(1, one.codes);
    const shown = (scans: number) => (isPerCode ? scans / codes : scans);
    const points = series.map((point) => ({ ...point, scans: shown(point.scans) }));
    return { ...one, total, mean: total / days / codes, points };
  });
  const top = Math.max(0, ...rows.flatMap(({ points }) => points.map(({ scans }) => scans)));
  const result = resultOf(
    rows.map(({ name, total, mean }) => ({ name, scans: isPerCode ? mean : total })),
  );
  const hasFolder = rows.some(({ codes }) => codes > 1);
  const first = formatDay(range.first, 'short', texts);
  const last = formatDay(range.last, 'short', texts);
  const without = (row: ComparedRow) => keys.filter((key) => key !== row.subject);
  return (
    <section class="card" aria-label={t.comparison}>
      <div class="cardhead compared">
        <h2>{comparisonSentence(result, isPerCode, texts)}</h2>
        {hasFolder && <PerCode keys={keys} period={period} isPerCode={isPerCode} />}
        <PeriodPicker period={period} />
      </div>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col" class="c-name">
              <span class="hidden">{t.codeOrFolder}</span>
            </th>
            <th scope="col" class="number">
              {periodTitle(period, texts)}
            </th>
            <th scope="col" class="number">
              {t.codeDay}
            </th>
            <th scope="col" class="c-chart">
              {(isPerCode ? t.scalePerCode : t.scale)({
                unit: unitOf(range),
                max: formats.decimal(top),
              })}
            </th>
            {keys.length > minCompared && (
              <th scope="col" class="c-menu">
                <span class="hidden">{t.remove}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <td class="c-name">
                <RowName {...row} />
              </td>
              <td class="number">
                <b>{formats.number(row.total)}</b>
                <span class="sub phone-only">
                  {(row.codes > 1 ? t.aDayEach : t.aDay)({ mean: formats.mean(row.mean) })}
                </span>
              </td>
              <td class="number compact-hide">
                <b>{formats.mean(row.mean)}</b>
              </td>
              <td class="c-chart">
                <RowChart row={row} range={range} top={top} isNow={isNow} isPerCode={isPerCode} />
              </td>
              {keys.length > minCompared && (
                <td class="c-menu">
                  <Link
                    class="button plain small square"
                    to={comparePath(without(row), fields)}
                    aria-label={t.removeOne({ name: row.name })}
                  >
                    <Icon name="cross" />
                  </Link>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="foot pad">
        <details>
          <summary>{t.showAsTable}</summary>
          <ComparedTable rows={rows} range={range} isPerCode={isPerCode} />
        </details>
        <div class="small soft">
          {isNow ? t.daysUntilToday({ first }) : t.days({ first, last })} <ZoneNote />
        </div>
        <Link
          class="button small phone-only"
          to={comparePath(keys, periodFields(period), '.csv')}
          download
        >
          {t.exportByDay}
        </Link>
      </div>
    </section>
  );
}

/** Renders the choice between all scans and those of a code, for folders of several codes. */
function PerCode({ keys, period, isPerCode }: Omit<CompareProps, 'compared'>) {
  const fields = periodFields(period);
  const t = useTexts().compare;
  return (
    <nav class="segmented" aria-label={t.whatIsCompared}>
      <Link to={comparePath(keys, fields)} aria-current={isPerCode ? undefined : 'true'}>
        {t.allScans}
      </Link>
      <Link
        to={comparePath(keys, { ...fields, per: 'code' })}
        aria-current={isPerCode ? 'true' : undefined}
      >
        {t.perCode}
      </Link>
    </nav>
  );
}

function RowName({ subject, name, qr, codes }: Compared) {
  const folder = 'folder' in subject ? subject.folder : null;
  const path =
    qr !== null
      ? codePath(qr.code)
      : folder === null
        ? '/account/codes?folder=none'
        : pathOfFolder(folder);
  return (
    <div class="what">
      {qr === null ? (
        <span class="tile">
          <Icon name="folder" />
        </span>
      ) : (
        <Thumbnail qr={qr} />
      )}
      <div>
        <Link class="name" to={path} dir="auto">
          {name}
        </Link>
        {qr === null ? (
          <span class="sub">{useTexts().compare.folderOf({ codes })}</span>
        ) : (
          <CodeDestination {...qr} />
        )}
      </div>
    </div>
  );
}

interface RowChartProps {
  readonly row: ComparedRow;
  readonly range: DayRange;
  /** The largest value of all rows. */
  readonly top: number;
  readonly isNow: boolean;
  readonly isPerCode: boolean;
}

const heightPx = 52;

/** Renders the bars of a row. The script shows the number of a day under the mouse, or by arrow keys. */
function RowChart({ row, range, top, isNow, isPerCode }: RowChartProps) {
  const { nowMs, zone, texts } = useLocalTime('days');
  const today = dayOf(nowMs, zone);
  const unit = unitOf(range);
  const { points, name } = row;
  const { compare: t, formats } = texts;
  const valueText = (scans: number) =>
    isPerCode ? t.scansPerCode({ scans, mean: formats.mean(scans) }) : t.scans({ scans });
  const heightOf = (scans: number) =>
    scans === 0 || top === 0 ? 0 : Math.max(1, (scans / top) * heightPx);
  const last = points.length - 1;
  const bars = points.map(({ scans }, at) => {
    const height = round(heightOf(scans));
    return height === 0 ? '' : `M${round(at + 0.14)} ${heightPx}v-${height}h.72v${height}z`;
  });
  const share = 100 / points.length;
  return (
    <div class="chart">
      <svg
        width="100%"
        height={heightPx + 1}
        role="img"
        aria-label={t.chart({
          unit,
          name,
          first: formatDay(range.first, 'short', texts),
          last: formatDay(range.last, 'short', texts),
        })}
      >
        {/* The tip of the first point stands above the bars, as that of the others. */}
        <rect />
        {points.map(({ scans, ...days }, at) => (
          <rect
            key={at}
            class="hit"
            x={`${round(at * share)}%`}
            width={`${round(share)}%`}
            height={heightPx}
            data-tip={`${formatPoint(days, unit, today, texts)} · ${valueText(scans)}`}
          />
        ))}
        <svg
          class="bars"
          aria-hidden="true"
          width="100%"
          height={heightPx}
          viewBox={`0 0 ${points.length} ${heightPx}`}
          preserveAspectRatio="none"
        >
          <path class="bar" d={(isNow ? bars.slice(0, -1) : bars).join('')} />
          {isNow && <path class="bar today" d={bars[last]} />}
        </svg>
        <line class="grid base" x2="100%" y1={heightPx + 0.5} y2={heightPx + 0.5} />
      </svg>
    </div>
  );
}

interface ComparedTableProps {
  readonly rows: readonly ComparedRow[];
  readonly range: DayRange;
  readonly isPerCode: boolean;
}

/** Renders the numbers of the charts. */
function ComparedTable({ rows, range, isPerCode }: ComparedTableProps) {
  const { nowMs, zone, texts } = useLocalTime('days');
  const today = dayOf(nowMs, zone);
  const unit = unitOf(range);
  const { compare: t, formats } = texts;
  const format = isPerCode ? formats.mean : formats.number;
  const [first] = rows;
  return (
    <ScrollRegion label={t.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.scans.unit({ unit })}</th>
            {rows.map(({ name }, at) => (
              <th key={at} scope="col" class="number">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first?.points.map(({ scans: _, ...days }, at) => (
            <tr key={at}>
              <td>{formatPoint(days, unit, today, texts)}</td>
              {rows.map(({ points }, index) => (
                <td key={index} class="number">
                  {format(points[at]?.scans ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
