import type { ApiError } from '../core/errors.ts';
import { errorRecord, inOnePiece } from '../redirect/responses.ts';
import { apiSentence } from './sentences/sentences.ts';

/** Returns the response to an error, with the sentence of its reason. */
export function errorResponse(error: ApiError): Response {
  const { message, reason } = error;
  return errorRecord(error, reason === null ? message : apiSentence(reason));
}

// Bun sends a smaller body together with the headers.
const maxJoinedChars = 15_000;

/**
 * Returns a JSON response of any size, compressed if the request asks for it.
 * A large one that is not compressed is sent {@link inOnePiece}, and so has no `Content-Length`.
 */
export function jsonResponse(
  request: Request,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): Response {
  const text = JSON.stringify(value);
  const headers = { ...jsonHeaders, ...more };
  if (text.length >= minCompressedBytes && prefersGzip(request))
    return new Response(Bun.gzipSync(text, { level: recordsLevel }), {
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    });
  return new Response(text.length < maxJoinedChars ? text : inOnePiece(text), { headers });
}

/** The header of JSON that may be compressed. */
export const varyByEncoding = { Vary: 'Accept-Encoding' } as const;
const jsonHeaders = { 'Content-Type': 'application/json;charset=utf-8', ...varyByEncoding };

// Lists repeat the same fields: the fastest level makes a tenth of them, in a quarter of the usual level's time.
const recordsLevel = 1;

// Less fits into a packet anyway.
const minCompressedBytes = 1024;

/**
 * Compresses a response of a type if the request asks for it.
 * Images are compressed already, and pages have secrets beside what an address says, which their size would tell
 * (BREACH).
 */
export function withCompression(
  request: Request,
  response: Response,
  types = /^application\/json/,
): Response | Promise<Response> {
  const { headers } = response;
  if (!types.test(headers.get('content-type') ?? '')) return response;
  headers.append('Vary', 'Accept-Encoding');
  return prefersGzip(request) ? compressed(response) : response;
}

async function compressed(response: Response): Promise<Response> {
  const { headers, status } = response;
  const body = await response.bytes();
  if (body.length < minCompressedBytes) return new Response(body, { status, headers });
  headers.set('Content-Encoding', 'gzip');
  return new Response(Bun.gzipSync(body), { status, headers });
}

/** Returns whether a request prefers gzip to no compression (RFC 9110, 12.5.3). */
export function prefersGzip({ headers }: Request): boolean {
  const acceptEncoding = headers.get('accept-encoding');
  if (acceptEncoding === null) return false;
  const qualities = new Map(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((coding) => {
        const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
        const quality = parameters.find((parameter) => parameter.startsWith('q='));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const;
      }),
  );
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0;
  return gzip > 0 && gzip >= (qualities.get('identity') ?? 0);
}

/** Compares `If-None-Match` weakly (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch({ headers }: Request, etag: string): boolean {
  const header = headers.get('if-none-match');
  if (header === null) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
