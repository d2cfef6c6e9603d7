import type { PrintedQr } from '../../core/codes/qr.ts';
import { type ImageFormat, imageWidthPxRange, type Qrs } from '../../core/codes/qrs.ts';
import { wholeNumber } from '../../lib/whole-number.ts';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

/**
 * Answers with the image of a code, or with 304 where the client has it. Made once for all requests.
 *
 * @param renderer names what images are drawn with, for their ETags
 */
export function createImages(qrs: Pick<Qrs, 'printed' | 'image'>, renderer: string) {
  /** What is said with an image that is kept in memory; writing it anew would take a tenth longer. */
  const kept = new WeakMap<Uint8Array, Headers>();

  /** Strong (RFC 9110, 8.8.1): the same picture in the same size from the same renderer has the same bytes. */
  const etagOf = ({ imageHash }: PrintedQr, format: ImageFormat, widthPx: number) =>
    `"${imageHash.slice(0, 16).toHex()}-${format}${format === 'png' ? widthPx : ''}-${renderer}"`;

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
    const etag = etagOf(qr, format, widthPx);
    // 304: the client has these bytes.
    if (isKnown(headers, etag)) return new Response(null, { status: 304, headers: lasting(etag) });
    const bytes = await qrs.image(qr, format, widthPx);
    const known = kept.get(bytes);
    const said = known ?? imageHeaders(qr, format, etag);
    if (known === undefined) kept.set(bytes, said);
    // No thread shares the memory of an image: it came from a render worker as a copy of its own.
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: said });
  };
}

/** What lets a client keep an image: it will never change. */
function imageHeaders({ code }: PrintedQr, format: ImageFormat, etag: string): Headers {
  return new Headers({
    ...lasting(etag),
    'Content-Type': types[format],
    'Content-Disposition': `inline; filename="${code}.${format}"`,
    // An SVG opened on its own is a document: it may draw itself and nothing else.
    'Content-Security-Policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
  });
}

/** Whether `If-None-Match` names this very image (RFC 9110, 13.1.2: compared weakly). */
function isKnown(headers: Headers, etag: string): boolean {
  const known = headers.get('if-none-match');
  if (known === null) return false;
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function lasting(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, max-age=31536000, immutable' };
}
