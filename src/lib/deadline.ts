/** A time limit for a series of steps. */
export interface Deadline {
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  /**
   * Settles as the step does, or rejects at the deadline. The signal alone is not enough: an aborted
   * fetch does not always settle while it connects.
   *
   * @throws DOMException TimeoutError
   */
  within<T>(step: Promise<T>): Promise<T>;
  stop(): void;
}

/** Starts a deadline. The caller must stop it. */
export function startDeadline(deadlineMs: number): Deadline {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => {}); // no step may be waiting when it passes
  const timer = setTimeout(() => {
    const error = new DOMException('The deadline has passed.', 'TimeoutError');
    reject(error);
    controller.abort(error);
  }, deadlineMs);
  return {
    signal: controller.signal,
    within: (step) => Promise.race([step, over]),
    stop: () => clearTimeout(timer),
  };
}
