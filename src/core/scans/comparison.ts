/** Scans of something that is compared: a code, or the codes of a folder. */
export interface ComparedScans {
  readonly name: string;
  readonly scans: number;
}

/** What a comparison shows, for a sentence. */
export type ComparisonResult =
  | { readonly kind: 'none was scanned' }
  | { readonly kind: 'one was scanned'; readonly first: string }
  | { readonly kind: 'equal'; readonly first: string; readonly second: string }
  | {
      readonly kind: 'more';
      readonly first: string;
      readonly second: string;
      /** Scans of the first divided by those of the second: more than 1. */
      readonly ratio: number;
    };

/** Compares the one with the most scans with the next one. */
export function resultOf(compared: readonly ComparedScans[]): ComparisonResult {
  const [first, second] = compared.toSorted((one, other) => other.scans - one.scans);
  if (first === undefined || second === undefined || first.scans === 0)
    return { kind: 'none was scanned' };
  if (second.scans === 0) return { kind: 'one was scanned', first: first.name };
  const names = { first: first.name, second: second.name };
  return first.scans === second.scans
    ? { kind: 'equal', ...names }
    : { kind: 'more', ...names, ratio: first.scans / second.scans };
}
