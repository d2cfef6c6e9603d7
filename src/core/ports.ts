/**
 * What the ports of several nouns share.
 * Each noun has its interfaces for adapters in `ports.ts`: calls are asynchronous, what must be atomic is one call,
 * absence and conflict are return values, and a failing adapter throws.
 */

export interface Clock {
  /** Returns the wall clock in milliseconds since the epoch. May jump. */
  nowMs(): number;
  /** Milliseconds since a fixed instant. Never jumps. */
  monotonicMs(): number;
}

/** A cryptographic source of random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** Keyset cursor of a list of codes, newest first. */
export interface QrCursor {
  readonly createdAtMs: number;
  readonly code: string;
}

/** Who changes something. See `storedActor`. */
export type Actor =
  /** Somebody who is signed in, by the own account. */
  | { readonly kind: 'person'; readonly accountId: number }
  /** An operator who works on another account, by the own one. */
  | { readonly kind: 'operator'; readonly accountId: number }
  /** An API key, by its last four characters. */
  | { readonly kind: 'key'; readonly lastFour: string }
  | { readonly kind: 'command' }
  /** A planned change, by the account that planned it; null for a command. */
  | { readonly kind: 'plan'; readonly accountId: number | null };

/** The account that is changed, and who changes it. */
export interface Acting {
  readonly accountId: number;
  readonly by: Actor;
}
