// Ctrl-C reaches every process of a terminal, and `npx` and `bun run` pass it on to this one again: what
// follows within this time is the same key press. A person who means it presses once more.
const samePressMs = 1000;

/** Resolves at the first SIGTERM or SIGINT; one that comes a second later ends the process at once. */
export function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | null = null;
    const hear = () => {
      const nowMs = performance.now();
      firstMs ??= nowMs;
      if (nowMs - firstMs > samePressMs) process.exit(1);
      resolve();
    };
    process.on('SIGTERM', hear);
    process.on('SIGINT', hear);
  });
}
