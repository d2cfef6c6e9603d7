import { type LabelName, labelFields, labelNames, mapLabels } from '../codes/fields.ts';
import {
  headerKey,
  headerKeys,
  headerWords,
  innerWords,
  keysOfWords,
} from '../codes/imports/header-words.ts';

export type Column = LabelName | 'destination';
/** Positions of the columns from 0; -1 for those that a table lacks. */
export type Columns = Readonly<Record<Column, number>>;

// Longer texts are no headers.
export const maxHeaderLength = 60;

const columnByKey: ReadonlyMap<string, readonly [Column, number]> = new Map(
  [
    ...headerWords.destination.map((word, rank) => ['destination', word, rank] as const),
    ...labelNames.flatMap((name) =>
      labelFields[name].headers.map((word, rank) => [name, word, rank] as const),
    ),
  ]
    .reverse()
    .map(([column, word, rank]) => [headerKey(word), [column, rank]]),
);

/** Returns the column that a whole header names, and how preferred its word is: 0 is best. */
function wholeMatch(header: string): readonly [Column, number] | null {
  // A formula may begin with a word of a header.
  if (header.length > maxHeaderLength || header.startsWith('=')) return null;
  for (const key of headerKeys(header)) {
    const found = columnByKey.get(key);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Returns the columns that the whole headers name.
 * Of several for one column, the preferred word counts.
 */
export function wholeColumns(headers: readonly string[]): Columns {
  const columns: Record<Column, number> = { ...mapLabels(() => -1), destination: -1 };
  const ranks: Partial<Record<Column, number>> = {};
  for (const [at, header] of headers.entries()) {
    const [column, rank] = wholeMatch(header) ?? [];
    if (column === undefined || rank === undefined || rank >= (ranks[column] ?? Infinity)) continue;
    columns[column] = at;
    ranks[column] = rank;
  }
  return columns;
}

type InnerWord = keyof typeof innerWords;

const innerKeys = new Map(
  Object.entries(innerWords).map(([kind, words]) => [kind, new Set(words.map(headerKey))]),
);

// Languages without spaces join words, and compounds of German end with theirs.
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u;
const compoundEnds = ['url', 'link', 'lank', 'seite', 'bild', 'foto'];
// What is before the end says more: `imageurl`, `Bildlänk`, `Afbeeldingslink`.
const linkEnd = /s?(?:url|link|lank|adresse?)$/;

/** Returns whether a part of a header is a word of the kind. */
export function hasInnerWord(header: string, kind: InnerWord): boolean {
  const keys = innerKeys.get(kind);
  if (keys === undefined || header.length > maxHeaderLength) return false;
  return keysOfWords(header).some(
    (word) =>
      keys.has(word) ||
      keys.has(word.replace(linkEnd, '')) ||
      (unspaced.test(word) &&
        keys.values().some((key) => unspaced.test(key) && word.includes(key))) ||
      compoundEnds.some((end) => keys.has(end) && word.endsWith(end)),
  );
}

/** Returns the label that a part of a header names, or null. */
export function innerLabel(header: string): LabelName | null {
  return labelNames.find((label) => hasInnerWord(header, label)) ?? null;
}

/** How well a header fits the column of the destinations. Higher is better. */
export const fit = { label: -1, hardly: 0, unknown: 1, part: 2, whole: 3, target: 4 } as const;
export type Fit = (typeof fit)[keyof typeof fit];

/** Returns how well a header fits the column of the destinations. */
export function fitOf(header: string): Fit {
  const [column] = wholeMatch(header) ?? [];
  if (column !== undefined && column !== 'destination') return fit.label;
  if (hasInnerWord(header, 'picture') || hasInnerWord(header, 'former')) return fit.hardly;
  if (hasInnerWord(header, 'target')) return fit.target;
  // "QR link" may be where the code leads, and where its picture is.
  if (column === 'destination') return keysOfWords(header)[0] === 'qr' ? fit.part : fit.whole;
  if (innerLabel(header) !== null) return fit.label;
  return hasInnerWord(header, 'destination') ? fit.part : fit.unknown;
}
