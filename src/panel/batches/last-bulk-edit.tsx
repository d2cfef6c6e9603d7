/** @jsxImportSource preact */
import type { BulkEdit, BulkEditChange } from '../../core/batches/bulk-edit.ts';
import { formatCount } from '../../lib/numbers.ts';
import { RelativeTime } from '../ui/components.tsx';
import { formatDestination, formatUrl } from '../ui/formatting.ts';
import { Form, HiddenFields, Submit, useHasActivePlan } from '../ui/page-context.tsx';

interface LastBulkEditProps {
  readonly edit: BulkEdit | null;
  /** Path of the list to go back to. */
  readonly list: string;
}

/** The last bulk edit, with its undo while nothing else changed its codes. */
export function LastBulkEdit({ edit, list }: LastBulkEditProps) {
  const hasActivePlan = useHasActivePlan();
  if (edit === null || edit.changedSince > 0) return null;
  const { change, codes, atMs } = edit;
  return (
    <Form to="/account/selection/undo" class="last-edit">
      <HiddenFields values={{ list }} />
      <span class="small soft">
        Last bulk edit, <RelativeTime ms={atMs} />: {describeEdit(change, codes)}.
      </span>
      {(hasActivePlan || change.kind !== 'replace') && (
        <Submit class="button small" icon="undo">
          Undo
        </Submit>
      )}
    </Form>
  );
}

/** Describes a bulk edit: `40 codes paused`. */
export function describeEdit(change: BulkEditChange, codes: number): string {
  const changed = formatCount(codes, 'code');
  if (change.kind === 'folder')
    return change.folder === null
      ? `${changed} moved out of ${codes === 1 ? 'its folder' : 'their folders'}`
      : `${changed} moved to ${change.folder}`;
  if (change.kind !== 'replace') return `${changed} ${change.kind}d`;
  const { replaced, replacement } = change;
  return replaced === null
    ? `${formatCount(codes, 'code now leads', 'codes now lead')} to ${formatUrl(formatDestination(replacement))}`
    : `“${formatUrl(replaced)}” became “${formatUrl(replacement)}” in ${changed}`;
}
