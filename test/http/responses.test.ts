import { expect, test } from 'bun:test';
import { strictTransportSecurity, withSecurityHeaders } from '../../src/http/responses.ts';

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
  const { headers } = withSecurityHeaders(own, { 'X-More': 'added' });
  expect(headers.get('cache-control')).toBe('private');
  expect(headers.get('x-own')).toBe('kept');
  expect(headers.get('x-more')).toBe('added');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
