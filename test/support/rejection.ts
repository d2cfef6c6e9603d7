/**
 * Returns what a promise is rejected with. `expect(promise).rejects` of Bun 1.4.5 halts the event loop's immediates
 * while it waits, so work that continues by `setImmediate` takes seconds.
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const result = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in result) return result.error;
  throw new Error(`not rejected: ${Bun.inspect(result.value)}`);
}
