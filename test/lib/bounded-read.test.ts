import { describe, expect, test } from 'bun:test';
import { readAtMost } from '../../src/lib/files/bounded-read.ts';

/** Creates a body of chunks that then ends, fails, or stays open and ignores its cancellation. */
function body(
  chunks: readonly string[],
  then: 'end' | 'fail' | 'stay open',
  onCancel: () => void = () => {},
) {
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks[next++];
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (then === 'end') controller.close();
      else if (then === 'fail') controller.error(new Error('gone'));
      else return new Promise(() => {});
      return undefined;
    },
    cancel: () => {
      onCancel();
      return new Promise(() => {});
    },
  });
}

describe('readAtMost', () => {
  test('returns a body up to the limit', async () => {
    const read = await readAtMost(body(['ab', '', 'cde'], 'end'), 5);
    expect(read).toEqual(new TextEncoder().encode('abcde'));
    expect(await readAtMost(null, 5)).toHaveLength(0);
  });

  test('cancels a longer body without waiting for its end', async () => {
    let isCanceled = false;
    const sent = body(['abc', 'def'], 'stay open', () => {
      isCanceled = true;
    });
    expect([await readAtMost(sent, 5), isCanceled]).toEqual(['too long', true]);
  });

  test('reports a body that breaks off', async () => {
    expect(await readAtMost(body(['abc'], 'fail'), 5)).toBe('broken off');
  });
});
