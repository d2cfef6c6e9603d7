import { describe, expect, test } from 'bun:test';
import type { Qr } from '../../src/core/codes/qr.ts';
import { createQrSearch } from '../../src/core/codes/search.ts';
import type { QrBatchReader, QrCursor } from '../../src/core/ports.ts';
import { yieldToEventLoop } from '../../src/lib/event-loop.ts';
import { sampleQr } from './sample-qr.ts';

const whole = { limit: 25, offset: 0, isWanted: () => true };

/** A reader over codes that are numbered from the newest, of which every n-th matches. */
function createSearcher(count: number, every: number) {
  const looked: number[] = [];
  const reader: Pick<QrBatchReader, 'matching'> = {
    matching: async (_accountId, cursor, _text, pieceLength) => {
      const begin = cursor === null ? 0 : Number(cursor.code) + 1;
      const end = Math.min(begin + pieceLength, count);
      looked.push(end - begin);
      const numbers = Array.from({ length: end - begin }, (_, at) => begin + at);
      const next: QrCursor | null = end < count ? { createdAtMs: 0, code: String(end - 1) } : null;
      const found = numbers.filter((number) => number % every === 0);
      return { found: found.map((number) => ({ ...sampleQr, code: String(number) })), next };
    },
  };
  return { reader, looked };
}

describe('a search', () => {
  test('gives page after page, and whether there are more', async () => {
    const { reader } = createSearcher(10_000, 150);
    const search = createQrSearch({ reader, yieldToEventLoop: async () => {} });
    const codes: string[] = [];
    for (let offset = 0, more = true; more; offset += 25) {
      const page = await search(1, 'x', { ...whole, offset });
      codes.push(...page.qrs.map(({ code }) => code));
      more = page.hasMore;
    }
    expect(codes.map(Number)).toEqual(Array.from({ length: 67 }, (_, at) => at * 150));
  });

  test.each([
    ['no more', 2_000, false],
    ['one more, in the next piece', 2_001, true],
  ])('with a page that is just full tells that there is %s', async (_, count, more) => {
    const { reader } = createSearcher(count, 80);
    const found = await createQrSearch({ reader, yieldToEventLoop: async () => {} })(1, 'x', whole);
    expect([found.qrs.length, found.hasMore]).toEqual([25, more]);
  });

  test('looks no further than the page needs', async () => {
    const { reader, looked } = createSearcher(1_000_000, 1);
    const search = createQrSearch({ reader, yieldToEventLoop: async () => {} });
    expect(await search(1, 'x', whole)).toMatchObject({ hasMore: true });
    expect(looked).toHaveLength(1);
  });

  test('keeps nothing of what stands before the page', async () => {
    const { reader, looked } = createSearcher(100_000, 1);
    const before: WeakRef<Qr>[] = [];
    const watched: Pick<QrBatchReader, 'matching'> = {
      matching: async (...asked) => {
        const piece = await reader.matching(...asked);
        before.push(...piece.found.slice(0, 1).map((found) => new WeakRef(found)));
        return piece;
      },
    };
    let alive = 0;
    const pause = async () => {
      await yieldToEventLoop();
      if (looked.length < 49) return;
      Bun.gc(true);
      alive = before.filter((found) => found.deref() !== undefined).length;
    };
    const search = createQrSearch({ reader: watched, yieldToEventLoop: pause });
    const page = await search(1, 'x', { ...whole, offset: 99_990 });
    expect(page.qrs.map(({ code }) => Number(code))).toEqual(
      Array.from({ length: 10 }, (_, at) => 99_990 + at),
    );
    // The collector may take a few for reachable that are not.
    expect(alive).toBeLessThan(10);
  });

  test('lets other work go first between small pieces, one search at a time', async () => {
    const { reader, looked } = createSearcher(10_000, 20_000);
    const waiting: (() => void)[] = [];
    const pause = () => new Promise<void>((resolve) => waiting.push(resolve));
    const search = createQrSearch({ reader, yieldToEventLoop: pause });
    const both = Promise.all([search(1, 'x', whole), search(2, 'y', whole)]);
    for (let pauses = 0; pauses < 8; pauses++) {
      while (waiting.length === 0) await Promise.resolve();
      expect(waiting).toHaveLength(1);
      waiting.shift()?.();
    }
    await both;
    expect(looked).toEqual(Array(10).fill(2000));
  });

  test('ends when nobody waits for it, and a failed one holds up no other', async () => {
    const { reader, looked } = createSearcher(1_000_000, 2_000_000);
    const search = createQrSearch({ reader, yieldToEventLoop: async () => {} });
    await search(1, 'x', { ...whole, isWanted: () => looked.length < 3 });
    expect(looked).toHaveLength(3);

    const failing = createQrSearch({
      reader: {
        matching: async (accountId) => {
          if (accountId === 1) throw new Error('the disk is gone');
          return { found: [], next: null };
        },
      },
      yieldToEventLoop: async () => {},
    });
    await expect(failing(1, 'x', whole)).rejects.toThrow('the disk is gone');
    expect(await failing(2, 'x', whole)).toEqual({ qrs: [], hasMore: false });
  });
});
