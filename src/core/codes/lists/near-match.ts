import { textLabels } from '../fields.ts';
import type { Qr } from '../qr.ts';
import { fold } from './search.ts';

/** A part of a text that is nearly what was sought. */
export interface NearMatch {
  readonly text: string;
  /** How far the two are apart: 1 for one letter that is wrong, missing, or too many, or two that are swapped. */
  readonly distance: number;
}

/** Shorter words must be the same: one other letter makes another word of them. */
const minLength = 4;
/** From this length on, a word may have two mistakes. */
const longLength = 8;
// Bounds of the work on a code.
const maxWords = 8;
const maxWordLength = 40;
const maxTextLength = 400;

/** A mistake that only the beginning of a longer word does without. */
const beginningCosts = 0.5;

/** Words of a text, folded, and where they are. */
function wordsOf(text: string) {
  return [...text.slice(0, maxTextLength).matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((found) => ({
    folded: fold(found[0]).slice(0, maxWordLength),
    from: found.index,
    to: found.index + found[0].length,
  }));
}

/**
 * Creates a search for the part of the names, notes, folders and paths of a code that is nearest to a text.
 * It is for a text that no code contains. Returns null where no part is near.
 */
export function nearMatcher(sought: string): (code: Qr) => NearMatch | null {
  const words = wordsOf(sought).map(({ folded }) => folded);
  const allowed = words.map((word) =>
    word.length < minLength ? 0 : word.length < longLength ? 1 : 2,
  );
  const isPossible =
    words.length > 0 && words.length <= maxWords && allowed.some((most) => most > 0);
  if (!isPossible) return () => null;

  const inText = (text: string): NearMatch | null => {
    const there = wordsOf(text);
    let best: NearMatch | null = null;
    for (let at = 0; at + words.length <= there.length; at++) {
      let distance = 0;
      for (const [index, word] of words.entries()) {
        distance += distanceOf(word, there[at + index]?.folded ?? '', allowed[index] ?? 0);
        if (!Number.isFinite(distance)) break;
      }
      const [first, last] = [there[at], there[at + words.length - 1]];
      if (first === undefined || last === undefined) continue;
      if (distance > 0 && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = { text: text.slice(first.from, last.to), distance };
    }
    return best;
  };
  return (code) => {
    let best: NearMatch | null = null;
    for (const name of textLabels) {
      const text = code[name];
      const found = text === null ? null : inText(text);
      if (found !== null && found.distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = found;
    }
    return best;
  };
}

/**
 * Returns the distance of a word to another one or its beginning, and Infinity if it is more than allowed.
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
 */
function distanceOf(word: string, other: string, allowed: number): number {
  if (word === other) return 0;
  if (allowed === 0 || other.length < word.length - allowed) return Number.POSITIVE_INFINITY;
  // Of a longer word, only the beginning can be near.
  const compared = other.slice(0, word.length + allowed + 1);
  let before: number[] = [];
  let previous = Array.from({ length: compared.length + 1 }, (_, column) => column);
  for (let row = 1; row <= word.length; row++) {
    const current = [row];
    for (let column = 1; column <= compared.length; column++) {
      const isSame = word[row - 1] === compared[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        word[row - 1] === compared[column - 2] &&
        word[row - 2] === compared[column - 1];
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    [before, previous] = [previous, current];
  }
  const whole =
    compared.length === other.length
      ? (previous[compared.length] ?? Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY;
  const beginning = Math.min(...previous) + beginningCosts;
  const distance = Math.min(whole, beginning);
  return distance <= allowed + beginningCosts && Math.floor(distance) <= allowed
    ? distance
    : Number.POSITIVE_INFINITY;
}
