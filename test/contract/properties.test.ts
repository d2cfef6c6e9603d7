import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asList, asRecord, outcome } from '../support/wire.ts';

// The API client throws on a response that is not in the OpenAPI document, such as a 500.
const server = await sharedServer();
const { api } = await server.account();
const qr = await api.create();

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const anyLine = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 });
const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 8000 });

describe('any request gets a documented response', () => {
  test('any JSON value as body is a valid request or a 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 5 }), async (body) => {
        expect(outcome(await api.call('POST /qrs', body))).toMatch(/^(201|400 invalid_\w+)$/);
      }),
      runs(80),
    );
  });

  test('any string as url is stored as sent and can be followed, or is 400 invalid_url', async () => {
    const almostUrl = anyText.map((text) => `https://example.org/${text}`);
    const hostile = anyText.map((text) => `http://${text}/`);
    const url = fc.oneof(anyText, almostUrl, hostile, fc.webUrl({ withQueryParameters: true }));
    await fc.assert(
      fc.asyncProperty(url, async (sent) => {
        const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: sent });
        if (answer.status !== 200) return expect(outcome(answer)).toBe('400 invalid_url');
        expect(asRecord(answer.json).destination).toBe(sent);
        expect(new URL((await visit(qr.url)).to ?? '').href).toBe(new URL(sent).href);
      }),
      runs(80),
    );
  });

  test('any query gives a list within its bounds', async () => {
    const value = fc.oneof(anyLine, fc.integer().map(String), fc.double().map(String));
    const name = fc.oneof(fc.constantFrom('limit', 'offset'), anyLine);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        const list = asList((await api.call(`GET /qrs?${new URLSearchParams(pairs)}`)).json);
        expect(list.limit).toBeGreaterThanOrEqual(1);
        expect(list.limit).toBeLessThanOrEqual(100);
        expect(list.offset).toBeGreaterThanOrEqual(0);
        expect(list.data.length).toBeLessThanOrEqual(list.limit);
      }),
      runs(80),
    );
  });
});

test('the server is healthy afterwards', async () => {
  expect((await fetch(`${server.origin}/healthz`, { keepalive: false })).status).toBe(200);
  expect((await api.read(qr.code)).code).toBe(qr.code);
  expect(server.log()).not.toMatch(/^\s+at /m);
});
