import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import { foldImported, foldPath } from '../../core/codes/urls/resolve.ts';

/**
 * Columns of codes that are computed from another one, which SQL cannot do.
 * The step of the schema that adds one is followed by filling it in.
 */
export const derivedColumns: readonly {
  readonly column: string;
  readonly from: string;
  /** Which codes may have a value, in SQL. */
  readonly condition: string;
  /** Null for none. */
  readonly derive: (value: string) => string | null;
}[] = [
  { column: 'name_key', from: 'name', condition: 'name IS NOT NULL', derive: nameSortKey },
  { column: 'folded_path', from: 'path', condition: 'path IS NOT NULL', derive: foldPath },
  { column: 'folded_code', from: 'code', condition: 'design_id IS NULL', derive: foldImported },
];
