import { expect, test } from 'bun:test';
import { hashOf } from '../../src/reputation/url/expressions.ts';
import { signedIn } from '../panel/client.ts';
import { serve } from '../reputation/stub.ts';
import { type Found, json, protobuf } from '../reputation/v5-wire.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

const evil = 'https://shop.evil.example/a?b=c';
const good = 'https://example.org/';
const found: Found[] = [{ hash: hashOf('evil.example/'), details: [{ type: 2 }] }];
const none: Found[] = [];

/** Returns whether a v5 request has the hash prefix of the domain. */
const asksForEvil = ({ searchParams }: URL) =>
  searchParams
    .getAll('hashPrefixes')
    .includes(Buffer.from(hashOf('evil.example/').subarray(0, 4)).toString('base64'));

const protocols: [name: string, setting: string, answer: (url: URL, body: string) => Response][] = [
  [
    'Web Risk',
    'webrisk',
    ({ searchParams }) =>
      Response.json(
        searchParams.get('uri') === evil
          ? { threat: { threatTypes: ['MALWARE'], expireTime: '2099-01-01T00:00:00Z' } }
          : {},
      ),
  ],
  [
    'Safe Browsing v5 in protobuf',
    'v5',
    (url) =>
      new Response(protobuf(asksForEvil(url) ? found : none, 300), {
        headers: { 'Content-Type': 'application/x-protobuf' },
      }),
  ],
  [
    'Safe Browsing v5 in JSON',
    'v5',
    (url) => Response.json(json(asksForEvil(url) ? found : none, 300)),
  ],
  [
    'a provider over HTTP',
    'http',
    (_, body) => Response.json({ unsafe: body.includes('evil.example'), threat: 'MALWARE' }),
  ],
];

test.each(protocols)('422 unsafe_url comes from a remote check: %s', async (_, setting, answer) => {
  const stub = serve(async (request) => answer(new URL(request.url), await request.text()));
  const env = {
    WAYMARK_SAFE_BROWSING: setting,
    WAYMARK_SAFE_BROWSING_KEY: 'a-secret',
    WAYMARK_SAFE_BROWSING_URL: stub.url,
  };
  const server = await startServer(env);
  try {
    const { api } = await server.account('alice@example.org');
    const { code } = await api.create(good);
    for (let time = 0; time < 2; time++) {
      expect(outcome(await api.call('POST /qrs', { url: evil }))).toBe('422 unsafe_url');
      expect(outcome(await api.call(`PATCH /qrs/${code}`, { url: evil }))).toBe('422 unsafe_url');
    }
    // Each URL is asked about once.
    expect(stub.requests).toHaveLength(2);
    const { destination } = await api.read(code);
    expect([destination, (await api.list()).total]).toEqual([good, 1]);
    const check = await server.cli(['safety', 'check', evil, '--json'], { env });
    expect(fieldsOf(JSON.parse(check.stdout))).toMatchObject({
      verdict: 'flagged',
      decided_by: setting,
    });
    expect(server.log()).not.toContain('a-secret');
  } finally {
    await server.close();
  }
});

test('API, warning page and panel name the remote check that flags a code', async () => {
  let unsafe = false;
  const stub = serve(() => Response.json({ unsafe }));
  const env = { WAYMARK_SAFE_BROWSING: 'http', WAYMARK_SAFE_BROWSING_URL: stub.url };
  const server = await startServer(env);
  try {
    const email = 'operator@example.org';
    const operator = await signedIn(server, email, { isOperator: true });
    const api = server.api(await server.generateKey(email));
    const { code, url } = await api.create('https://later.example/');
    unsafe = true;
    const refused = await api.call('POST /qrs', { url: 'https://later.example/x' });
    expect(refused.text).toContain('the remote check \\"http\\" flags');
    expect((await server.cli(['safety', 'recheck'], { env })).exitCode).toBe(0);
    const { body } = await visit(url);
    expect(body).toContain('A safe-browsing service has flagged this address');
    const safety = await operator.get('/account/safety');
    expect(safety.text).toContain('flagged by the remote check “http” as “https://later.example/”');
    const own = await operator.get(`/account/codes/${code}`);
    expect(own.text).toContain('by the remote check “http” as “https://later.example/”.');
  } finally {
    await server.close();
  }
});
