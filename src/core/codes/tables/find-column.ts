import { columnLetters } from '../../../lib/spreadsheet/cells.ts';
import { shorten } from '../../../lib/text/shorten.ts';
import { Refused } from '../../errors.ts';
import { listed } from './file-reasons.ts';

/**
 * Returns the position of a column that somebody named by its header, number or letter.
 *
 * @throws Refused when there is none, or several have the header
 */
export function findColumn(names: readonly string[], of: number | string): number {
  if (typeof of === 'number') return of;
  const wanted = of.trim().toLowerCase();
  const letters = names.map((_, column) => columnLetters(column));
  const isWanted = (name: string) => name !== '' && name.toLowerCase() === wanted;
  if (names.filter(isWanted).length > 1)
    throw new Refused({ kind: 'several such columns', column: shorten(of) });
  const byHeader = names.findIndex(isWanted);
  const byLetter = letters.findIndex((letter) => letter.toLowerCase() === wanted);
  const byNumber = names.findIndex((_, column) => String(column + 1) === wanted);
  const found = [byHeader, byLetter, byNumber].find((column) => column !== -1);
  if (found !== undefined) return found;
  throw new Refused({
    kind: 'no such column',
    column: shorten(of),
    columns: listed(
      names.map((name, column) => shorten(name || (letters[column] ?? ''))),
      maxNamedColumns,
    ),
  });
}

const maxNamedColumns = 20;
