/**
 * Returns what a promise is rejected with. `expect(promise).rejects` of Bun 1.4.5 halts the event loop's immediates
 * while it waits, so work that continues by `setImmediate` takes seconds.
 */
export const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`not rejected: ${Bun.inspect(value)}`)),
    (error: unknown) => error,
  );
