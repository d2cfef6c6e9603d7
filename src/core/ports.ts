/**
 * What the ports of several nouns share. Each noun has its interfaces for adapters in `ports.ts`: calls are
 * asynchronous, what must be atomic is one call, absence and conflict are return values, and a failing
 * adapter throws.
 */

export interface Clock {
  /** Wall clock in milliseconds since the epoch. May jump. */
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
