import { describe, expect, test } from 'bun:test';
import { fakeSite, requestId } from './fake-site.ts';

const key = `wmk_${'0'.repeat(40)}`;
const apiRequests: [string, RequestInit][] = [
  ['/api/v1/qrs', { method: 'GET' }],
  ['/api/v1/qrs', { method: 'POST', body: '{"url":"https://example.com"}' }],
  ['/api/v1/qrs/7h3k9m2x', { method: 'GET' }],
  ['/api/v1/qrs/7h3k9m2x', { method: 'PATCH', body: '{"url":"https://example.com"}' }],
  ['/api/v1/qrs/7h3k9m2x/stats', { method: 'GET' }],
  ['/api/v1/qrs/7h3k9m2x.png', { method: 'GET' }],
  ['/api/v1/qrs/7h3k9m2x.svg', { method: 'HEAD' }],
];

describe('a crash is an error record with status 500, without internals', () => {
  for (const [path, init] of apiRequests)
    test(`${init.method} ${path}`, async () => {
      const lines: string[] = [];
      const request = new Request(`http://localhost${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${key}` },
      });
      const response = await fakeSite(lines)(request);
      expect(response.status).toBe(500);
      expect(response.headers.get('ratelimit-limit')).toBe('60');
      const body = await response.text();
      if (init.method !== 'HEAD') expect(JSON.parse(body).error.code).toBe('internal_error');
      expect(body).not.toMatch(/secret|SELECT|Error:/);
      // One log line with the cause and without the key.
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('SELECT hash FROM keys');
      expect(lines[0]).not.toContain(key);
      // The client can quote the id of the log line.
      expect(response.headers.get('x-request-id')).toBe(requestId);
      expect(lines[0]).toContain(`request="${requestId}"`);
    });

  test.each(['/7h3k9m2x', '/account', '/metrics'])(
    'GET %s: a page without internals',
    async (path) => {
      const lines: string[] = [];
      const response = await fakeSite(lines)(new Request(`http://localhost${path}`));
      expect(response.status).toBe(500);
      const page = await response.text();
      expect(page).not.toMatch(/secret|SELECT|Error:/);
      expect(page).toContain(requestId);
      expect(response.headers.get('x-request-id')).toBe(requestId);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(`request="${requestId}"`);
    },
  );
});
