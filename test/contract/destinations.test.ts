import { describe, expect, test } from 'bun:test';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asRecord, outcome } from '../support/wire.ts';
import { words } from '../support/words.ts';

const server = await sharedServer();
const { api, email } = await server.account();
const qr = await api.create('https://example.org/start');

// Names that the server knows of its own machine.
const machineHosts = [
  hostname(),
  ...Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
];

// test/core/destination.test.ts has the tables of valid and invalid URLs.
const valid = words(`
  HTTP://EXAMPLE.ORG/Path
  https://example.org/a/../b/./c//d?q=a+b%20&u=https://other.example/@me#f
  https://example.org/'()*!;,[]{}|^\`"quoted"<tag>%zz
  https://MÜNCHEN.example/über?größe=groß#😀 http://[2001:db8::1]:8080/
  ${'https://example.org/'.padEnd(2048, 'a')}
`);
// Pages of this server that are no short links.
valid.push(`${server.origin}/`, `${server.origin}/account`);
const invalid = [
  ...words('example.org ftp://example.org/ javascript:alert(1) https://user@example.org/'),
  ...['', 'https://example.org\\@evil.example', 'https://example.org/\ud800'],
  'https://example.org/\r\nSet-Cookie: a=b',
  'https://example.org/'.padEnd(2049, 'a'),
  ...words('https://example.org:0/ https://example.org:000 https://example.org/%e2%80%AEgpj.exe'),
  'https://example.org/?a=\u200f',
];

const ownHosts = ['localhost', 'localhost.localdomain', 'ip6-localhost', '[::1]', '0.0.0.0'];
const ownLinks = [
  qr.url,
  `${qr.url}/?a#b`,
  qr.url.replace(qr.code, qr.code.toUpperCase()),
  ...[...ownHosts, ...machineHosts].map((host) => qr.url.replace('127.0.0.1', host)),
];

test.each(valid)(
  'a valid destination is stored and redirected to exactly as sent: %s',
  async (url) => {
    const created = await api.create(url);
    expect(created.destination).toBe(url);
    expect((await api.read(created.code)).destination).toBe(url);
    const patched = await api.call(`PATCH /qrs/${qr.code}`, { url });
    expect(asRecord(patched.json)).toEqual({ ...qr, destination: url });
    // Other characters than ASCII are encoded in the header, as the URL standard does.
    const location = /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
    expect((await visit(created.url)).to).toBe(location);
  },
);

describe('url is not a valid http or https URL: 400 invalid_url (rule 3)', () => {
  const named = [...invalid, ...ownLinks].map(
    (url) => [JSON.stringify(url).slice(0, 80), url] as const,
  );

  test.each(named)('%s', async (_name, url) => {
    const before = await api.read(qr.code);
    const { total } = await api.list('?limit=1');
    expect(outcome(await api.call('POST /qrs', { url }))).toBe('400 invalid_url');
    expect(outcome(await api.call(`PATCH /qrs/${qr.code}`, { url }))).toBe('400 invalid_url');
    expect(await api.read(qr.code)).toEqual(before);
    expect((await api.list('?limit=1')).total).toBe(total);
  });

  test.each([
    ['https://example.org:0/', 'The port is 0'],
    ['https://example.org/%E2%80%AEgpj.exe', 'changes the direction of text'],
  ])('each way to set a destination refuses %s', async (url, reason) => {
    const codes = join(server.folder, 'refused-codes.csv');
    await Bun.write(codes, `destination,name\n${url},A\n`);
    const links = join(server.folder, 'refused-links.csv');
    await Bun.write(links, `path,destination\nrefused,${url}\n`);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    for (const line of [
      ['code', 'create', url, '--account', email],
      ['code', 'set', qr.code, '--url', url],
      ['code', 'plan', qr.code, '--at', tomorrow, '--url', url],
      ['code', 'import', codes, '--account', email],
      ['link', 'import', links, '--account', email],
      ['account', 'set', email, '--paused-link', url],
    ]) {
      const { exitCode, stdout, stderr } = await server.cli(line);
      expect({ line, isRefused: exitCode !== 0, output: stdout + stderr }).toEqual({
        line,
        isRefused: true,
        output: expect.stringContaining(reason),
      });
    }
  });

  test('the message says what was probably meant', async () => {
    const { json } = await api.call('POST /qrs', { url: 'https://https//example.org/menu' });
    expect(JSON.stringify(json)).toContain('two schemes. Did you mean https://example.org/menu?');
  });

  test.each([
    [{ url: 7 }],
    [{ url: true }],
    [{ url: null }],
    [{ url: ['https://example.org/'] }],
    [{ url: { href: 'https://a.example/' } }],
    [{}],
    [{ URL: 'https://example.org/' }],
    [{ destination: 'https://example.org/' }],
  ])('url is missing or no string: %j', async (body) => {
    expect(outcome(await api.call('POST /qrs', body))).toBe('400 invalid_url');
    expect(outcome(await api.call(`PATCH /qrs/${qr.code}`, body))).toBe('400 invalid_url');
  });
});
