import { options } from '../../config.ts';

/** A variable that looks like a setting and is none, so that it has no effect. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting that its name is nearest to; null where none is near. */
  readonly nearest: string | null;
}

const prefix = 'WAYMARK_';
const known: readonly string[] = Object.values(options).map(({ name }) => name);

// A letter more or less, another one, or two that changed places.
const slipEdits = 2;

// Two of them leave one of three parts of the prefix as it is. To compare every name of an environment letter
// by letter, in code that has never run, would make up a third of a start.
const partsOfPrefix = ['WAY', 'MAR', 'K_'] as const;

/**
 * The variables that someone probably took for settings: all that begin as settings do, in whichever
 * case, and all that are a slip away from one.
 *
 * @param environment names and values; only the names count
 */
export function unknownSettings(environment: object): UnknownSetting[] {
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && isAlike(name))
    .map((name) => ({ name, nearest: nearestTo(name) }))
    .filter(({ name, nearest }) => nearest !== null || name.toUpperCase().startsWith(prefix));
}

/** In one line, for people. */
export function inWords({ name, nearest }: UnknownSetting): string {
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  return `${name} is not a setting of Waymark and has no effect${hint}`;
}

function isAlike(name: string): boolean {
  const upper = name.toUpperCase();
  return partsOfPrefix.some((part) => upper.includes(part));
}

function nearestTo(name: string): string | null {
  const upper = name.toUpperCase();
  // Of what follows the prefix, half may differ; any more, and the hint would be a guess.
  const mostEdits = upper.startsWith(prefix)
    ? Math.floor((upper.length - prefix.length) / 2)
    : slipEdits;
  let nearest: string | null = null;
  let fewest = mostEdits + 1;
  for (const candidate of known) {
    // Cheaper than to count, and no count is less.
    if (Math.abs(candidate.length - upper.length) >= fewest) continue;
    const edits = editsBetween(upper, candidate);
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** How many letters have to be put in, taken out or replaced to make one word of another (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, edits) => edits);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++)
      next.push(
        Math.min(
          (next[at] ?? 0) + 1,
          (row[at + 1] ?? 0) + 1,
          (row[at] ?? 0) + (letter === to[at] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
