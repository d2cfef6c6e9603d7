/**
 * Runs an action with a time limit. Does not rely on the signal alone, because an aborted fetch does not
 * always settle while it connects.
 *
 * @throws DOMException TimeoutError
 */
export async function withDeadline<T>(
  deadlineMs: number,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException('The deadline has passed.', 'TimeoutError');
    reject(error);
    controller.abort(error);
  }, deadlineMs);
  try {
    return await Promise.race([act(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
