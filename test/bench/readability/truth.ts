/**
 * What phones make of a design, as far as the judges agree. Disputed: it depends on the phone, so that a
 * check is wrong neither way.
 */
export type Truth = 'good' | 'bad' | 'disputed' | 'unclear';

/** A scan that works three times in four feels reliable; one that works two times in five, broken. */
const goodShare = 0.75;
const badShare = 0.4;

/**
 * Returns good when at least two judges read three quarters of the shots, bad when at least two read two
 * fifths or fewer.
 *
 * @param isMisleading whether another code can be read in the design: then it is at best disputed
 */
export function truthOf(shares: readonly number[], isMisleading: boolean): Truth {
  const good = shares.filter((share) => share >= goodShare).length >= 2;
  const bad = shares.filter((share) => share <= badShare).length >= 2;
  if (good && (bad || isMisleading)) return 'disputed';
  if (good) return 'good';
  return bad ? 'bad' : 'unclear';
}

/** Error of a share of twenty shots by chance: slightly more than a standard deviation. */
const shareInDoubt = 0.13;

/** Returns whether the truth would differ if one judge's share were off by chance. */
export function isInDoubt(shares: readonly number[]): boolean {
  const truth = truthOf(shares, false);
  return [-shareInDoubt, shareInDoubt].some((off) =>
    shares.some((share, judge) => truthOf(shares.with(judge, share + off), false) !== truth),
  );
}

/** Returns how a check is wrong about a design, or null. */
export function errorOf(truth: Truth, accepts: boolean): 'false-accept' | 'false-refusal' | null {
  if (truth === 'bad' && accepts) return 'false-accept';
  if (truth === 'good' && !accepts) return 'false-refusal';
  return null;
}
