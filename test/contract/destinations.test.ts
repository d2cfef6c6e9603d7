import { describe, expect, test } from 'bun:test';
import { hostname, networkInterfaces } from 'node:os';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asRecord, outcome } from '../support/wire.ts';

const server = await sharedServer();
const { api } = await server.account();
const qr = await api.create('https://example.org/start');
const { port } = new URL(server.origin);
const padded = (length: number) => 'https://example.org/'.padEnd(length, 'a');

// Names that the server knows of its own machine.
const machineHosts = [
  hostname(),
  ...Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
];

const valid: readonly string[] = [
  'http://example.org',
  'https://example.org',
  'https://example.org/',
  'HTTP://EXAMPLE.ORG/Path',
  'https://example.org:8443/a/b.html?c=d&e=%20f#g',
  'https://example.org/a/../b/./c//d',
  'https://example.org/%7Euser/%zz/100%',
  'https://example.org/?q=a+b&u=https://other.example/@me',
  'https://example.org/@name:part',
  "https://example.org/'()*!;,[]{}|^`",
  'https://example.org/"quoted"<tag>',
  'https://example.org#fragment',
  'https://example.org./',
  'http://192.0.2.7/',
  'http://intranet/',
  'http://[2001:db8::1]/',
  'http://[::1]:8080/a',
  'https://münchen.example/',
  'https://例え.テスト/道',
  'https://example.org/über?größe=groß#ß',
  'https://example.org/😀',
  'https://sub.under_score.example.org/',
  'https://xn--mnchen-3ya.example/',
  'https://MÜNCHEN.example/',
  'https://http.example.org/https://example.com',
  'https://example.org:/',
  'https://example.org:0443?',
  'http://[::ffff:192.0.2.7]/',
  `https://${'a'.repeat(63)}.example/`,
  `https://${'a.'.repeat(123)}example`,
  'https://example.org/?next=https%3A%2F%2Fexample.com%5C',
  'https://example.org/a\u200db\u200bc',
  'https://example.org/❤️',
  padded(2048),
  // Pages of this server that are no short links.
  `${server.origin}/`,
  `${server.origin}/account`,
];

const invalid: readonly string[] = [
  '',
  'x',
  'example.org',
  '/path',
  '//example.org/',
  'ftp://example.org/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,hello',
  'blob:https://example.org/1',
  'view-source:https://example.org/',
  'xhttp://example.org/',
  'http',
  'http:example.org',
  'http:/example.org',
  'http:\\\\example.org\\',
  'http://',
  'https://',
  'http://?q',
  'http://#f',
  'http://:80/',
  'http://[::1',
  'http://[::g]/',
  'http://256.256.256.256/',
  'http://example.org:99999/',
  'http://example.org:port/',
  'http://exa<mple.org/',
  'http://%00.example.org/',
  'http://exa mple.org/',
  'https://example.org/a b',
  ' https://example.org/',
  'https://example.org/ ',
  'https://example.org/#a b',
  'https://example.org/\n',
  'https://exam\tple.org/',
  'https://example.org/\r\nSet-Cookie: a=b',
  'https://example.org/\u0000',
  'https://example.org/\u001f',
  'https://example.org/\u007f',
  'https://example.org/\u0085',
  'https://user@example.org/',
  'https://:password@example.org/',
  'https://@example.org/',
  padded(2049),
  'https://https://example.org',
  'HTTP://HTTPS://example.org',
  'http://http//example.org',
  'https://https:/example.org',
  'https://https:443/example.org',
  'https://http./example.org',
  'https://htps://example.org',
  'https://ftp://example.org',
  'https://www.https://example.org',
  'https:///example.org',
  'https:////example.org',
  'https://.org',
  'https://.example.org',
  'https://example..org',
  'https://example.org..',
  'https://.',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'ü'.repeat(62)}.example/`,
  `https://${'a.'.repeat(124)}example`,
  'https://-a.example/',
  'https://a-.example/',
  "https://it's.example/",
  'https://a,b.example/',
  'https://{a}.example/',
  'https://"a".example/',
  'https://xn--a.example/',
  'https://example.org\\@evil.example',
  'https://example.org\\',
  'https://example.org/a\\b',
  'https://example.org?a=\\',
  'https://example.org#\\',
  'https://ｅxample.org/',
  'https://example。org/',
  'https://exam\u00adple.org/',
  'https://exam\u200bple.org/',
  'https://example.org:８０/',
  'https://%65xample.org/',
  'https://ex%C3%A4mple.org/',
  'http://127.1/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://2130706433/',
  'http://１２７.0.0.1/',
  'http://192.0.2.7./',
  'http://[fe80::1%25eth0]/',
  'http://[v1.a]/',
  'https://example.org/\u200b',
  'https://example.org/#\u2060',
  'https://example.org\ufeff',
  '\u200bhttps://example.org/',
  // Half of a surrogate pair cannot be encoded in UTF-8.
  'https://example.org/\ud800',
  'https://\ud800.example/',
];

const ownLinks: readonly string[] = [
  qr.url,
  `${qr.url}?utm_source=x`,
  qr.url.replace(qr.code, qr.code.toUpperCase()),
  qr.url.replace('http://', 'HTTP://'),
  `${qr.url}/`,
  `${qr.url}/?a#b`,
  ...['localhost', '127.0.0.2', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0'].map(
    (host) => qr.url.replace('127.0.0.1', host),
  ),
  ...machineHosts.map((host) => qr.url.replace('127.0.0.1', host)),
  qr.url.replace('127.0.0.1', '127.1'),
  qr.url.replace('127.0.0.1', '2130706433'),
  qr.url.replace(`:${port}/`, `:0${port}/`),
  qr.url.replace(`/${qr.code}`, `/./${qr.code}`),
  qr.url.replace(`/${qr.code}`, `//${qr.code}`),
  qr.url.replace('127.0.0.1', 'localhost.localdomain'),
  qr.url.replace('127.0.0.1', 'ip6-localhost'),
  qr.url.replace(`/${qr.code}`, `/x/../${qr.code}`),
  qr.url.replace(qr.code, `%${qr.code.charCodeAt(0).toString(16)}${qr.code.slice(1)}`),
];

describe('a valid destination is stored and redirected to exactly as sent', () => {
  test.each([...valid])('%s', async (url) => {
    const created = await api.create(url);
    expect(created.destination).toBe(url);
    expect((await api.read(created.code)).destination).toBe(url);
    const patched = await api.call(`PATCH /qrs/${qr.code}`, { url });
    expect(asRecord(patched.json)).toEqual({ ...qr, destination: url });
    // Other characters than ASCII are encoded in the header, as the URL standard does.
    const location = /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
    expect((await visit(created.url)).to).toBe(location);
  });
});

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
