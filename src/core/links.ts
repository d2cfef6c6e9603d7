import type { Clock, LinkStore, ScanLog } from './ports.ts';
import type { HitKind } from './scans.ts';

/** Where a short link leads: to a `Location`, to a closed door, or nowhere. */
export type Followed =
  | { readonly to: 'destination'; readonly location: string }
  | { readonly to: 'warning'; readonly location: string; readonly list: string }
  | { readonly to: 'closed'; readonly status: 'paused' | 'blocked' }
  | { readonly to: 'nothing' };

export type Links = ReturnType<typeof makeLinks>;

/**
 * Follows short links. Neither plan nor key of the account is asked: a printed code goes on
 * redirecting whatever happens to them.
 */
export function makeLinks(world: {
  links: LinkStore;
  scans: ScanLog;
  clock: Clock;
  /** Warn of a destination that was flagged after it was accepted, instead of redirecting. */
  warnOfFlagged: boolean;
}) {
  const { links, scans, clock, warnOfFlagged } = world;
  return {
    /** Follows a short link by its code in stored spelling. The hit is on disk when this resolves. */
    follow: async (code: string, kind: HitKind): Promise<Followed> => {
      const found = links.target(code);
      // To wait for what is at hand would cost every redirect another turn of its promises.
      const target = found instanceof Promise ? await found : found;
      if (target === null) return { to: 'nothing' };
      if (target.status !== 'active') return { to: 'closed', status: target.status };
      await scans.record(target.qrId, kind, clock.nowMs());
      const { location, flaggedBy: list } = target;
      if (list !== null && warnOfFlagged) return { to: 'warning', location, list };
      return { to: 'destination', location };
    },
  };
}
