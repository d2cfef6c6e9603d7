import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import { foldImported, foldPath } from '../../core/codes/urls/resolve.ts';

/**
 * Columns of codes that are computed from another one, which SQL cannot do.
 * The step of the schema that adds one is followed by filling it in.
 */
export const derivedColumns: readonly DerivedColumn[] = [
  {
    ...{ column: 'name_key', from: 'name', condition: 'name IS NOT NULL' },
    ...{ missing: `name_key = '${nameSortKey(null)}'`, derive: nameSortKey },
  },
  {
    ...{ column: 'folded_path', from: 'path', condition: 'path IS NOT NULL' },
    ...{ missing: 'folded_path IS NULL', derive: foldPath },
  },
  {
    ...{ column: 'folded_code', from: 'code', condition: 'design_id IS NULL' },
    ...{ missing: 'folded_code IS NULL', derive: foldImported },
  },
];

export interface DerivedColumn {
  readonly column: string;
  readonly from: string;
  /** Which codes may have a value, in SQL. */
  readonly condition: string;
  /** Which of them have none yet. */
  readonly missing: string;
  /** Null for none. */
  readonly derive: (value: string) => string | null;
}
