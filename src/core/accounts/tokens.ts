import type { Clock, RandomBytes } from '../ports.ts';
import { absoluteLimitMs, hashToken, idleLimitMs, newToken } from './session.ts';

/** How long a browser is known after it has signed in. */
export const deviceLifeMs = 365 * 86_400_000;

/** What a browser is given that comes in: the token of its session, and one to know it again by. */
export interface Entry {
  readonly token: string;
  readonly device: string;
}

/** What is kept of an entry, never the tokens, and what is over by then and forgotten. */
export interface KeptEntry {
  readonly sessionHash: string;
  readonly deviceHash: string;
  readonly atMs: number;
  readonly forget: {
    readonly sessionsCreatedBeforeMs: number;
    readonly sessionsSeenBeforeMs: number;
    /** Of the account's own browsers alone. */
    readonly devicesBeforeMs: number;
  };
}

/**
 * An entry for a browser that has proven whose it is. It opens nothing until a store has kept it, which is
 * one with looking whether the proof still holds: proving takes a while, and the password may change in it.
 */
export function newEntry(
  clock: Clock,
  randomBytes: RandomBytes,
): { readonly entry: Entry; readonly kept: KeptEntry } {
  const entry = { token: newToken(randomBytes), device: newToken(randomBytes) };
  const atMs = clock.nowMs();
  const forget = {
    sessionsCreatedBeforeMs: atMs - absoluteLimitMs,
    sessionsSeenBeforeMs: atMs - idleLimitMs,
    devicesBeforeMs: atMs - deviceLifeMs,
  };
  return {
    entry,
    kept: {
      sessionHash: hashToken(entry.token),
      deviceHash: hashToken(entry.device),
      atMs,
      forget,
    },
  };
}
