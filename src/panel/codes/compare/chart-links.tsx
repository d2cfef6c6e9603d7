/** @jsxImportSource preact */
import { Link } from '../../ui/page-context.tsx';
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
  return (
    <nav class="links" aria-label="This chart">
      <Link to={comparePath([subject], fields, '/add')}>Compare…</Link>
      <Link to={comparePath([subject], fields, '.csv')} download>
        Export by day
      </Link>
    </nav>
  );
}
