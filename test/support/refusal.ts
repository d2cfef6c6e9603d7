import { cliSentence } from '../../src/cli/sentences/sentences.ts';
import { Refused } from '../../src/core/errors.ts';
import type { Reason } from '../../src/core/reasons.ts';

/** Returns the reason with which something is refused, and its sentence. Fails when it is not. */
export async function refusalOf(
  run: () => unknown,
): Promise<{ readonly reason: Reason; readonly said: string }> {
  try {
    const value = await run();
    throw new Error(`not refused: ${Bun.inspect(value)}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { reason: error.reason, said: cliSentence(error.reason) };
  }
}
