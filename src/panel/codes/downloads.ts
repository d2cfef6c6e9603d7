import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { wholeNumber } from '../../lib/whole-number.ts';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** Creates the response with the image of a code, in the width of the URL's `size` in pixels. */
export async function imageResponse(
  url: URL,
  code: string,
  format: 'png' | 'svg',
  render: (widthPx: number) => Promise<Uint8Array>,
): Promise<Response> {
  const widthPx = wholeNumber(url.search, 'size', imageWidthPxRange);
  const bytes = await render(widthPx);
  const name = format === 'svg' ? `qr-${code}.svg` : `qr-${code}-${widthPx}px.png`;
  return new Response(bytes.slice(), {
    headers: {
      'Content-Type': types[format],
      'Content-Disposition': `inline; filename="${name}"`,
      // An SVG that is opened as a page shows its logo and runs nothing.
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox",
      'Cache-Control': 'private, max-age=3600',
      Vary: 'Cookie',
    },
  });
}

// Excel reads CSV as UTF-8 only with a byte order mark.
const byteOrderMark = '\uFEFF';

/** Creates the response with a CSV file, streamed. An error closes the connection and is logged. */
export function csvResponse(lines: AsyncGenerator<string>, nowMs: number, log: Logger): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(byteOrderMark)),
    pull: async (controller) => {
      try {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        logFailure(error, log);
        controller.error(error);
      }
    },
    cancel: async () => {
      await lines.return(undefined);
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
