/** Waits for a condition. Rejects after the deadline. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  deadlineMs = 60_000,
): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms`);
    await Bun.sleep(10);
  }
}
