import { afterAll, describe, expect, test } from 'bun:test';
import {
  type ProvidedPerson,
  ProviderFailure,
  type ProviderProblem,
} from '../../src/core/accounts/sign-in/provider.ts';
import { createProvider } from '../../src/oidc/provider.ts';

const now = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const { key_ops: _, ...publicKey } = await crypto.subtle.exportKey('jwk', pair.publicKey);
const secrets = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) };

/** What the stub answers. Each test changes some of it. */
interface Answers {
  document: Record<string, unknown>;
  rawDocument: Response | null;
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  userinfo: Record<string, unknown>;
  isSigned: boolean;
  tokenError: string | null;
}
let answers: Answers;
let tokenRequest = { authorization: '', body: '' };

const stub = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/openid-configuration'))
      return answers.rawDocument ?? Response.json(answers.document);
    if (pathname === '/jwks') return Response.json({ keys: [{ ...publicKey, kid: 'k' }] });
    if (pathname === '/me') return Response.json(answers.userinfo);
    const body = await request.text();
    tokenRequest = { authorization: request.headers.get('authorization') ?? '', body };
    if (answers.tokenError !== null)
      return Response.json({ error: answers.tokenError }, { status: 400 });
    const signed = `${base64url(answers.header)}.${base64url(answers.claims)}`;
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      pair.privateKey,
      Buffer.from(answers.isSigned ? signed : 'something else'),
    );
    const token = `${signed}.${Buffer.from(signature).toString('base64url')}`;
    return Response.json({ access_token: 'access', token_type: 'bearer', id_token: token });
  },
});
afterAll(() => stub.stop(true));
const issuer = `http://127.0.0.1:${stub.port}`;

/** Receives an answer of the stub. */
const receive = async (
  change: (answers: Answers) => void = () => {},
  { query = '', operators = null as string | null, isFresh = false } = {},
): Promise<ProvidedPerson> => {
  answers = {
    document: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
    },
    rawDocument: null,
    header: { alg: 'ES256', kid: 'k' },
    claims: {
      ...{ iss: issuer, aud: 'waymark', sub: 'anna', nonce: 'nonce' },
      ...{ iat: now(), exp: now() + 300 },
      ...{ email: 'Anna@Example.org', email_verified: true },
    },
    userinfo: {},
    isSigned: true,
    tokenError: null,
  };
  change(answers);
  const provider = createProvider(
    {
      ...{ issuer, clientId: 'waymark', clientSecret: 'p+ä:w %', name: null, operators },
      publicUrl: 'https://qr.example.org/below',
    },
    { nowMs: Date.now, monotonicMs: Date.now },
  );
  return provider.receive(query || '?code=c&state=state', secrets, isFresh);
};

/** Returns why an answer is refused. */
const problemOf = async (...attempt: Parameters<typeof receive>): Promise<ProviderProblem> => {
  try {
    throw new Error(`accepted: ${JSON.stringify(await receive(...attempt))}`);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    expect(error.message).not.toMatch(/p\+ä|access|"c"/);
    return error.problem;
  }
};

test('a good answer names the person; the secret and the redirect URI are sent as they must be', async () => {
  expect(await receive()).toEqual({
    ...{ issuer, subject: 'anna', email: 'anna@example.org' },
    ...{ isEmailVerified: true, isOperator: null },
  });
  // RFC 6749, 2.3.1: both are form-encoded first.
  const credentials = `waymark:${encodeURIComponent('p+ä:w %').replaceAll('%20', '+')}`;
  expect(tokenRequest.authorization).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
  expect(new URLSearchParams(tokenRequest.body).get('redirect_uri')).toBe(
    'https://qr.example.org/below/account/sign-in/oidc/callback',
  );
  expect(new URLSearchParams(tokenRequest.body).get('code_verifier')).toBe(secrets.verifier);
  await receive(({ document }) => {
    document['token_endpoint_auth_methods_supported'] = ['client_secret_post'];
  });
  expect(tokenRequest.authorization).toBe('');
  expect(new URLSearchParams(tokenRequest.body).get('client_secret')).toBe('p+ä:w %');
});

