/** @jsxImportSource preact */
import type { BulkEdit } from '../../core/batches/bulk-edit.ts';
import { formatCount } from '../../lib/numbers.ts';
import { RelativeTime } from '../ui/components.tsx';
import { formatUrl } from '../ui/formatting.ts';
import { Form, useHasActivePlan, useRequest } from '../ui/page-context.tsx';

interface LastBulkEditProps {
  readonly edit: BulkEdit | null;
  /** An older edit is not shown. */
  readonly maxAgeMs: number;
}

/** The last bulk edit, with its undo while nothing else changed its codes. */
export function LastBulkEdit({ edit, maxAgeMs }: LastBulkEditProps) {
  const { nowMs } = useRequest();
  const hasActivePlan = useHasActivePlan();
  if (edit === null || edit.changedSince > 0 || nowMs - edit.atMs > maxAgeMs) return null;
  return (
    <Form to="/account/selection/undo" class="card pad row between">
      <span>
        Last bulk edit, <RelativeTime ms={edit.atMs} />: {describeEdit(edit)}.
      </span>
      {(hasActivePlan || edit.change.kind !== 'replace') && (
        <button type="submit" class="button">
          Undo
        </button>
      )}
    </Form>
  );
}

/** Describes a bulk edit: `40 codes paused`. */
function describeEdit({ change, codes }: BulkEdit): string {
  const changed = formatCount(codes, 'code');
  if (change.kind === 'folder')
    return change.folder === null
      ? `${changed} moved out of their folders`
      : `${changed} moved to “${change.folder}”`;
  if (change.kind !== 'replace') return `${changed} ${change.kind}d`;
  return `in ${changed}, “${formatUrl(change.replaced)}” became “${formatUrl(change.replacement)}”`;
}
