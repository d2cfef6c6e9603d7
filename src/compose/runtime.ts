import type { Clock, RandomBytes } from '../core/ports.ts';

export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export const realRandomBytes: RandomBytes = (length) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Starts a render worker. Only main.ts can, because the executable finds workers from there alone. */
export type StartRenderWorker = () => Worker;
