/** Called between two pieces of work: whoever does it in the background gives way meanwhile. */
export type Rest = () => Promise<void>;

/** Lets timers and whatever else waits for the thread have it. */
export const nextTurn: Rest = () => new Promise((resolve) => setImmediate(resolve));
