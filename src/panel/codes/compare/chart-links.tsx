/** @jsxImportSource preact */
import { Link, useTexts } from '../../ui/page-context.tsx';
import type { ChartPeriod } from '../scans/chart-period.tsx';
import { type ComparedKey, comparePath, periodFields } from './compared.ts';

interface ChartLinksProps {
  /** What the chart is of. */
  readonly subject: ComparedKey;
  readonly period: ChartPeriod;
}

/** Renders what else can be done with the numbers of a chart. */
export function ChartLinks({ subject, period }: ChartLinksProps) {
  const fields = periodFields(period);
  const t = useTexts().compare;
  return (
    <nav class="links" aria-label={t.thisChart}>
      <Link to={comparePath([subject], fields, '/add')}>{t.compareMenu}</Link>
      <Link to={comparePath([subject], fields, '.csv')} download>
        {t.exportByDay}
      </Link>
    </nav>
  );
}
