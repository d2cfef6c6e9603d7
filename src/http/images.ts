import type { PrintedQr } from '../core/qr.ts';
import { type ImageFormat, imageWidthPxRange, type Qrs } from '../core/qrs.ts';
import { wholeNumber } from './paging.ts';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** Answers with the image of a code, or with 304 where the client has it. Made once for all requests. */
export function makeImages(qrs: Pick<Qrs, 'printed' | 'image'>) {
  /** What is said with an image that is kept in memory; writing it anew would take a tenth longer. */
  const kept = new WeakMap<Uint8Array, Headers>();

  /**
   * @param search the query, whose `size` is the width of a PNG in pixels
   * @throws ApiError not_found
   */
  return async (
    { headers }: Request,
    accountId: number,
    code: string | null,
    format: ImageFormat,
    search: string,
  ): Promise<Response> => {
    const qr = await qrs.printed(accountId, code);
    const widthPx = format === 'png' ? wholeNumber(search, 'size', imageWidthPxRange) : 0;
    if (isKnown(headers, qr, format, widthPx)) return notModified(qr, format, widthPx);
    const bytes = await qrs.image(qr, format, widthPx);
    const known = kept.get(bytes);
    const said = known ?? imageHeaders(qr, format, widthPx);
    if (known === undefined) kept.set(bytes, said);
    // No thread shares the memory of an image: it came from a render worker as a copy of its own.
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: said });
  };
}

/** What lets a client keep an image: it will never change. */
function imageHeaders(qr: PrintedQr, format: ImageFormat, widthPx: number): Headers {
  return new Headers({
    ...lasting(qr, format, widthPx),
    'Content-Type': types[format],
    'Content-Disposition': `inline; filename="${qr.code}.${format}"`,
    // An SVG opened on its own is a document: it may draw itself and nothing else.
    'Content-Security-Policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
  });
}

/** 304: the client has these bytes. */
function notModified(qr: PrintedQr, format: ImageFormat, widthPx: number): Response {
  return new Response(null, { status: 304, headers: lasting(qr, format, widthPx) });
}

/** Whether `If-None-Match` names this very image (RFC 9110, 13.1.2: compared weakly). */
function isKnown(headers: Headers, qr: PrintedQr, format: ImageFormat, widthPx: number): boolean {
  const known = headers.get('if-none-match');
  if (known === null) return false;
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag(qr, format, widthPx));
}

function lasting(qr: PrintedQr, format: ImageFormat, widthPx: number): Record<string, string> {
  return {
    ETag: etag(qr, format, widthPx),
    'Cache-Control': 'private, max-age=31536000, immutable',
  };
}

/** Strong: the picture's hash and the size name the bytes, which stay the same for ever. */
function etag(qr: PrintedQr, format: ImageFormat, widthPx: number): string {
  return `"${qr.imageHash.slice(0, 16).toHex()}-${format}${format === 'png' ? widthPx : ''}"`;
}
