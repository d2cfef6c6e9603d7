/** How long a body may stand still, or be behind {@link leastBytesPerMs}. */
export const stalledBodyMs = 10_000;
/** What a body must have on average: 2 kB a second. */
const leastBytesPerMs = 2;

/** The body of a request while it arrives. */
export interface Upload {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when the body is late, after which nothing more of it is read. */
  readonly late: Promise<'late'>;
}

/**
 * Watches the body of a request.
 * It is late when it stalls for ten seconds, or has been slower than 2 kB a second for ten seconds in total. Only the
 * time in which its reader waits for the client counts.
 *
 * @param onChunk called with each chunk
 */
export function watchUpload(
  source: ReadableStream<Uint8Array>,
  onChunk: () => void = () => {},
): Upload {
  const reader = source.getReader();
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  let waitedMs = 0;
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const leftMs = Math.min(stalledBodyMs, stalledBodyMs + bytes / leastBytesPerMs - waitedMs);
        const startMs = performance.now();
        const timer = setTimeout(() => {
          resolve('late');
          controller.error(new Error('the body is late'));
          reader.cancel().catch(() => {});
        }, leftMs);
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else {
            bytes += value.length;
            onChunk();
            controller.enqueue(value);
          }
        } finally {
          clearTimeout(timer);
          waitedMs += performance.now() - startMs;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { body, late };
}
