/** Waits for a condition. Rejects after the deadline, which is that of a test: a busy machine is slow. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  deadlineMs = 110_000,
): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  // Asks less and less often: what takes long on a busy machine does not end sooner for being asked.
  for (let pauseMs = 5; !(await condition()); pauseMs = Math.min(pauseMs * 1.5, 100)) {
    if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms`);
    await Bun.sleep(pauseMs);
  }
}
