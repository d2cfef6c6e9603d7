/** @jsxImportSource preact */
import type { SeriesPoint, Span } from '../../core/scans/series.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';

const year = { year: 'numeric' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const time = { hour: '2-digit', minute: '2-digit' } as const;

/** Texts of a chart, by its unit of time. */
export const spanTexts = {
  hour: {
    name: 'Hours',
    period: 'last 48 hours',
    tick: utcFormat(time),
    point: utcFormat({ ...day, ...time }),
  },
  day: {
    name: 'Days',
    period: 'last 30 days',
    tick: utcFormat(day),
    point: utcFormat({ ...day, ...year }),
  },
  month: {
    name: 'Months',
    period: 'last 12 months',
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
}

// Horizontal lengths are in percent, vertical ones in pixels: only the width follows the page.
const plotPx = 140;
const barShare = 0.72;
const maxTicks = 6;

/** A bar chart of scans over time, as SVG and as a table. */
export function ScanChart({ span, points }: ChartProps) {
  const texts = spanTexts[span];
  const total = points.reduce((sum, point) => sum + point.scans, 0);
  // Even, so that the label of its half is a whole number.
  const top = Math.max(2, 2 * Math.ceil(Math.max(...points.map((point) => point.scans)) / 2));
  const step = 100 / points.length;
  const every = Math.ceil(points.length / maxTicks);
  return (
    <figure class="stack chart">
      <div class="plot">
        <svg
          width="100%"
          role="img"
          aria-label={`${formatCount(total, 'scan')} in the ${texts.period}`}
        >
          {[top, top / 2].map((value) => (
            <line key={value} class="grid" x2="100%" y1={yOf(value, top)} y2={yOf(value, top)} />
          ))}
          {points.map(({ beginMs, scans }, index) => (
            <rect
              key={beginMs}
              class={scans === 0 ? 'bar none' : 'bar'}
              x={`${round((index + (1 - barShare) / 2) * step)}%`}
              width={`${round(step * barShare)}%`}
              y={scans === 0 ? plotPx - 2 : yOf(scans, top)}
              height={scans === 0 ? 2 : round(plotPx - yOf(scans, top))}
              rx="1.5"
            >
              <title>{`${texts.point.format(beginMs)}: ${formatCount(scans, 'scan')}`}</title>
            </rect>
          ))}
          {points.map(({ beginMs }, index) =>
            (points.length - 1 - index) % every === 0 ? (
              <text
                key={beginMs}
                class="tick"
                x={`${round((index + 0.5) * step)}%`}
                y={plotPx}
                dy="1.5em"
              >
                {texts.tick.format(beginMs)}
              </text>
            ) : null,
          )}
        </svg>
        <ol class="scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{formatNumber(value)}</li>
          ))}
        </ol>
      </div>
      {span === 'hour' && <p class="hint">Times are in UTC.</p>}
      <details>
        <summary>Show as table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Start (UTC)</th>
              <th scope="col">Scans</th>
            </tr>
          </thead>
          <tbody>
            {points
              .filter(({ scans }) => scans > 0)
              .map(({ beginMs, scans }) => (
                <tr key={beginMs}>
                  <td>{texts.point.format(beginMs)}</td>
                  <td>{formatNumber(scans)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function yOf(value: number, top: number): number {
  // One pixel is left for the grid line at the top.
  return round(plotPx - (value / top) * (plotPx - 1));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
