import { expect, test } from 'bun:test';
import { realRandomBytes } from '../../src/compose/runtime.ts';
import { beginFlow } from '../../src/core/accounts/sign-in/provider-flow.ts';
import { start, useProvider } from '../oidc/fixture.ts';
import { createPanelClient, password, signedIn } from '../panel/client.ts';
import { fieldOf, textOf } from '../panel/page.ts';
import { codeOf, turnOn } from '../panel/second-factor.ts';

const operators = 'qr-admins';
const own = useProvider({ WAYMARK_OIDC_OPERATORS: operators });
const settings = '/account/settings';
const connect = `${start}?purpose=connect&next=${encodeURIComponent(settings)}`;

const hmac = (text: string, key: string) =>
  new Bun.CryptoHasher('sha256', key).update(text).digest('base64url');
const digestsOf = (text: string) =>
  (['hex', 'base64url'] as const).map((form) => Bun.CryptoHasher.hash('sha256', text, form));

/** Every secret that the browser and the person at it hold, and what is easily made of them. */
function withDigests(secrets: readonly string[]): string[] {
  return [...new Set(['', ...secrets, ...secrets.flatMap(digestsOf)])];
}

/** Texts that would prove something, if they were signed with a secret of the browser. */
function* proofs(key: string, email: string, subject: string): Generator<string> {
  const now = Date.now();
  const identity = { issuer: own.provider.issuer, subject, isOperator: true };
  const claims = [
    ...['code', 'password'].map((by) => JSON.stringify({ by, connects: true, ...identity, email })),
    JSON.stringify([identity.issuer, subject]),
    email,
  ];
  yield key;
  for (const kind of ['password', 'identity', 'new identity', 'connection'])
    for (const text of claims) yield `${now}.${hmac(`${kind} of ${text} at ${now}`, key)}.${text}`;
}

test('no text of the server can be made with what a browser holds', async () => {
  const { email, server } = own;
  own.knows('victim', { email: 'victim@example.org', email_verified: true, groups: [operators] });
  const attacker = await signedIn(server, email);
  const { secret, recoveryCodes } = await turnOn(attacker, password);
  // A sign-in and a connection that have begun.
  const second = createPanelClient(server.origin);
  const asked = await second.post('/account/sign-in', { email, password });
  await attacker.get(connect);
  const secrets = withDigests([
    ...attacker.cookies.values(),
    ...second.cookies.values(),
    await attacker.csrf(),
    fieldOf(asked.text, 'proof')?.value ?? '',
    ...[password, secret, codeOf(secret, 1), ...recoveryCodes.slice(0, 2), email],
    await server.generateKey(email),
  ]);
  const csrf = await attacker.csrf();
  const forged = secrets.flatMap((key) => [...proofs(key, email, 'victim')]);
  const ofPassword = fieldOf(asked.text, 'proof')?.value ?? '';
  let tried = 0;
  for (const proof of forged) {
    // That of the own password is genuine, where it is asked for.
    const [one] = recoveryCodes;
    const visitor = createPanelClient(server.origin);
    await attacker.post(`${settings}/identity`, { csrf, proof, password, code: one ?? '' });
    await visitor.post(`${start}/finish`, {
      proof,
      secret: one ?? '',
      by: 'code',
      next: '/account',
    });
    if (proof !== ofPassword)
      await visitor.post('/account/sign-in/code', { proof, code: one ?? '', next: '/account' });
    if (visitor.cookies.has('waymark-session')) throw new Error(`signed in with ${proof}`);
    tried++;
  }
  expect(tried).toBeGreaterThan(200);
  expect(await own.identityOf(email)).toBeNull();
  expect((await attacker.get('/account/accounts')).status).toBe(404);
  // The victim still gets no account of the attacker.
  const victim = own.visitor();
  expect((await own.enter(victim, { subject: 'victim' })).status).toBe(403);
});

