import { describe, expect, test } from 'bun:test';
import { readAtMost } from '../../src/lib/bounded-read.ts';

/**
 * A body of these chunks that then ends, breaks off, or goes on without a word.
 *
 * @param told runs when its sender is told to stop
 */
function body(
  chunks: readonly string[],
  then: 'end' | 'break' | 'silence',
  told: () => void = () => {},
) {
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks[next++];
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (then === 'end') controller.close();
      else if (then === 'break') controller.error(new Error('gone'));
      else return new Promise(() => {});
      return undefined;
    },
    cancel: () => {
      told();
      // It does not stop.
      return new Promise(() => {});
    },
  });
}

describe('a body is read', () => {
  test('whole, up to its bound', async () => {
    const read = await readAtMost(body(['ab', '', 'cde'], 'end'), 5);
    expect(read).toEqual(new TextEncoder().encode('abcde'));
  });

  test('as empty where there is none', async () => {
    expect(await readAtMost(null, 5)).toHaveLength(0);
  });

  test('no further than its bound, whatever its sender does then', async () => {
    let isTold = false;
    const sent = body(['abc', 'def'], 'silence', () => {
      isTold = true;
    });
    expect([await readAtMost(sent, 5), isTold]).toEqual(['too long', true]);
  });

  test('until it breaks off', async () => {
    expect(await readAtMost(body(['abc'], 'break'), 5)).toBe('broken off');
  });
});
