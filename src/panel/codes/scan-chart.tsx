/** @jsxImportSource preact */
import type { SeriesPoint, Span } from '../../core/scans/series.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { Icon } from '../ui/icons.tsx';

const year = { year: 'numeric' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const days = {
  unit: 'day',
  now: 'Today',
  tick: utcFormat(day),
  point: utcFormat({ weekday: 'short', ...day }),
} as const;

/** Texts of a chart, by its length, and after how many points the axis has a label, in wide windows and phones. */
export const spanTexts = {
  week: { ...days, name: '7 d', title: 'Last 7 days', steps: [1, 2] },
  month: { ...days, name: '30 d', title: 'Last 30 days', steps: [7, 10] },
  year: {
    name: '12 m',
    title: 'Last 12 months',
    unit: 'month',
    now: 'Now',
    steps: [2, 4],
    tick: utcFormat({ month: 'short' }),
    point: utcFormat({ month: 'long', ...year }),
  },
} as const satisfies Record<Span, object>;

function utcFormat(options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
}

interface ChartProps {
  readonly span: Span;
  readonly points: readonly SeriesPoint[];
  /** Height of the largest bars. */
  readonly plotPx: number;
}

// Horizontal lengths are in percent, vertical ones in pixels: only the width follows the page.
const topPx = 10;
const belowPx = 24;
const barShare = 0.76;
// The label of today is at the right end.
const pointsBesideToday = 3;

/** Returns the values of the axis: from 0 in steps of 1, 2 or 5 times a power of ten, up to the largest or above it. */
export function axisOf(largest: number): number[] {
  for (let power = 1; ; power *= 10)
    for (const step of [1, 2, 5].map((digit) => digit * power)) {
      const steps = Math.max(2, Math.ceil(largest / step));
      if (steps <= 4) return Array.from({ length: steps + 1 }, (_, index) => index * step);
    }
}

/** A bar chart of scans over time, as SVG and as a table. The last point is not over yet. */
export function ScanChart({ span, points, plotPx }: ChartProps) {
  const { unit, now, steps, tick, point } = spanTexts[span];
  const axis = axisOf(Math.max(...points.map(({ scans }) => scans)));
  const basePx = topPx + plotPx;
  const yOf = (value: number) => round(basePx - (value / (axis.at(-1) ?? 1)) * plotPx);
  const step = 100 / points.length;
  const leftOf = (index: number) => `${round((index + (1 - barShare) / 2) * step)}%`;
  const last = points.length - 1;
  const [first, end] = [points[0], points[last]].map((one) => tick.format(one?.beginMs));
  return (
    <figure class="stack tight">
      <div class="chart">
        <svg
          width="100%"
          height={basePx + belowPx}
          role="img"
          aria-label={`Scans a ${unit}, ${first} to ${end}`}
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
          {points.map(({ beginMs, scans }, index) => (
            <g key={beginMs}>
              {scans > 0 && (
                <rect
                  class={index === last ? 'bar today' : 'bar'}
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
                data-tip={`${point.format(beginMs)} · ${formatCount(scans, 'scan')}`}
              />
            </g>
          ))}
          {steps.map((every, at) =>
            points.map(({ beginMs }, index) =>
              index % every === 0 && last - index > Math.min(pointsBesideToday, every - 1) ? (
                <text
                  key={beginMs}
                  class={at === 0 ? 'tick' : 'phone-tick'}
                  x={leftOf(index)}
                  y={basePx + 19}
                >
                  {tick.format(beginMs)}
                </text>
              ) : null,
            ),
          )}
          <text x="100%" y={basePx + 19} text-anchor="end">
            {now}
          </text>
        </svg>
        <svg width="46" height={basePx + belowPx} aria-hidden="true">
          {axis.map((value) => (
            <text key={value} x="8" y={yOf(value) + 4}>
              {formatNumber(value)}
            </text>
          ))}
        </svg>
      </div>
      <details>
        <summary>Show as table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{`${unit.charAt(0).toUpperCase()}${unit.slice(1)} (UTC)`}</th>
              <th scope="col" class="number">
                Scans
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ beginMs, scans }) => (
              <tr key={beginMs}>
                <td>{point.format(beginMs)}</td>
                <td class="number">{formatNumber(scans)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

// The percentage of a few scans says nothing.
const fewScans = 20;

/** The change of a number of scans to the one before, as an arrow and a number. */
export function Change({ scans, before }: { scans: number; before: number }) {
  const change = scans - before;
  if (change === 0) return null;
  const percent = Math.abs(change / before) * 100;
  return (
    <span class="change">
      <Icon name={change > 0 ? 'up' : 'down'} />{' '}
      {before < fewScans
        ? formatNumber(Math.abs(change))
        : percent < 1
          ? 'under 1 %'
          : `${formatNumber(Math.round(percent))} %`}
    </span>
  );
}

const mini = { stepPx: 7, barPx: 4.5, baseY: 26, heightPx: 24 };

/**
 * Small bars of scans beside a name, which says more to screen readers. The last point is today. The style sheet draws
 * days without scans, because a list has hundreds of them.
 */
export function MiniBars({ scans }: { scans: readonly number[] }) {
  const { stepPx, barPx, baseY, heightPx } = mini;
  const top = Math.max(...scans);
  if (top <= 0)
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
  return (
    <svg class="mini" aria-hidden="true">
      <path d={past.join('')} />
      <path d={`M${todayX} ${baseY}v-${today}h${barPx}v${today}z`} />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
