/** @jsxImportSource preact */

import type { QrInsight } from '../../../core/codes/insight.ts';
import type { Qr } from '../../../core/codes/qr.ts';
import { Facts, RelativeTime } from '../../ui/components.tsx';
import { useTexts } from '../../ui/page-context.tsx';
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
  const texts = useTexts();
  const { scans: t, formats } = texts;
  const warned = uncounted.warning > 0 && (
    <p class="small soft">{t.sawWarning({ people: uncounted.warning })}</p>
  );
  if (qr.scans === 0)
    return (
      <section class="card pad stack tight scans" id="scans" aria-label={t.title}>
        <p>{qr.status === 'active' ? t.noneYetTest : t.noneYet}</p>
        {warned}
      </section>
    );
  const all = uncounted.preview + uncounted.prefetch + uncounted.crawler + uncounted.head;
  return (
    <section class="card pad stack tight scans" id="scans" aria-label={t.title}>
      <h2 class="hidden">{t.title}</h2>
      <div class="row between">
        <div class="facts">
          <div class="stat">
            <span class="label">{periodTitle(period, texts)}</span>
            <div class="figure">{formats.number(insight.period.scans)}</div>
            <Change {...insight.period} />
          </div>
          <div class="stat">
            <span class="label">{t.allTime}</span>
            <div class="figure">{formats.number(qr.scans)}</div>
            {qr.lastScanMs !== null && (
              <span class="small soft">
                {t.last({ when: <RelativeTime ms={qr.lastScanMs} /> })}
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
          <summary>{t.notCounted({ hits: all })}</summary>
          <Facts
            of={{
              [t.linkPreviews]: formats.number(uncounted.preview),
              [t.prefetches]: formats.number(uncounted.prefetch),
              [t.crawlers]: formats.number(uncounted.crawler),
              [t.headRequests]: formats.number(uncounted.head),
            }}
          />
        </details>
      )}
    </section>
  );
}
