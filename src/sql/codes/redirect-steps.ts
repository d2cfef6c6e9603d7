import { parseCode, parseCodeNumber } from '../../core/codes/code.ts';

/** A step of the redirects that the database keeps. */
export interface RedirectStep {
  readonly version: number;
  /** The codes whose redirect changed; null for all. */
  readonly codes: readonly string[] | null;
}

/**
 * Returns the codes whose redirect may have changed since a version; null for all.
 *
 * @param since the version that the targets in memory belong to; null when there are none
 * @param steps the kept steps from that version on, which is the first if it is still kept
 * @param version the current one
 */
export function changedCodes(
  since: number | null,
  steps: readonly RedirectStep[],
  version: number,
): readonly string[] | null {
  // Otherwise the version is too old, was lost in a failover, or was changed by hand.
  if (steps[0]?.version !== since || steps.at(-1)?.version !== version) return null;
  const changed: string[] = [];
  for (const { codes } of steps.slice(1)) {
    if (codes === null) return null;
    changed.push(...codes);
  }
  return changed;
}

/**
 * Returns the keys under which a target may be cached.
 * The path of an imported link may look like a code.
 */
export function keysOfCode(code: string): (number | string)[] {
  const number = parseCodeNumber(code, 0, code.length);
  return number === null ? [code] : [number, code];
}

/** Returns the key under which the short link of a stored code is looked up. */
export function keyOfCode(code: string): number | string {
  return parseCode(code) === code ? (parseCodeNumber(code, 0, code.length) ?? code) : code;
}