test('no message of the panel can be made with what a browser holds', async () => {
  const { email, server } = own;
  const victim = await signedIn(server, email);
  const message = { kind: 'codesChanged', text: 'Forged by somebody else' };
  const payload = Buffer.from(JSON.stringify(message)).toString('base64url');
  for (const key of withDigests([...victim.cookies.values(), await victim.csrf(), password, email]))
    for (const signed of [payload, `message ${payload}`]) {
      victim.cookies.set('waymark-message', `${payload}.${hmac(signed, key)}`);
      expect((await victim.get('/account/codes')).text).not.toContain(message.text);
    }
  // One of the server is shown.
  const { to } = await victim.post('/account/settings/keys', { csrf: await victim.csrf() });
  expect((await victim.get(to ?? '')).text).toContain('Keyboard shortcuts are');
});

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/account/../../x', '/x'])(
  'a sign-in that the browser itself began with %j ends in the panel',
  async (next) => {
    const { email, server } = own;
    await server.addAccount(email);
    const client = own.visitor();
    const { cookie, secrets } = beginFlow(
      { purpose: 'sign-in', next, scopes: 'all', prompt: null },
      realRandomBytes,
      Date.now(),
    );
    const { to } = await client.get(start);
    const address = new URL(to ?? '');
    const challenge = Bun.CryptoHasher.hash('sha256', secrets.verifier, 'base64url');
    address.searchParams.set('state', secrets.state);
    address.searchParams.set('nonce', secrets.nonce);
    address.searchParams.set('code_challenge', challenge);
    client.cookies.set('waymark-oidc', cookie);
    const back = await own.provider.signIn(address.href, email);
    const entered = await client.get(`${back.pathname}${back.search}`);
    expect([entered.status, entered.to]).toEqual([303, '/account']);
    expect(await own.whoIs(client)).toBe(email);
  },
);

test('what a provider has said counts once, in its session, after a confirmation', async () => {
  const { email, server } = own;
  const client = await signedIn(server, email);
  const subject = `at the provider of ${email}`;
  own.knows(subject, { groups: [operators] });
  const offered = await own.enter(client, { subject, query: connect.slice(start.length) });
  const proof = fieldOf(offered.text, 'proof')?.value ?? '';
  const send = async (from: typeof client) =>
    from.post(`${settings}/identity`, { csrf: await from.csrf(), proof });
  const other = await signedIn(server, `other-${email}`);
  const same = createPanelClient(server.origin);
  await same.post('/account/sign-in', { email, password });
  for (const elsewhere of [other, same]) expect((await send(elsewhere)).status).toBe(422);
  const unconfirmed = await send(client);
  expect([unconfirmed.status, textOf(unconfirmed.text)]).toEqual([
    401,
    expect.stringContaining('Confirm that it’s you'),
  ]);
  expect(await own.identityOf(email)).toBeNull();
  const csrf = await client.csrf();
  await client.post('/account/confirm', { csrf, password: 'not the password', next: settings });
  expect((await send(client)).status).toBe(401);
  await client.post('/account/confirm', { csrf, password, next: settings });
  expect((await send(client)).to).toBe(settings);
  expect(await own.identityOf(email)).toBe(subject);
  // It is used.
  await client.post(`${settings}/identity/disconnect`, { csrf });
  expect((await send(client)).status).toBe(422);
  expect(await own.identityOf(email)).toBeNull();
});

test('sessions with fewer rights end when the account becomes an operator’s', async () => {
  const { email, server } = own;
  await server.addAccount(email);
  const [former, next] = [own.visitor(), own.visitor()];
  own.knows(email, { email, email_verified: true, groups: [] });
  await own.enter(former);
  expect((await former.get('/account/accounts')).status).toBe(404);
  own.knows(email, { email, email_verified: true, groups: [operators] });
  await own.enter(next);
  expect([await own.isSignedIn(former), await own.isSignedIn(next)]).toEqual([false, true]);
  expect((await next.get('/account/accounts')).status).toBe(200);
  // Nobody is signed out while the rights stay.
  const third = own.visitor();
  await own.enter(third);
  expect([await own.isSignedIn(next), await own.isSignedIn(third)]).toEqual([true, true]);
});
