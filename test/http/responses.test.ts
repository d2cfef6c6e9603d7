import { expect, test } from 'bun:test';
import type { QrImageSource } from '../../src/core/codes/qr.ts';
import { createImages } from '../../src/http/api/images.ts';
import { createSecurityHeaders, strictTransportSecurity } from '../../src/redirect/responses.ts';

test.each([
  ['https://qr.example.com', 'max-age=31536000'],
  ['https://qr.example.com/q', 'max-age=31536000'],
  ['http://qr.example.com', undefined],
  // The header would cover the other ports of the host too.
  ['https://qr.example.com:8443', undefined],
])('Strict-Transport-Security with the public address %s is %p', (publicUrl, expected) => {
  expect(strictTransportSecurity(publicUrl)['Strict-Transport-Security']).toBe(expected);
});

test('a response keeps its own headers', () => {
  const own = new Response('', { headers: { 'Cache-Control': 'private', 'X-Own': 'kept' } });
  const { headers } = createSecurityHeaders({ 'X-More': 'added' })(own);
  expect(headers.get('cache-control')).toBe('private');
  expect(headers.get('x-own')).toBe('kept');
  expect(headers.get('x-more')).toBe('added');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

const qr = {
  code: 'k3m9x2pq',
  imageHash: new Uint8Array(32).fill(7),
} as Partial<QrImageSource> as QrImageSource; // the fields that a response needs

/** Downloads the code's PNG from a server with this renderer version. */
function download(renderer: string, ifNoneMatch = '"none"'): Promise<Response> {
  const images = createImages(
    { imageSource: async () => qr, image: async () => new TextEncoder().encode(renderer) },
    renderer,
  );
  const request = new Request('http://localhost/', { headers: { 'If-None-Match': ifNoneMatch } });
  return images(request, 1, qr.code, 'png', '');
}

// Another renderer may encode the same image in other bytes, and strong ETags identify bytes (RFC 9110, 8.8.1).
test('an ETag of another renderer version does not match', async () => {
  const etag = (await download('before')).headers.get('etag') ?? '';
  expect((await download('before', etag)).status).toBe(304);
  const after = await download('after', etag);
  expect(after.status).toBe(200);
  expect(await after.text()).toBe('after');
});
