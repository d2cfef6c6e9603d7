import type { BulkEditChange } from '../core/batches/bulk-edit.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Says what a bulk edit has done to some codes: `40 codes paused`. Long addresses of it are shortened before. */
export function bulkEditText(
  change: BulkEditChange,
  codes: number,
  { bulkEdit: t }: Pick<Texts, 'bulkEdit'>,
): string {
  switch (change.kind) {
    case 'folder': {
      const { folder } = change;
      return folder === null ? t.movedOut({ codes }) : t.movedTo({ codes, folder });
    }
    case 'replace': {
      const { replaced, replacement } = change;
      return replaced === null
        ? t.leadTo({ codes, destination: replacement })
        : t.replacedIn({ codes, replaced, replacement });
    }
    case 'pause':
      return t.paused({ codes });
    case 'resume':
      return t.resumed({ codes });
    case 'archive':
      return t.archived({ codes });
    case 'unarchive':
      return t.unarchived({ codes });
    case 'query-on':
      return t.queryOn({ codes });
    case 'query-off':
      return t.queryOff({ codes });
  }
}
