/** @jsxImportSource preact */

import type { QrInsight } from '../../../core/codes/insight.ts';
import type { Qr } from '../../../core/codes/qr.ts';
import { formatCount, formatNumber } from '../../../lib/numbers.ts';
import { Facts, RelativeTime } from '../../ui/components.tsx';
import { useTexts } from '../../ui/page-context.tsx';
import { warnedSentence } from '../../ui/sentences/scans.ts';
import { ChartLinks } from '../compare/chart-links.tsx';
import { type ChartPeriod, PeriodPicker, periodTitle } from './chart-period.tsx';
import { Change, ScanChart } from './scan-chart.tsx';

interface ScansProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly period: ChartPeriod;
}

/** Renders the scans of a code over time, and the hits that were not counted. */
export function CodeScans({ qr, insight, period }: ScansProps) {
  const { series, uncounted } = insight;
  const warned = uncounted.warning > 0 && (
    <p class="small soft">{warnedSentence(uncounted.warning)}</p>
  );
  if (qr.scans === 0)
    return (
      <section class="card pad stack tight scans" id="scans" aria-label="Scans">
        <p>{qr.status === 'active' ? 'No scans yet. Test it with your phone.' : 'No scans yet.'}</p>
        {warned}
      </section>
    );
  const all = uncounted.preview + uncounted.prefetch + uncounted.crawler + uncounted.head;
  return (
    <section class="card pad stack tight scans" id="scans" aria-label="Scans">
      <h2 class="hidden">Scans</h2>
      <div class="row between">
        <div class="facts">
          <div class="stat">
            <span class="label">{periodTitle(period, useTexts())}</span>
            <div class="figure">{formatNumber(insight.period.scans)}</div>
            <Change {...insight.period} />
          </div>
          <div class="stat">
            <span class="label">All time</span>
            <div class="figure">{formatNumber(qr.scans)}</div>
            {qr.lastScanMs !== null && (
              <span class="small soft">
                last scan <RelativeTime ms={qr.lastScanMs} />
              </span>
            )}
          </div>
        </div>
        <PeriodPicker period={period} />
      </div>
      <ScanChart range={period.range} points={series} plotPx={154}>
        <ChartLinks subject={{ code: qr.code }} period={period} />
      </ScanChart>
      {warned}
      {all > 0 && (
        <details>
          <summary>
            {formatCount(all, 'preview or bot was', 'previews and bots were')} not counted
          </summary>
          <Facts
            of={{
              'Link previews': formatNumber(uncounted.preview),
              Prefetches: formatNumber(uncounted.prefetch),
              Crawlers: formatNumber(uncounted.crawler),
              'HEAD requests': formatNumber(uncounted.head),
            }}
          />
        </details>
      )}
    </section>
  );
}
