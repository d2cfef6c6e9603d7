/**
 * What phones make of a design, as far as the judges agree. Disputed: some read it well and some do not,
 * so that it depends on the phone, and neither accepting nor withFileErrors it is plainly wrong.
 */
export type Truth = 'good' | 'bad' | 'disputed' | 'unclear';

/** A scan that works three times in four feels reliable; one that works two times in five feels broken. */
const goodShare = 0.75;
const badShare = 0.4;

/**
 * Good when at least two judges read three quarters of the shots, bad when at least two read two fifths
 * or fewer. A design in which another code can be read as well is at best disputed, because every shot
 * of it may open the wrong address from closer up.
 */
export function truthOf(shares: readonly number[], misleads: boolean): Truth {
  const good = shares.filter((share) => share >= goodShare).length >= 2;
  const bad = shares.filter((share) => share <= badShare).length >= 2;
  if (good && (bad || misleads)) return 'disputed';
  if (good) return 'good';
  return bad ? 'bad' : 'unclear';
}

/** What chance alone makes of a share of twenty shots: one standard deviation, and a little. */
const shareInDoubt = 0.13;

/** Whether the truth would be another if one judge's share were off by what chance makes of twenty shots. */
export function isInDoubt(shares: readonly number[]): boolean {
  const truth = truthOf(shares, false);
  return [-shareInDoubt, shareInDoubt].some((off) =>
    shares.some((share, judge) => truthOf(shares.with(judge, share + off), false) !== truth),
  );
}

export type GateError = 'false-accept' | 'false-refusal';

/** Whether a gate is wrong about a design. Where the truth is not clear it cannot be. */
export function errorOf(truth: Truth, accepts: boolean): GateError | null {
  if (truth === 'bad' && accepts) return 'false-accept';
  if (truth === 'good' && !accepts) return 'false-refusal';
  return null;
}
