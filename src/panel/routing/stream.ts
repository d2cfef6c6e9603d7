import { logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';

/** Streams pieces as they are asked for. An error closes the connection and is logged. */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  log: Logger,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        logFailure(error, log);
        controller.error(error);
      }
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
}

/** Encodes texts as UTF-8. */
export async function* encode(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
