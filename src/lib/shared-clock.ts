/** By how much the shared clock is ahead of the monotonic one of this process. Null until it is known. */
let offsetMs: number | null = null;

/**
 * Returns the time of the clock that the processes of several machines share.
 * Without one, that of this machine. If that is set, the shared time goes on as before.
 */
export function sharedNowMs(): number {
  const ownMs = Date.now();
  if (offsetMs === null) return ownMs;
  const sharedMs = Math.round(offsetMs + performance.now());
  // Both are the same, but for rounding.
  return Math.abs(sharedMs - ownMs) <= 1 ? ownMs : sharedMs;
}

/** Returns by how much this machine's clock is ahead of the shared one. */
export function clockDifferenceMs(): number {
  return Date.now() - sharedNowMs();
}

/**
 * Reads the shared clock. The time that it tells is that of a moment between question and answer: what is known
 * already is kept if it fits one, however long the answer took.
 *
 * @param read returns the time in milliseconds since the epoch
 */
export async function readSharedClock(read: () => Promise<number>): Promise<void> {
  const askedMs = performance.now();
  const toldMs = await read();
  const knownMs = offsetMs ?? Date.now() - performance.now();
  offsetMs = Math.min(Math.max(knownMs, toldMs - performance.now()), toldMs - askedMs);
}
