import type { Clock, LinkTarget, LinkTargetStore, ScanLog } from '../ports.ts';
import type { HitKind } from '../scans/hit.ts';

/** The response to a short link. */
export type LinkOutcome =
  | { readonly to: 'destination'; readonly location: string }
  | { readonly to: 'warning'; readonly location: string; readonly list: string }
  | { readonly to: 'closed'; readonly status: 'paused' | 'blocked' }
  | { readonly to: 'nothing' };

/** A followed link. The response must wait for `recorded`. */
interface FollowedLink {
  readonly outcome: LinkOutcome;
  /** Resolves when the hit is recorded; null when there is nothing to record. */
  readonly recorded: Promise<void> | null;
}

export type LinkFollower = ReturnType<typeof createLinkFollower>;

/** Follows short links. Printed codes redirect regardless of the account's plan and key. */
export function createLinkFollower(deps: {
  links: LinkTargetStore;
  scans: ScanLog;
  clock: Clock;
  /** Whether a destination that was flagged after it was accepted gets a warning page. */
  warnOfFlagged: boolean;
}) {
  const { links, scans, clock, warnOfFlagged } = deps;

  const followTo = (target: LinkTarget | null, kind: HitKind): FollowedLink => {
    if (target === null) return { outcome: { to: 'nothing' }, recorded: null };
    const { qrId, status, location, flaggedBy: list } = target;
    if (status !== 'active') return { outcome: { to: 'closed', status }, recorded: null };
    const outcome: LinkOutcome =
      list !== null && warnOfFlagged
        ? { to: 'warning', location, list }
        : { to: 'destination', location };
    return { outcome, recorded: scans.record(qrId, kind, clock.nowMs()) };
  };

  return {
    /** Follows a short link by its code number. Synchronous when the target is in the cache. */
    follow: (code: number, kind: HitKind): FollowedLink | Promise<FollowedLink> => {
      const target = links.find(code);
      return target instanceof Promise
        ? target.then((found) => followTo(found, kind))
        : followTo(target, kind);
    },
  };
}
