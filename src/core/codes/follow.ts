import type { Clock, LinkTarget, LinkTargetStore, ScanLog } from '../ports.ts';
import type { HitKind } from '../scans/hit.ts';

/** Where a short link leads: to a `Location`, to a closed door, or nowhere. */
export type LinkOutcome =
  | { readonly to: 'destination'; readonly location: string }
  | { readonly to: 'warning'; readonly location: string; readonly list: string }
  | { readonly to: 'closed'; readonly status: 'paused' | 'blocked' }
  | { readonly to: 'nothing' };

/** A hit on a short link, and where it leads, which nobody is told before the hit is recorded. */
export interface FollowedLink {
  readonly followed: LinkOutcome;
  /** As `ScanLog` records it; null when there is nothing to record. */
  readonly recorded: ReturnType<ScanLog['record']> | null;
}

export type LinkFollower = ReturnType<typeof createLinkFollower>;

/**
 * Follows short links. Neither plan nor key of the account is asked: a printed code goes on
 * redirecting whatever happens to them.
 */
export function createLinkFollower(world: {
  links: LinkTargetStore;
  scans: ScanLog;
  clock: Clock;
  /** Warn of a destination that was flagged after it was accepted, instead of redirecting. */
  warnOfFlagged: boolean;
}) {
  const { links, scans, clock, warnOfFlagged } = world;

  const hit = (target: LinkTarget | null, kind: HitKind): FollowedLink => {
    if (target === null) return { followed: { to: 'nothing' }, recorded: null };
    const { qrId, status, location, flaggedBy: list } = target;
    if (status !== 'active') return { followed: { to: 'closed', status }, recorded: null };
    const followed: LinkOutcome =
      list !== null && warnOfFlagged
        ? { to: 'warning', location, list }
        : { to: 'destination', location };
    return { followed, recorded: scans.record(qrId, kind, clock.nowMs()) };
  };

  return {
    /** Follows a short link by the number of its code; without a promise where it is at hand. */
    follow: (code: number, kind: HitKind): FollowedLink | Promise<FollowedLink> => {
      const found = links.find(code);
      return found instanceof Promise
        ? found.then((target) => hit(target, kind))
        : hit(found, kind);
    },
  };
}
