import type { Clock, RandomBytes } from '../core/ports.ts';
import { sharedNowMs } from '../lib/shared-clock.ts';

let latestMs = 0;

/** The clock of the database that copies share, or of the system; and the monotonic one of the system. */
export const realClock: Clock = {
  nowMs: () => {
    const nowMs = sharedNowMs();
    if (nowMs > latestMs) latestMs = nowMs;
    return nowMs;
  },
  monotonicMs: () => performance.now(),
};

/** Returns the latest time that {@link realClock} has told: later than now if the clock was set back. */
export function latestTimeMs(): number {
  return latestMs;
}

export const realRandomBytes: RandomBytes = (length) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Makes a resource one of `await using`, which closes it at the end of the block. */
export function closing<T extends { close(): Promise<void> }>(resource: T): T & AsyncDisposable {
  return Object.assign(resource, { [Symbol.asyncDispose]: () => resource.close() });
}

/** Starts a render worker. Only main.ts can, because the executable finds workers from there alone. */
export type StartRenderWorker = () => Worker;
