/** @jsxImportSource preact */
import type { QrInsight } from '../../core/codes/insight.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { type Span, spans } from '../../core/scans/series.ts';
import { Chart } from '../ui/chart.tsx';
import { numberText } from '../ui/formatting.ts';
import { Ago } from '../ui/moment.tsx';
import { Link } from '../ui/parts.tsx';

interface ScansProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly span: Span;
  readonly nowMs: number;
}

const spanNames: Record<Span, string> = { hour: 'Hours', day: 'Days', month: 'Months' };

/** The scans of a code over time, and what was not counted. */
export function Scans({ qr, insight, span, nowMs }: ScansProps) {
  const { uncounted } = insight;
  return (
    <section class="card" id="scans">
      <div class="title-row">
        <h2>Scans</h2>
        <nav class="switch" aria-label="Time span of the chart">
          {spans.map((one) => (
            <Link
              key={one}
              // To where it is read: the top of the page is a screen away on a phone.
              to={`/account/codes/${qr.code}?by=${one}#scans`}
              aria-current={one === span ? 'true' : undefined}
            >
              {spanNames[one]}
            </Link>
          ))}
        </nav>
      </div>
      <p class="figure">
        <b>{numberText(qr.scans)}</b> {qr.scans === 1 ? 'scan' : 'scans'} in all
        {qr.lastScanMs !== null && (
          <>
            {' · '}last scan <Ago ms={qr.lastScanMs} nowMs={nowMs} />
          </>
        )}
      </p>
      {qr.scans === 0 ? (
        <p class="hint">Nobody has scanned it yet. After a scan, reload the page to see it here.</p>
      ) : (
        <Chart span={span} points={insight.series} />
      )}
      <h3>Not counted</h3>
      <dl class="facts small">
        <Fact name="Link previews" value={uncounted.preview} />
        <Fact name="Prefetches" value={uncounted.prefetch} />
        <Fact name="Crawlers" value={uncounted.crawler} />
        <Fact name="HEAD requests" value={uncounted.head} />
      </dl>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{numberText(value)}</dd>
    </div>
  );
}
