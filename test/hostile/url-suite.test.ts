import { expect, test } from 'bun:test';
import { domainToUnicode } from 'node:url';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asRecord, outcome } from '../support/wire.ts';
import rows from './fixtures/url-cases.json';

// The inputs of web-platform-tests' URL parser tests as destinations (fixtures/README.md). Security check 13: an input
// is rejected, or the redirect goes where a browser would go.
const server = await sharedServer();
const { api } = await server.account();
const qr = await api.create('https://example.org/start');

const cases = rows.map(([input, href]) => ({ input: input ?? '', href: href ?? null }));

/** Returns whether DESIGN, "a valid destination", rejects what the URL standard accepts. */
function isRejectedByDesign(input: string, href: string): boolean {
  // Direction marks would show another address than the one that opens.
  const hasBlank = /[\p{Cc}\p{Z}\p{Bidi_C}]/u.test(input);
  const authority = /^https?:[/\\]+([^/?#\\]*)/i.exec(input)?.[1] ?? '';
  return (
    !/^https?:\/\//i.test(input) ||
    hasBlank ||
    !input.isWellFormed() ||
    authority.includes('@') ||
    new URL(href).username !== '' ||
    new URL(href).port === '0' ||
    input.includes('\\') ||
    !isReadAlike(authority, new URL(href))
  );
}

/** Returns whether RFC 3986 finds the host of the URL standard in an authority, and DNS can hold it. */
function isReadAlike(authority: string, { hostname }: URL): boolean {
  const host = authority.replace(/:\d*$/, '');
  if (host.startsWith('[')) return true;
  if (!/^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/.test(hostname)) return false;
  if (/^http$/.test(hostname)) return false;
  return /^[\0-\x7f]*$/.test(host)
    ? host.toLowerCase() === hostname
    : domainToUnicode(hostname) === host.normalize('NFC').toLowerCase();
}

const accepted = cases.filter(
  ({ input, href }) => href !== null && !isRejectedByDesign(input, href),
);
const rejected = cases.filter((one) => !accepted.includes(one));

// No part of a destination becomes another header.
const redirectHeaders =
  'cache-control content-length date location referrer-policy x-content-type-options x-robots-tag';

test('the suite is complete', () => {
  expect([cases.length, accepted.length]).toEqual([620, 81]);
});

test('invalid URLs are 400 invalid_url and leave the destination unchanged', async () => {
  for (const { input } of rejected) {
    const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: input });
    expect(`${input} ${outcome(answer)}`).toBe(`${input} 400 invalid_url`);
  }
  expect((await visit(qr.url)).to).toBe('https://example.org/start');
  expect(server.problems()).toEqual([]);
});

test.each(accepted.map(({ input, href }) => [JSON.stringify(input), input, href]))(
  '%s is stored as sent and redirects there',
  async (_, url, href) => {
    const answer = await api.call(`PATCH /qrs/${qr.code}`, { url });
    expect(asRecord(answer.json).destination).toBe(url ?? '');
    const { status, to, headers } = await visit(qr.url);
    expect(status).toBe(302);
    expect(to ?? '').toMatch(/^https?:\/\/[\x21-\x7e]+$/i);
    expect(new URL(to ?? '').href).toBe(href ?? '');
    expect([...headers.keys()].sort().join(' ')).toBe(redirectHeaders);
  },
);
