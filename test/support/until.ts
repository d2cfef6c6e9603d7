/**
 * Waits for something to become true.
 *
 * @param deadlineMs after which it is an error
 */
export async function until(
  condition: () => Promise<boolean> | boolean,
  deadlineMs = 60_000,
): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not within ${deadlineMs} ms`);
    await Bun.sleep(20);
  }
}
