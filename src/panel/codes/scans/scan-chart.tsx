/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { type DayRange, dayOf } from '../../../core/scans/days.ts';
import { type ChartUnit, type SeriesPoint, unitOf } from '../../../core/scans/series.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { ZoneNote } from '../../ui/components.tsx';
import { formatDay, formatDayRange } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import { useLocalTime, useTexts } from '../../ui/page-context.tsx';

interface ChartProps {
  readonly range: DayRange;
  readonly points: readonly SeriesPoint[];
  /** Height of the largest bars. */
  readonly plotPx: number;
  /** Links below it. */
  readonly children?: ComponentChildren;
}

// Horizontal lengths are in percent, vertical ones in pixels: only the width follows the page.
const topPx = 10;
const belowPx = 24;
const barShare = 0.76;
// The label of today is at the right end.
const shareBesideToday = 0.1;

/** Returns after how many points the axis has a label, in wide windows and on phones. */
function labelSteps(points: number): readonly number[] {
  return points <= 7 ? [1, 2] : [Math.ceil(points / 4.5), Math.ceil(points / 3)];
}

/**
 * Returns the values of the axis.
 * From 0 in steps of 1, 2 or 5 times a power of ten, up to the largest or above it.
 */
function axisOf(largest: number): number[] {
  for (let power = 1; ; power *= 10)
    for (const step of [1, 2, 5].map((digit) => digit * power)) {
      const steps = Math.max(2, Math.ceil(largest / step));
      if (steps <= 4) return Array.from({ length: steps + 1 }, (_, index) => index * step);
    }
}

/** Names the days of a point of a chart. */
export function formatPoint(
  days: DayRange,
  unit: ChartUnit,
  today: Temporal.PlainDate,
  texts: Texts,
): string {
  return unit === 'week' || days.first.year !== today.year
    ? formatDayRange(days, texts)
    : formatDay(days.first, 'weekday', texts);
}

/**
 * Renders a bar chart of scans over time, as SVG and as a table.
 * A last point of today is not over yet.
 */
export function ScanChart({ range, points, plotPx, children }: ChartProps) {
  const { nowMs, zone, texts } = useLocalTime('days');
  const today = dayOf(nowMs, zone);
  const isNow = range.last.equals(today);
  const unit = unitOf(range);
  const { scans: t, formats } = texts;
  const nameOf = (days: DayRange) => formatPoint(days, unit, today, texts);
  const axis = axisOf(Math.max(...points.map(({ scans }) => scans)));
  const basePx = topPx + plotPx;
  const yOf = (value: number) => round(basePx - (value / (axis.at(-1) ?? 1)) * plotPx);
  const step = 100 / points.length;
  const leftOf = (index: number) => `${round((index + (1 - barShare) / 2) * step)}%`;
  const last = points.length - 1;
  return (
    <figure class="stack tight">
      <div class="chart">
        <svg
          width="100%"
          height={basePx + belowPx}
          role="img"
          aria-label={t.chart({
            unit,
            first: formatDay(range.first, 'short', texts),
            last: formatDay(range.last, 'short', texts),
          })}
        >
          {axis.map((value) => (
            <line
              key={value}
              class={value === 0 ? 'grid base' : 'grid'}
              x2="100%"
              y1={yOf(value)}
              y2={yOf(value)}
            />
          ))}
          {points.map(({ scans, ...days }, index) => (
            <g key={index}>
              {scans > 0 && (
                <rect
                  class={isNow && index === last ? 'bar today' : 'bar'}
                  x={leftOf(index)}
                  width={`${round(step * barShare)}%`}
                  y={yOf(scans)}
                  height={round(basePx - yOf(scans))}
                  rx="2"
                />
              )}
              <rect
                class="hit"
                x={`${round(index * step)}%`}
                width={`${round(step)}%`}
                y={topPx}
                height={plotPx}
                data-tip={t.onDays({ days: nameOf(days), scans })}
              />
            </g>
          ))}
          {labelSteps(points.length).map((every, at) =>
            points.map((days, index) =>
              index % every === 0 &&
              last - index > Math.min(Math.ceil(points.length * shareBesideToday), every - 1) ? (
                <text
                  key={index}
                  class={at === 0 ? 'tick' : 'phone-tick'}
                  x={leftOf(index)}
                  y={basePx + 19}
                >
                  {formatDay(days.first, 'short', texts)}
                </text>
              ) : null,
            ),
          )}
          <text x="100%" y={basePx + 19} text-anchor="end">
            {isNow ? t.now({ unit }) : formatDay(range.last, 'short', texts)}
          </text>
        </svg>
        <svg width="46" height={basePx + belowPx} aria-hidden="true">
          {axis.map((value) => (
            <text key={value} x="8" y={yOf(value) + 4}>
              {formats.number(value)}
            </text>
          ))}
        </svg>
      </div>
      <div class="foot">
        <details>
          <summary>{t.showAsTable}</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.unit({ unit })}</th>
                <th scope="col" class="number">
                  {t.title}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ scans, ...days }, index) => (
                <tr key={index}>
                  <td>{nameOf(days)}</td>
                  <td class="number">{formats.number(scans)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
        {children}
        <ZoneNote />
      </div>
    </figure>
  );
}

// The percentage of a few scans says nothing.
const fewScans = 20;

/** Renders the change of a number of scans to the one before, as an arrow and a number. */
export function Change({ scans, before }: { scans: number; before: number }) {
  const change = scans - before;
  if (change === 0) return null;
  const percent = Math.abs(change / before) * 100;
  const { scans: t, formats } = useTexts();
  return (
    <span class="change">
      <Icon name={change > 0 ? 'up' : 'down'} />{' '}
      {before < fewScans
        ? formats.number(Math.abs(change))
        : percent < 1
          ? t.under({ percent: formats.percent(1) })
          : formats.percent(percent)}
    </span>
  );
}

const mini = { stepPx: 7, barPx: 4.5, baseY: 26, heightPx: 24 };

/**
 * Renders small bars of scans beside a name, which says more to screen readers.
 * The last point is today. The style sheet draws days without scans, because a list has hundreds of them.
 *
 * @param props.top the largest number of scans of all bars on the page, so that they have one scale
 */
export function MiniBars({ scans, top }: { scans: readonly number[]; top: number }) {
  const { stepPx, barPx, baseY, heightPx } = mini;
  if (scans.every((count) => count <= 0))
    return (
      <svg class="mini" aria-hidden="true">
        <path class="none" d={`M0 ${baseY}h${scans.length * stepPx}`} />
      </svg>
    );
  const heightOf = (count: number) =>
    count === 0 ? 1 : Math.max(2, Math.round((count / top) * heightPx));
  const past = scans.slice(0, -1).map((count, day) => {
    const x = day * stepPx + stepPx / 2;
    // A thick line is short to describe.
    return count === 0 ? '' : `M${x} ${baseY}v-${heightOf(count)}`;
  });
  const today = heightOf(scans.at(-1) ?? 0);
  const todayX = past.length * stepPx + (stepPx - barPx) / 2;
  const now = `M${todayX} ${baseY}v-${today}h${barPx}v${today}z`;
  // A list has one in each row: short elements, as of icons.
  const bars = { __html: `<path d="${past.join('')}"/><path d="${now}"/>` };
  return <svg class="mini" aria-hidden="true" dangerouslySetInnerHTML={bars} />;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
