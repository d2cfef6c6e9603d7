/** @jsxImportSource preact */

import type { QrInsight } from '../../core/codes/insight.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { type Span, spans } from '../../core/scans/series.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { Fact, RelativeTime } from '../ui/components.tsx';
import { Link } from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';
import { ScanChart, spanTexts } from './scan-chart.tsx';

interface ScansProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly span: Span;
}

/** The scans of a code over time, and the hits that were not counted. */
export function CodeScans({ qr, insight, span }: ScansProps) {
  const { uncounted } = insight;
  return (
    <section class="card pad stack tight" id="scans">
      <div class="row between">
        <h2>Scans</h2>
        <nav class="segmented" aria-label="Unit of time of the chart">
          {spans.map((one) => (
            <Link
              key={one}
              to={`${codePath(qr.code)}?by=${one}#scans`}
              aria-current={one === span ? 'true' : undefined}
            >
              {spanTexts[one].name}
            </Link>
          ))}
        </nav>
      </div>
      {qr.scans === 0 ? (
        <p class="hint">No scans yet. After a scan, reload the page to see it here.</p>
      ) : (
        <>
          <p>
            <b>{formatCount(qr.scans, 'scan')}</b> in total
            {qr.lastScanMs !== null && [
              ' · last scan ',
              <RelativeTime key="last" ms={qr.lastScanMs} />,
            ]}
          </p>
          <ScanChart span={span} points={insight.series} />
        </>
      )}
      <h3>Not counted</h3>
      <dl class="facts">
        <Fact name="Link previews">{formatNumber(uncounted.preview)}</Fact>
        <Fact name="Prefetches">{formatNumber(uncounted.prefetch)}</Fact>
        <Fact name="Crawlers">{formatNumber(uncounted.crawler)}</Fact>
        <Fact name="HEAD requests">{formatNumber(uncounted.head)}</Fact>
      </dl>
    </section>
  );
}
