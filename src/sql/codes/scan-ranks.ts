// Every scan would write an index entry, as slowly as a row. So the index of the order by scans has a rank, which
// is behind the scans of a code by at most eight and a sixty-fourth.

/** Returns the most scans of a code with a rank, in SQL. */
export function mostScans(rank: string): string {
  return `(${rank} + ${rank} / 64 + 8)`;
}

/** Returns the lowest rank of a code with at least a number of scans. */
export function lowestRank(scans: number): number {
  return Math.max(0, Math.floor(((scans - 8) * 64) / 65));
}
