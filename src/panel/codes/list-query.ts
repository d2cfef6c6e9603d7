import { type CodeFilter, type CodeSort, codeSorts } from '../../core/codes/ports.ts';
import { qrStatuses } from '../../core/codes/qr.ts';

const quietMs = 30 * 86_400_000;

/** What the query of the list selects, and in which order. */
export interface ListQuery {
  readonly filter: CodeFilter;
  readonly sort: CodeSort;
  readonly title: string;
}

/**
 * Reads the query of the list: `folder` (`none`, or `in:` and a name), `status` (or `flagged`), `design` (an id),
 * `scans` (`never` or `quiet`), `archived=yes` and `sort`. What it does not know is left out.
 */
export function readListQuery({ searchParams }: URL, nowMs: number): ListQuery {
  const get = (name: string) => searchParams.get(name) ?? '';
  const folder = get('folder');
  const status = qrStatuses.find((one) => one === get('status'));
  const design = get('design');
  const scans = get('scans');
  const isArchived = get('archived') === 'yes';
  const isNever = scans === 'never';
  const isQuiet = scans === 'quiet';
  return {
    filter: {
      ...(folder === 'none' && { folder: null }),
      ...(folder.startsWith('in:') && { folder: folder.slice('in:'.length) }),
      ...(status !== undefined && { status }),
      ...(get('status') === 'flagged' && { isFlagged: true }),
      ...(/^\d{1,15}$/.test(design) && { designId: Number(design) }),
      ...(isNever && { isNeverScanned: true }),
      ...(isQuiet && { quietSinceMs: nowMs - quietMs }),
      ...(isArchived && { isArchived }),
    },
    sort: codeSorts.find((one) => one === get('sort')) ?? 'newest',
    title: isNever
      ? 'Never scanned'
      : isQuiet
        ? 'Not scanned for 30 days'
        : isArchived
          ? 'Archived codes'
          : folder.startsWith('in:')
            ? folder.slice('in:'.length)
            : 'Codes',
  };
}
