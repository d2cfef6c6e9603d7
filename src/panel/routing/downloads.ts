import { fileNameOf } from '../../core/codes/print/archive.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { screenImageType } from '../../core/designs/screen-images.ts';
import { logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { wholeNumber } from '../../lib/numbers.ts';
import type { RequestContext } from '../request/request.ts';
import { isoDate } from '../ui/formatting.ts';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

/**
 * Creates the response with the image of a code, in the width of the URL's `size` in pixels.
 * Browsers ask again by its ETag.
 */
export async function imageResponse(
  url: URL,
  { name, code }: Pick<Qr, 'name' | 'code'>,
  format: 'png' | 'svg',
  etag: string,
  render: (widthPx: number) => Promise<Uint8Array>,
): Promise<Response> {
  const widthPx = wholeNumber(url.search, 'size', imageWidthPxRange);
  const bytes = await render(widthPx);
  const shown = format === 'svg' ? code : `${code}-${widthPx}px`;
  const fileName = fileNameOf({ name, code: shown }, format);
  return new Response(bytes.slice(), {
    headers: {
      'Content-Type': types[format],
      'Content-Disposition': contentDisposition('inline', fileName),
      // An SVG that is opened as a page shows its logo and runs nothing.
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox",
      ...cacheHeaders(etag),
    },
  });
}

/** Creates the response with a picture of a page, which never changes at its address. */
export function screenImageResponse(image: Uint8Array): Response {
  return new Response(image.slice(), {
    headers: {
      'Content-Type': screenImageType(image),
      'Cache-Control': 'private, max-age=86400, immutable',
      Vary: 'Cookie',
    },
  });
}

/** Returns a picture of a page as a data URL, for one that is shown once. */
export function screenImageUrl(image: Uint8Array): string {
  return `data:${screenImageType(image)};base64,${image.toBase64()}`;
}

/** Creates the response to a browser that has the picture. */
export function unchangedImage(etag: string): Response {
  return new Response(null, { status: 304, headers: cacheHeaders(etag) });
}

function cacheHeaders(etag: string) {
  return { 'Cache-Control': 'private, max-age=3600', ETag: etag, Vary: 'Cookie' };
}

/**
 * Formats a `Content-Disposition` header (RFC 6266). Browsers without `filename*` get a name in ASCII.
 */
function contentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  if (ascii === fileName) return `${type}; filename="${ascii}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Creates the response with a file to save. */
export function fileResponse(file: BodyInit, type: string, fileName: string): Response {
  const disposition = contentDisposition('attachment', fileName);
  return new Response(file, {
    headers: { 'Content-Type': type, 'Content-Disposition': disposition },
  });
}

/** The media type of tables in CSV that begin with a line of headers. */
export const csvType = 'text/csv; charset=utf-8; header=present';

/** Creates the response with a CSV file, streamed. */
export function csvResponse(
  lines: AsyncGenerator<string>,
  context: Pick<RequestContext, 'nowMs' | 'zone' | 'log'>,
  name = 'codes',
): Response {
  const file = streamOf(encodeTable(lines), context.log);
  return fileResponse(file, csvType, `waymark-${name}-${isoDate(context.nowMs, context)}.csv`);
}

// Excel reads CSV as UTF-8 only with a byte order mark.
const byteOrderMark = '\uFEFF';

async function* encodeTable(lines: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(byteOrderMark);
  for await (const line of lines) yield encoder.encode(line);
}

/**
 * Creates a stream of pieces, which are made as they are asked for.
 *
 * An error closes the connection and is logged.
 */
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