describe('a forged answer is refused', () => {
  const claim = (name: string, value: unknown) => (changed: Answers) => {
    changed.claims[name] = value;
  };
  test.each<[string, (changed: Answers) => void]>([
    ['another key has signed', (changed) => (changed.isSigned = false)],
    ['algorithm none', (changed) => (changed.header['alg'] = 'none')],
    ['a symmetric algorithm', (changed) => (changed.header['alg'] = 'HS256')],
    ['an algorithm that is not listed', (changed) => (changed.header['alg'] = 'RS256')],
    ['an unknown key', (changed) => (changed.header['kid'] = 'other')],
    ['another audience', claim('aud', 'other')],
    ['no audience', claim('aud', undefined)],
    ['more than one audience', claim('aud', ['waymark', 'other'])],
    ['another issuer', claim('iss', 'https://evil.example')],
    ['another nonce', claim('nonce', 'other')],
    ['no nonce', claim('nonce', undefined)],
    ['no subject', claim('sub', undefined)],
    ['an empty subject', claim('sub', '')],
    ['a subject that is too long', claim('sub', 'x'.repeat(256))],
    ['a subject with a line break', claim('sub', 'an\nna')],
    ['a subject that is no text', claim('sub', 7)],
    ['no time', claim('exp', undefined)],
  ])('%s', async (_, change) => {
    expect(await problemOf(change)).toBe('wrong answer');
  });

  test.each([
    ['another state', '?code=c&state=other', 'wrong answer'],
    ['no state', '?code=c', 'wrong answer'],
    ['no code', '?state=state', 'wrong answer'],
    ['a token in the query', '?state=state&id_token=x.y.z', 'wrong answer'],
    [
      'another provider (mix-up)',
      '?code=c&state=state&iss=https%3A%2F%2Fevil.example',
      'wrong answer',
    ],
    ['denied', '?error=access_denied&state=state', 'denied'],
    ['the provider is down', '?error=server_error&state=state', 'unreachable'],
  ] as const)('%s', async (_, query, problem) => {
    expect(await problemOf(undefined, { query })).toBe(problem);
  });

  test.each([
    ['expired', { iat: now() - 900, exp: now() - 600 }],
    ['of the future', { nbf: now() + 600 }],
  ])('%s: the clocks are said to differ', async (_, claims) => {
    const problem = await problemOf((changed) => Object.assign(changed.claims, claims));
    expect(problem).toBe('clock');
  });

  test('by a minute, clocks may differ', async () => {
    const slow = { iat: now() - 340, exp: now() - 40 };
    expect((await receive((changed) => Object.assign(changed.claims, slow))).subject).toBe('anna');
    const fast = { iat: now() + 40, nbf: now() + 40 };
    expect((await receive((changed) => Object.assign(changed.claims, fast))).subject).toBe('anna');
  });

  test.each([
    ['invalid_grant', 'code used'],
    ['invalid_client', 'wrong client'],
    ['unauthorized_client', 'wrong client'],
    ['something_else', 'wrong answer'],
  ] as const)('the code is not accepted: %s', async (error, problem) => {
    expect(await problemOf((changed) => (changed.tokenError = error))).toBe(problem);
  });
});

describe('who signed in there long ago', () => {
  test.each([
    ['not said', undefined],
    ['said', now() - 400],
  ])('does not confirm: %s', async (_, time) => {
    const change = (changed: Answers) => (changed.claims['auth_time'] = time);
    expect(await problemOf(change, { isFresh: true })).toBe('not fresh');
    expect((await receive(change)).subject).toBe('anna');
  });

  test('confirms a moment ago', async () => {
    const change = (changed: Answers) => (changed.claims['auth_time'] = now() - 5);
    expect((await receive(change, { isFresh: true })).subject).toBe('anna');
  });
});

describe('a document', () => {
  const respond = (text: string, init?: ResponseInit) => (changed: Answers) => {
    changed.rawDocument = new Response(text, init);
  };
  const json = { headers: { 'content-type': 'application/json' } };
  test.each<[string, (changed: Answers) => void, ProviderProblem]>([
    ['is a page', respond('<html>', { headers: { 'content-type': 'text/html' } }), 'no provider'],
    ['is no JSON', respond('{', json), 'no provider'],
    ['is too long', respond(`{"a":"${'x'.repeat(2_000_000)}"}`, json), 'no provider'],
    ['is elsewhere', respond('', { status: 302, headers: { location: '/other' } }), 'no provider'],
    ['is missing', respond('', { status: 404 }), 'no provider'],
    ['is an error', respond('', { status: 503 }), 'unreachable'],
    ['names another issuer', (all) => (all.document['issuer'] = `${issuer}/main/`), 'other issuer'],
  ])('%s', async (_, change, problem) => {
    expect(await problemOf(change)).toBe(problem);
  });
});

