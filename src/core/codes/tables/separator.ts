import { detectDelimiter, splitCsvRow } from '../../../lib/csv.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { isAddress } from './cell-address.ts';
import { textCell } from './rows.ts';

/** What separates the cells of a line. `none`: each line is one cell. */
export const separators = { comma: ',', semicolon: ';', tab: '\t', none: '\n' } as const;
export type Separator = keyof typeof separators;

// The cast is safe: these are the keys of the constant.
export const separatorNames = Object.keys(separators) as readonly Separator[];

export interface FoundSeparator {
  readonly separator: Separator;
  /** Whether another one may be meant, so that somebody has to choose. */
  readonly isOpen: boolean;
}

/**
 * Returns the separator of lines: the one that makes the first line a header, or that alone splits them all alike.
 *
 * @param isHeader whether a cell is a header that is known
 */
export function separatorOf(
  lines: readonly string[],
  isHeader: (cell: string) => boolean,
): FoundSeparator {
  const cellsOf = (line: string, separator: Separator) =>
    splitCsvRow(line, separators[separator])?.map(trimInvisible) ?? [];
  const splitting = splitters.filter((separator) =>
    lines.some((line) => cellsOf(line, separator).length > 1),
  );
  const [first = ''] = lines;
  const [only] = splitting;
  if (only === undefined) return { separator: 'none', isOpen: false };
  const [named, ...otherNamed] = splitting.filter((separator) => {
    const cells = cellsOf(first, separator);
    return cells.length > 1 && cells.some(isHeader);
  });
  if (named !== undefined && otherNamed.length === 0) return { separator: named, isOpen: false };
  const isOneCell = splitting.every((separator) => cellsOf(first, separator).length === 1);
  if (isOneCell && isHeader(cellsOf(first, 'none')[0] ?? ''))
    return { separator: 'none', isOpen: false };
  // Each line may be an address that has commas, or an address and a name behind it.
  const isLine = (line: string) => isAddress(textCell(trimInvisible(line)));
  const isList = lines.slice(isOneCell ? 1 : 0).every(isLine) && !splitting.includes('tab');
  if (isList) return { separator: only, isOpen: true };
  if (splitting.length === 1) return { separator: only, isOpen: false };
  const [even, ...otherEven] = splitting.filter((separator) => {
    const widths = new Set(lines.map((line) => cellsOf(line, separator).length));
    return widths.size === 1;
  });
  if (even !== undefined && otherEven.length === 0) return { separator: even, isOpen: false };
  const likely = detectDelimiter(lines);
  return {
    separator: splitting.find((separator) => separators[separator] === likely) ?? only,
    isOpen: true,
  };
}

const splitters = ['comma', 'semicolon', 'tab'] as const satisfies readonly Separator[];
