import { parseCode } from '../../core/codes/code.ts';
import type { QrImageSource } from '../../core/codes/qr.ts';
import { type ImageFormat, imageWidthPxRange, type Qrs } from '../../core/codes/qrs.ts';
import { wholeNumber } from '../../lib/whole-number.ts';

/**
 * Internal paths of images. Elysia's router rejects `:code.png` beside `:code`. Clients cannot reach these
 * paths, because the router only gets requests under `/api/v1/`.
 */
export const imageRoutes = { png: '/png/:code', svg: '/svg/:code' } as const;

const imagePath = /^\/api\/v1\/qrs\/([^/]+)\.(png|svg)$/;

// Dot segments: the URL parser would drop them as the last segment of an internal path.
const dots = /^\.{1,2}$/;
const notACode = '-';

// Percent-encoded unreserved characters, which mean the same unencoded (RFC 3986, 6.2.2.2).
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Returns the path to route: the internal path of an image, any other path itself. */
export function routedPath(path: string): string {
  return path
    .replace(encodedUnreserved, decodeURIComponent)
    .replace(
      imagePath,
      (_, code: string, format: string) => `/${format}/${dots.test(code) ? notACode : code}`,
    );
}

/** Parses the path of an image. Returns null for other paths and for codes that need decoding. */
export function parseImagePath(path: string): { code: string; format: ImageFormat } | null {
  const [, text, format] = imagePath.exec(path) ?? [];
  const code = parseCode(text);
  if (code === null || (format !== 'png' && format !== 'svg')) return null;
  return { code, format };
}

/**
 * Creates the handler of image downloads.
 *
 * @param renderer renderer version, part of the ETags
 */
export function createImages(qrs: Pick<Qrs, 'imageSource' | 'image'>, renderer: string) {
  /** Headers of images that the image cache holds: creating them anew takes a tenth longer. */
  const headersOfImage = new WeakMap<Uint8Array, Headers>();

  /** A strong ETag (RFC 9110, 8.8.1): it stands for image, size and renderer, and so for the bytes. */
  const etagOf = ({ imageHash }: QrImageSource, format: ImageFormat, widthPx: number) =>
    `"${imageHash.slice(0, 16).toHex()}-${format}${format === 'png' ? widthPx : ''}-${renderer}"`;

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
    const etag = etagOf(qr, format, widthPx);
    if (matchesIfNoneMatch(request.headers, etag))
      return new Response(null, { status: 304, headers: cacheHeaders(etag) });
    const bytes = await qrs.image(qr, format, widthPx);
    const headers = headersOfImage.get(bytes) ?? imageHeaders(qr, format, etag);
    headersOfImage.set(bytes, headers);
    // Never shared memory: the render worker posted a copy.
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  };
}

const contentTypes = { png: 'image/png', svg: 'image/svg+xml' } as const;

function imageHeaders({ code }: QrImageSource, format: ImageFormat, etag: string): Headers {
  return new Headers({
    ...cacheHeaders(etag),
    'Content-Type': contentTypes[format],
    'Content-Disposition': `inline; filename="${code}.${format}"`,
    // An SVG opened on its own is a document: no script, no requests.
    'Content-Security-Policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
  });
}

/** Compares `If-None-Match` weakly (RFC 9110, 13.1.2). */
function matchesIfNoneMatch(headers: Headers, etag: string): boolean {
  const header = headers.get('if-none-match');
  if (header === null) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** Images never change. */
function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, max-age=31536000, immutable' };
}
