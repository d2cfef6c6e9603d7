/** Yields to the event loop: resolves in its next tick, after waiting timers and input. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
