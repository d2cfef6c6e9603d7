import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asRecord, outcome } from '../support/wire.ts';
import rows from './fixtures/url-cases.json';

// The inputs of web-platform-tests' URL parser tests as destinations; fixtures/README.md says more.
// Security check 13: whatever a browser makes of a text, it is refused, or leads to that very place.
const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/start');

const cases = rows.map(([input, href]) => ({ input: input ?? '', href: href ?? null }));

/** DESIGN, "a valid destination", beyond what the URL standard says. */
function isRefusedHere(input: string, href: string): boolean {
  const hasBlank = /[\p{Cc}\p{Z}]/u.test(input);
  const authority = /^https?:[/\\]+([^/?#\\]*)/i.exec(input)?.[1] ?? '';
  return (
    !/^https?:\/\//i.test(input) ||
    hasBlank ||
    !input.isWellFormed() ||
    authority.includes('@') ||
    new URL(href).username !== ''
  );
}

const accepted = cases.filter(({ input, href }) => href !== null && !isRefusedHere(input, href));
const refused = cases.filter((one) => !accepted.includes(one));

test('the suite is there', () => {
  expect([cases.length, accepted.length]).toEqual([620, 107]);
});

describe('what a browser refuses, or DESIGN does, is 400 invalid_url on POST and PATCH', () => {
  test.each(refused.map(({ input }) => [JSON.stringify(input), input]))('%s', async (_, url) => {
    for (const line of ['POST /qrs', `PATCH /qrs/${qr.code}`])
      expect(outcome(await api.call(line, { url }))).toBe('400 invalid_url');
  });
});

describe('what is accepted is kept as sent and leads where a browser would go', () => {
  test.each(accepted.map(({ input, href }) => [JSON.stringify(input), input, href]))(
    '%s',
    async (_, url, href) => {
      const answer = await api.call(`PATCH /qrs/${qr.code}`, { url });
      expect(asRecord(answer.json).destination).toBe(url ?? '');
      const { status, to, headers } = await visit(qr.url);
      expect(status).toBe(302);
      expect(to ?? '').toMatch(/^https?:\/\/[\x21-\x7e]+$/i);
      expect(new URL(to ?? '').href).toBe(href ?? '');
      expect([...headers.keys()].sort()).toEqual(redirectHeaders);
    },
  );
});

/** Nothing of a destination ever becomes a header of its own. */
const redirectHeaders = [
  'cache-control',
  'content-length',
  'date',
  'location',
  'referrer-policy',
  'x-content-type-options',
  'x-robots-tag',
];

test('a destination that is refused leaves the one before in place', async () => {
  await api.call(`PATCH /qrs/${qr.code}`, { url: 'https://example.org/kept' });
  for (const { input } of refused.slice(0, 50))
    await api.call(`PATCH /qrs/${qr.code}`, { url: input });
  expect((await visit(qr.url)).to).toBe('https://example.org/kept');
  expect((await api.list()).total).toBe(1);
  expect(server.log()).not.toMatch(/ (warn|error) /);
});
