import { parseCodeOrPath } from '../../core/codes/code.ts';
import { type ImageFormat, imageWidthPxRange, type Qrs } from '../../core/codes/qrs.ts';
import { wholeNumber } from '../../lib/numbers.ts';
import { matchesIfNoneMatch } from '../app-responses.ts';
import { codeParameter, operation, wholeNumberParameter } from './operation.ts';
import { QrPng, QrSvg } from './schemas.ts';

const imagePath = /^\/api\/v1\/qrs\/([^/]+)\.(png|svg)$/;

interface ImagePath {
  /** Null if it is invalid. */
  readonly code: string | null;
  readonly format: ImageFormat;
  /** Code and ending, which the path of an imported link may have too; null if it is invalid. */
  readonly name: string | null;
}

/** Parses the path of an image; null for other paths. */
export function parseImagePath(path: string): ImagePath | null {
  const [, code, format] = imagePath.exec(path) ?? [];
  if (format !== 'png' && format !== 'svg') return null;
  const decoded = decodeSegment(code);
  const name = decoded === null ? null : parseCodeOrPath(`${decoded}.${format}`);
  return { code: parseCodeOrPath(decoded), format, name };
}

/** Decodes a segment of a path; null when its percent-encoding is broken. */
function decodeSegment(segment: string | undefined): string | null {
  try {
    return segment === undefined ? null : decodeURIComponent(segment);
  } catch {
    return null;
  }
}

const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier download. If the image is the same, the response is 304.',
  schema: { type: 'string' },
} as const;

const png = operation({
  operationId: 'getQrPng',
  summary: 'Download the PNG',
  description:
    'Returns the QR in its design at error correction level H. The image is square, with every module on whole pixels.',
  parameters: [
    codeParameter,
    wholeNumberParameter('size', imageWidthPxRange, 'Width and height in pixels.'),
    ifNoneMatchParameter,
  ],
  response: { 200: QrPng },
  errors: ['not_found'],
});

const svg = operation({
  operationId: 'getQrSvg',
  summary: 'Download the SVG',
  description: 'Returns the QR in its design at error correction level H, with the logo embedded.',
  parameters: [codeParameter, ifNoneMatchParameter],
  response: { 200: QrSvg },
  errors: ['not_found'],
});

/** The paths of images in the OpenAPI document. Elysia's router rejects `:code.png` beside `:code`. */
export const imagePaths = {
  '/api/v1/qrs/{code}.png': { get: png.detail },
  '/api/v1/qrs/{code}.svg': { get: svg.detail },
};

/**
 * Creates the handler of image downloads.
 *
 * @param renderer renderer version, part of the ETags
 */
export function createImages(qrs: Pick<Qrs, 'imageSource' | 'image'>, renderer: string) {
  /**
   * @param search the query; `size` is the width of a PNG in pixels
   * @throws ApiError not_found
   */
  return async (
    request: Request,
    accountId: number,
    code: string | null,
    format: ImageFormat,
    search: string,
  ): Promise<Response> => {
    const qr = await qrs.imageSource(accountId, code);
    const widthPx = format === 'png' ? wholeNumber(search, 'size', imageWidthPxRange) : 0;
    // A strong ETag (RFC 9110, 8.8.1): image, format, size and renderer determine the bytes.
    const etag = `"${qr.imageHash.slice(0, 16).toHex()}-${format}${widthPx || ''}-${renderer}"`;
    if (matchesIfNoneMatch(request, etag))
      return new Response(null, { status: 304, headers: cacheHeaders(etag) });
    const bytes = await qrs.image(accountId, qr, format, widthPx, {
      signal: request.signal,
    });
    // Never shared memory: the render worker posted a copy.
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        ...cacheHeaders(etag),
        'Content-Type': contentTypes[format],
        'Content-Disposition': `inline; filename="${qr.code}.${format}"`,
        // An SVG opened on its own is a document: no script, no requests.
        'Content-Security-Policy':
          "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      },
    });
  };
}

const contentTypes = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** Images never change. A browser that several accounts share must not show one's image to another. */
function cacheHeaders(etag: string): Record<string, string> {
  return {
    ETag: etag,
    'Cache-Control': 'private, max-age=31536000, immutable',
    Vary: 'Authorization',
  };
}
