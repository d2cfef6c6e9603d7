import { memoize } from '../../lib/memoize.ts';
import { matchesIfNoneMatch, prefersGzip } from '../app-responses.ts';

/**
 * Creates the handler of a file for browsers, which is sent compressed where they accept it.
 * Each form has a strong ETag of its own (RFC 9110, 8.8.1).
 *
 * @param readGzip reads the file as gzip, on first use
 */
export function createStaticFile(
  type: string,
  cacheControl: string,
  readGzip: () => Promise<Uint8Array<ArrayBuffer>>,
): (request: Request) => Promise<Response> {
  // As blobs, which all responses share: many slow clients take no memory.
  const compressed = memoize(async () => {
    const bytes = await readGzip();
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 16);
    return { body: new Blob([bytes]), hash };
  });
  const plain = memoize(async () => {
    const { body } = await compressed();
    return new Blob([Bun.gunzipSync(await body.bytes())]);
  });
  return async (request) => {
    const isCompressed = prefersGzip(request);
    const { body, hash } = await compressed();
    const etag = `"${hash}${isCompressed ? '-gzip' : ''}"`;
    const headers = { ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' };
    if (matchesIfNoneMatch(request, etag)) return new Response(null, { status: 304, headers });
    return new Response(isCompressed ? body : await plain(), {
      headers: {
        ...headers,
        'Content-Type': `${type}; charset=utf-8`,
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      },
    });
  };
}
