/** A time by which a series of steps must be done. */
export interface Deadline {
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  /**
   * Settles as the step does, or rejects at the deadline, whichever comes first. The signal alone
   * would not do: an aborted fetch does not always settle while its connection is being made.
   *
   * @throws DOMException TimeoutError
   */
  within<T>(step: Promise<T>): Promise<T>;
  stop(): void;
}

/** A deadline this many milliseconds from now. Whoever starts one stops it. */
export function startDeadline(deadlineMs: number): Deadline {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => {}); // nobody may be waiting when it passes
  const timer = setTimeout(() => {
    const error = new DOMException('The time is over.', 'TimeoutError');
    reject(error);
    controller.abort(error);
  }, deadlineMs);
  return {
    signal: controller.signal,
    within: (step) => Promise.race([step, over]),
    stop: () => clearTimeout(timer),
  };
}
