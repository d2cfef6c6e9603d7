/** @jsxImportSource preact */
import type { SeriesPoint, Span } from '../../core/scans/series.ts';
import { countText, numberText } from './formatting.ts';

interface ChartProps {
  readonly span: Span;
  readonly points: readonly SeriesPoint[];
}

// Across in percent of whatever room there is, down in pixels: bars grow with the page, while their
// height stays. The style sheet leaves room for the words below, which are as large as the reader has them.
const plotPx = 140;
const barShare = 0.72;
const mostTicks = 6;

/** Scans over time as bars, drawn here: nothing to load, nothing to run. */
export function Chart({ span, points }: ChartProps) {
  const total = points.reduce((sum, point) => sum + point.scans, 0);
  const top = niceTop(Math.max(...points.map((point) => point.scans)));
  const step = 100 / points.length;
  const every = Math.ceil(points.length / mostTicks);
  return (
    <figure class="chart">
      <div class="plot">
        <svg
          width="100%"
          role="img"
          aria-label={`${countText(total, 'scan')} in the ${spanTexts[span]}`}
        >
          {[top, top / 2].map((value) => (
            <line key={value} class="grid" x2="100%" y1={yOf(value, top)} y2={yOf(value, top)} />
          ))}
          {points.map(({ beginMs, scans }, at) => (
            <rect
              key={beginMs}
              class={scans === 0 ? 'bar none' : 'bar'}
              x={`${round((at + (1 - barShare) / 2) * step)}%`}
              width={`${round(step * barShare)}%`}
              y={scans === 0 ? plotPx - 2 : yOf(scans, top)}
              height={scans === 0 ? 2 : round(plotPx - yOf(scans, top))}
              rx="1.5"
            >
              <title>{`${pointText(span, beginMs)}: ${countText(scans, 'scan')}`}</title>
            </rect>
          ))}
          {points.map(({ beginMs }, at) =>
            (points.length - 1 - at) % every === 0 ? (
              <text
                key={beginMs}
                class="tick"
                x={`${round((at + 0.5) * step)}%`}
                y={plotPx}
                dy="1.5em"
              >
                {tickText(span, beginMs)}
              </text>
            ) : null,
          )}
        </svg>
        <ol class="scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{numberText(value)}</li>
          ))}
        </ol>
      </div>
      {span === 'hour' && <p class="hint">Hours are those of UTC.</p>}
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Begin (UTC)</th>
              <th scope="col">Scans</th>
            </tr>
          </thead>
          <tbody>
            {points
              .filter(({ scans }) => scans > 0)
              .map(({ beginMs, scans }) => (
                <tr key={beginMs}>
                  <td>{pointText(span, beginMs)}</td>
                  <td>{numberText(scans)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const spanTexts: Record<Span, string> = {
  hour: 'last 48 hours',
  day: 'last 30 days',
  month: 'last 12 months',
};

/** An even number at the top of the scale, so that its half is whole too. */
export function niceTop(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(most, 2)));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].map((factor) => factor * magnitude);
  return steps.find((value) => value >= most && value % 2 === 0) ?? 10 * magnitude;
}

function yOf(value: number, top: number): number {
  // The line of the highest value is drawn whole.
  return round(plotPx - (value / top) * (plotPx - 1));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function format(options: Intl.DateTimeFormatOptions) {
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (ms: number) => formatter.format(ms);
}

const ticks: Record<Span, (ms: number) => string> = {
  hour: format({ hour: '2-digit', minute: '2-digit' }),
  day: format({ day: 'numeric', month: 'short' }),
  month: format({ month: 'short' }),
};

const whole: Record<Span, (ms: number) => string> = {
  hour: format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  day: format({ day: 'numeric', month: 'short', year: 'numeric' }),
  month: format({ month: 'long', year: 'numeric' }),
};

function tickText(span: Span, ms: number): string {
  return ticks[span](ms);
}

function pointText(span: Span, ms: number): string {
  return whole[span](ms);
}
