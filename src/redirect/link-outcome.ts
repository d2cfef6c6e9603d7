import type { QrStatus } from '../core/codes/qr.ts';
import type { FollowedLink } from './storage.ts';

/** The response to a short link. */
export type LinkOutcome =
  | { readonly to: 'destination'; readonly location: string; readonly passesQuery: boolean }
  | { readonly to: 'warning'; readonly location: string; readonly list: string }
  | {
      readonly to: 'closed';
      readonly status: Exclude<QrStatus, 'active'>;
      readonly qrId: number;
    }
  | { readonly to: 'nothing' }
  | { readonly to: 'unavailable' };

/**
 * Returns the response to a link whose target is known.
 * Printed codes redirect regardless of the account's plan and key.
 *
 * @param warnOfFlagged whether a destination that was flagged after it was accepted gets a warning page
 */
export function linkOutcome(target: FollowedLink['target'], warnOfFlagged: boolean): LinkOutcome {
  if (target === null) return { to: 'nothing' };
  if (target === 'unavailable') return { to: 'unavailable' };
  const { qrId, status, location, flaggedBy: list, passesQuery } = target;
  if (status !== 'active') return { to: 'closed', status, qrId };
  return list !== null && warnOfFlagged
    ? { to: 'warning', location, list }
    : { to: 'destination', location, passesQuery };
}

/** Returns the `Location` header of a destination: unchanged when it is ASCII (RFC 9110). */
export function locationHeader(destination: string): string {
  return /^[\x21-\x7e]*$/.test(destination) ? destination : new URL(destination).href;
}
