/**
 * Kinds of hits on a short link. A scan is a GET that a person's device made to follow the link. All
 * other kinds are counted separately: they are redirected too, but for `warning`, which is a GET of a person's device
 * that got the warning page instead.
 * Their order is stored.
 */
export const hitKinds = ['scan', 'head', 'prefetch', 'preview', 'crawler', 'warning'] as const;
export type HitKind = (typeof hitKinds)[number];
/** Kinds that `classifyHit` finds in a request. */
export type RequestKind = Exclude<HitKind, 'warning'>;
/** Kinds that are not counted in `scans`. The panel shows them. */
export type UncountedKind = Exclude<HitKind, 'scan'>;
