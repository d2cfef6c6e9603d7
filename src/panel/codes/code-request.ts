import type { QrStatus } from '../../core/codes/qr.ts';
import { type Span, spans } from '../../core/scans/series.ts';

/** What the chart shows where nothing else is asked for. */
const usualSpan: Span = 'day';

/** The span of the chart that the address of a code's page asks for. */
export function spanOf(url: URL): Span {
  return spans.find((span) => span === url.searchParams.get('by')) ?? usualSpan;
}

/**
 * Path of a code's page or of what is sent from it, so that the chart stays as it is.
 *
 * @param done what the page has to say, see {@link doneText}
 */
export function pathOfCode(path: string, span: Span, done?: string): string {
  const query = new URLSearchParams();
  if (done !== undefined) query.set('done', done);
  if (span !== usualSpan) query.set('by', span);
  return `/account/codes/${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** What a code's page says was done; null where nothing was. */
export function doneText(done: string | null, status: QrStatus): string | null {
  if (done === 'destination') return destinationTexts[status];
  return doneTexts[done ?? ''] ?? null;
}

const doneTexts: Readonly<Record<string, string>> = {
  created: 'Your code is ready. Download it below.',
  paused: 'The code is paused.',
  resumed: 'The code redirects again.',
};

const destinationTexts: Readonly<Record<QrStatus, string>> = {
  active: 'The code leads there from now on.',
  paused: 'The code leads there once it is resumed.',
  blocked: 'The code leads there once the operator no longer blocks it.',
};
