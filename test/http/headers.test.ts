import { describe, expect, test } from 'bun:test';
import { guarded, transportSecurity } from '../../src/http/headers.ts';

describe('Strict-Transport-Security', () => {
  test.each([
    ['https://qr.example.com', 'max-age=31536000'],
    ['https://qr.example.com/q', 'max-age=31536000'],
    ['http://qr.example.com', undefined],
    // It would speak for whatever else lives on another port of this host.
    ['https://qr.example.com:8443', undefined],
  ])('with the public address %s is %p', (publicUrl, expected) => {
    expect(transportSecurity(publicUrl)['Strict-Transport-Security']).toBe(expected);
  });
});

test('what an answer says itself stays', () => {
  const own = new Response('', { headers: { 'Cache-Control': 'private', 'X-Own': 'kept' } });
  const { headers } = guarded(own, { 'X-More': 'said' });
  expect(headers.get('cache-control')).toBe('private');
  expect(headers.get('x-own')).toBe('kept');
  expect(headers.get('x-more')).toBe('said');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