describe('claims', () => {
  test.each([
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, true],
    [{ email_verified: false }, false],
    [{ email_verified: 'false' }, false],
    [{ email_verified: 1 }, false],
    [{ email_verified: 'yes' }, false],
    [{ email_verified: [true] }, false],
    [{ email_verified: undefined }, false],
  ])('%p vouch for an address: %p', async (claims, isEmailVerified) => {
    const person = await receive((changed) => Object.assign(changed.claims, claims));
    expect(person).toMatchObject({ email: 'anna@example.org', isEmailVerified });
  });

  test.each([
    [['anna@example.org']],
    [''],
    ['no address'],
    ['a@b@c'],
    [`${'x'.repeat(300)}@example.org`],
    ['anna@example.org\n'],
    [null],
  ])('that are no address give none: %p', async (email) => {
    expect((await receive((changed) => (changed.claims['email'] = email))).email).toBeNull();
  });

  test('of two documents do not vouch for each other', async () => {
    const person = await receive((changed) => {
      changed.document['userinfo_endpoint'] = `${issuer}/me`;
      Object.assign(changed.claims, { email: undefined, email_verified: true });
      changed.userinfo = { sub: 'anna', email: 'victim@example.org' };
    });
    expect(person).toMatchObject({ email: 'victim@example.org', isEmailVerified: false });
  });

  test('of another person at the userinfo endpoint are refused', async () => {
    const problem = await problemOf((changed) => {
      changed.document['userinfo_endpoint'] = `${issuer}/me`;
      changed.claims['email'] = undefined;
      changed.userinfo = { sub: 'ben', email: 'ben@example.org', email_verified: true };
    });
    expect(problem).not.toBe('unreachable');
  });

  test.each([
    [['staff', 'admins'], true],
    [['/admins'], true],
    ['admins', true],
    [['staff'], false],
    [[], false],
    [['ADMINS', 'admins2', 'x/admins'], false],
    ['staff,admins', true],
    ['staff, /admins', true],
    ['staff, other', false],
    ['staff admins', false],
    [[{ id: '7', name: 'admins' }], true],
    [[{ path: '/admins' }, 'staff'], true],
    [[{ display: 'staff', value: '9' }], false],
    [[{ title: 'admins' }], null],
    [[7], null],
    [7, null],
    [null, null],
    [undefined, null],
    [{ admins: true }, null],
  ])('of groups %p make an operator: %p', async (groups, isOperator) => {
    const change = (changed: Answers) => (changed.claims['groups'] = groups);
    expect((await receive(change, { operators: 'admins' })).isOperator).toBe(isOperator);
    expect((await receive(change)).isOperator).toBeNull();
  });
});

test('a provider that is asked twice is asked for its document once, and again after a failure', async () => {
  let asked = 0;
  let isDown = true;
  const server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      asked++;
      const own = `http://127.0.0.1:${server.port}`;
      return isDown
        ? new Response('', { status: 500 })
        : Response.json({ issuer: own, authorization_endpoint: `${own}/authorize` });
    },
  });
  const own = `http://127.0.0.1:${server.port}`;
  let nowMs = Date.now();
  const provider = createProvider(
    {
      ...{ issuer: own, clientId: 'w', clientSecret: 's', name: null, operators: null },
      publicUrl: 'https://qr.example.org',
    },
    { nowMs: () => nowMs, monotonicMs: () => nowMs },
  );
  expect(asked).toBe(0);
  const start = () => provider.signInUrl(secrets, null, 'all');
  await expect(start()).rejects.toThrow(ProviderFailure);
  isDown = false;
  const [address] = await Promise.all([start(), start(), start()]);
  expect(asked).toBe(2);
  expect(Object.fromEntries(new URL(address ?? '').searchParams)).toMatchObject({
    ...{ client_id: 'w', response_type: 'code', scope: 'openid email profile' },
    ...{ state: 'state', nonce: 'nonce', code_challenge_method: 'S256' },
    redirect_uri: 'https://qr.example.org/account/sign-in/oidc/callback',
  });
  expect(address).not.toContain(secrets.verifier);
  nowMs += 3_600_001;
  await start();
  expect(asked).toBe(3);
  await server.stop(true);
});
