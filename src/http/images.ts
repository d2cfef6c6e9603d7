import type { Qr } from '../core/qr.ts';
import type { ImageFormat } from '../core/qrs.ts';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** An image with everything that lets a client keep it: it will never change. */
export function imageResponse(
  qr: Qr,
  format: ImageFormat,
  widthPx: number,
  bytes: Uint8Array,
): Response {
  return new Response(bytes.slice(), {
    headers: {
      ...lasting(qr, format, widthPx),
      'Content-Type': types[format],
      'Content-Disposition': `inline; filename="${qr.code}.${format}"`,
      // An SVG opened on its own is a document: it may draw itself and nothing else.
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
    },
  });
}

/** 304: the client has these bytes. */
export function notModified(qr: Qr, format: ImageFormat, widthPx: number): Response {
  return new Response(null, { status: 304, headers: lasting(qr, format, widthPx) });
}

/** Whether `If-None-Match` names this very image (RFC 9110, 13.1.2: compared weakly). */
export function isKnown(headers: Headers, qr: Qr, format: ImageFormat, widthPx: number): boolean {
  const known = headers.get('if-none-match');
  if (known === null) return false;
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag(qr, format, widthPx));
}

function lasting(qr: Qr, format: ImageFormat, widthPx: number): Record<string, string> {
  return {
    ETag: etag(qr, format, widthPx),
    'Cache-Control': 'private, max-age=31536000, immutable',
  };
}

/** Strong: the picture's hash and the size name the bytes, which stay the same for ever. */
function etag(qr: Qr, format: ImageFormat, widthPx: number): string {
  return `"${qr.imageHash.slice(0, 16).toHex()}-${format}${format === 'png' ? widthPx : ''}"`;
}
