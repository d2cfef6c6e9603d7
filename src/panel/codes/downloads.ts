import type { Qr } from '../../core/codes/qr.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { wholeNumber } from '../../lib/whole-number.ts';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

/**
 * The image of a code. It never changes, but it is the account's own, so no cache that others use
 * may keep it. Opened on its own it may draw itself and nothing else.
 *
 * @param url whose `size` is the width in pixels and whose `download` makes it a file
 */
export async function imageResponse(
  url: URL,
  qr: Qr,
  format: 'png' | 'svg',
  draw: (widthPx: number) => Promise<Uint8Array>,
): Promise<Response> {
  const widthPx = wholeNumber(url.search, 'size', imageWidthPxRange);
  const bytes = await draw(widthPx);
  const name = format === 'svg' ? `qr-${qr.code}.svg` : `qr-${qr.code}-${widthPx}px.png`;
  const disposition = url.searchParams.has('download') ? 'attachment' : 'inline';
  return new Response(bytes.slice(), {
    headers: {
      'Content-Type': types[format],
      'Content-Disposition': `${disposition}; filename="${name}"`,
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox",
      'Cache-Control': 'private, max-age=3600',
      Vary: 'Cookie',
    },
  });
}

// Without it Excel reads `münchen` as mÃ¼nchen, in whatever its own country uses.
const byteOrderMark = '\uFEFF';

async function* marked(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* lines;
}

/**
 * Lines of CSV as a file, sent as they are read, and marked as UTF-8 for spreadsheets.
 *
 * @param log says why, where they cannot be read to the end: the browser only sees that the file broke off
 */
export function csvResponse(lines: AsyncGenerator<string>, nowMs: number, log: Logger): Response {
  const encoder = new TextEncoder();
  const pieces = marked(lines);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        logFailure(error, log);
        controller.error(error);
      }
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="waymark-codes-${day}.csv"`,
    },
  });
}
