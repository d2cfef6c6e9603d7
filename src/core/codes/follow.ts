import type { Clock } from '../ports.ts';
import type { HitKind } from '../scans/hit.ts';
import type { FollowedLink, LinkStore, LinkTarget } from './ports.ts';
import type { QrStatus } from './qr.ts';

/** The response to a short link. */
export type LinkOutcome =
  | { readonly to: 'destination'; readonly location: string }
  | { readonly to: 'warning'; readonly location: string; readonly list: string }
  | { readonly to: 'closed'; readonly status: Exclude<QrStatus, 'active'> }
  | { readonly to: 'nothing' }
  | { readonly to: 'unavailable' };

export type LinkFollower = ReturnType<typeof createLinkFollower>;

/** Follows short links. Printed codes redirect regardless of the account's plan and key. */
export function createLinkFollower(deps: {
  store: LinkStore;
  clock: Clock;
  /** Whether a destination that was flagged after it was accepted gets a warning page. */
  warnOfFlagged: boolean;
}) {
  const { store, clock, warnOfFlagged } = deps;

  return {
    /** Looks up a code number or a path and records the hit. The response must wait for `ready`. */
    follow: (key: number | string, kind: HitKind): FollowedLink =>
      store.follow(key, kind, clock.nowMs()),
    /** Returns the response to a link whose target is known. */
    outcomeOf: (target: FollowedLink['target']): LinkOutcome => {
      if (target === null) return { to: 'nothing' };
      if (target === 'unavailable') return { to: 'unavailable' };
      return outcomeOfTarget(target, warnOfFlagged);
    },
  };
}

function outcomeOfTarget(target: LinkTarget, warnOfFlagged: boolean): LinkOutcome {
  const { status, location, flaggedBy: list } = target;
  if (status !== 'active') return { to: 'closed', status };
  return list !== null && warnOfFlagged
    ? { to: 'warning', location, list }
    : { to: 'destination', location };
}
