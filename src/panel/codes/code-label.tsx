/** @jsxImportSource preact */
import type { Qr } from '../../core/codes/qr.ts';
import { escapeBidiMarks } from '../ui/formatting.ts';
import { Link } from '../ui/page-context.tsx';

/** Returns the path of a code's page. */
export function codePath(code: string): string {
  return `/account/codes/${encodeURIComponent(code)}`;
}

/** A link to a code's page, with the labels of its status. */
export function CodeLink({ qr }: { qr: Qr }) {
  return (
    <Link to={codePath(qr.code)}>
      <span class="code-name">{qr.code}</span>
      <CodeTags qr={qr} />
    </Link>
  );
}

/** The labels of a code that does not redirect or is flagged, separated for screen readers. */
export function CodeTags({ qr: { status, flag } }: { qr: Pick<Qr, 'status' | 'flag'> }) {
  return (
    <>
      {status !== 'active' && [
        ' ',
        <span class={`tag ${status === 'blocked' ? 'bad' : 'warning'}`}>{status}</span>,
      ]}
      {flag !== null && [' ', <span class="tag bad">flagged</span>]}
    </>
  );
}

/** The destination of a code in one line, without its scheme. */
export function CodeDestination({ destination }: Pick<Qr, 'destination'>) {
  const url = escapeBidiMarks(destination);
  return (
    <span class="code-destination" title={url}>
      {url.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
    </span>
  );
}
