/** @jsxImportSource preact */
import type { QrStatus } from '../../core/codes/qr.ts';

/** What stops a code, behind its name. The spaces keep the words apart for those who hear them. */
export function CodeTags({ status, flagged }: { status: QrStatus; flagged: boolean }) {
  return (
    <>
      {status !== 'active' && (
        <>
          {' '}
          <span class={`tag ${status}`}>{status}</span>
        </>
      )}
      {flagged && (
        <>
          {' '}
          <span class="tag blocked">flagged</span>
        </>
      )}
    </>
  );
}
