import { describe, expect, test } from 'bun:test';
import { refusalCommand } from '../../src/panel/ui/sentences/provider.ts';
import { password, signedIn } from '../panel/client.ts';
import { fieldOf, headingOf, linkOf, textOf } from '../panel/page.ts';
import { codeOf, turnOn } from '../panel/second-factor.ts';
import { visit } from '../support/visit.ts';
import { start, useProvider } from './fixture.ts';

describe('an account that nobody has entered', () => {
  const own = useProvider();

  test('is connected by a verified address at once, and its link ends', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    const issued = (await own.server.cli(['account', 'link', email, '--json'])).stdout;
    const link = new URL(JSON.parse(issued).link).pathname;
    expect((await own.visitor().get(link)).status).toBe(200);
    const client = own.visitor();
    const { status, to } = await own.enter(client, { query: '?next=%2Faccount%2Fkey' });
    expect([status, to]).toEqual([303, '/account/key']);
    expect(await own.whoIs(client)).toBe(email);
    expect(await own.identityOf()).toBe(email);
    expect((await own.visitor().get(link)).status).toBe(410);
    expect(client.cookies.has('waymark-oidc')).toBe(false);
    expect(own.server.log()).toContain(`signed in address="127.0.0.1" account="${email}"`);
  });

  test('is of the same person afterwards, whatever the address there', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    await own.enter(own.visitor());
    for (const claims of [{ email: 'new@example.org', email_verified: false }, {}]) {
      own.knows(email, claims);
      const client = own.visitor();
      await own.enter(client);
      expect(await own.whoIs(client)).toBe(email);
    }
  });

  test('is not that of another person with the same address', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    await own.enter(own.visitor());
    own.knows('thief', { email, email_verified: true });
    const client = own.visitor();
    const { status, text } = await own.enter(client, { subject: 'thief' });
    expect([status, headingOf(text)]).toEqual([403, 'Osteria login didn’t let you in']);
    expect(textOf(text)).toContain('is connected with another person of Osteria login');
    expect(await own.isSignedIn(client)).toBe(false);
    expect(await own.identityOf()).toBe(email);
  });

  test('is connected once if two come back at once', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    own.knows('second', { email, email_verified: true });
    const clients = [own.visitor(), own.visitor()];
    const statuses = await Promise.all(
      clients.map((client, index) =>
        own.enter(client, { subject: index === 0 ? email : 'second' }),
      ),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([303, 403]);
  });
});

describe('an account with a password', () => {
  const own = useProvider();

  test('is connected once its owner has typed it, and never asks again', async () => {
    const { email } = own;
    const owner = await signedIn(own.server, email);
    const client = own.visitor();
    const asked = await own.enter(client, { query: '?next=%2Faccount%2Fkey' });
    expect([asked.status, headingOf(asked.text)]).toEqual([200, 'Connect your account']);
    expect(textOf(asked.text)).toContain(
      'Type your Waymark password once to connect Osteria login',
    );
    expect(await own.isSignedIn(client)).toBe(false);
    const wrong = await own.finish(client, asked.text, 'not the password');
    expect([wrong.status, headingOf(wrong.text)]).toEqual([422, 'Connect your account']);
    expect(await own.identityOf()).toBeNull();
    expect((await own.finish(client, wrong.text, password)).to).toBe('/account/key');
    expect(await own.identityOf()).toBe(email);
    const next = own.visitor();
    expect((await own.enter(next)).status).toBe(303);
    expect(await own.whoIs(next)).toBe(email);
    // The password and the other sessions stay.
    expect(await own.isSignedIn(owner)).toBe(true);
    expect((await own.visitor().post('/account/sign-in', { email, password })).status).toBe(303);
  });

  test('cannot be taken over with a proof of somebody else, or a changed one', async () => {
    const { email } = own;
    await signedIn(own.server, email);
    await signedIn(own.server, `thief-of-${email}`);
    own.knows('thief', { email: `thief-of-${email}`, email_verified: true });
    const thief = own.visitor();
    const asked = await own.enter(thief, { subject: 'thief' });
    const proof = fieldOf(asked.text, 'proof')?.value ?? '';
    for (const forged of [
      proof.replace(/^./, (first) => (first === '0' ? '1' : '0')),
      proof.toUpperCase(),
      `${proof} `,
      new Bun.CryptoHasher('sha256').update(proof).digest('hex'),
      '',
      'x'.repeat(30_000),
    ]) {
      const { to } = await own.finish(thief, asked.text, password, { proof: forged });
      expect(to).toBe('/account/sign-in');
      expect(await own.isSignedIn(thief)).toBe(false);
    }
    expect(await own.identityOf()).toBeNull();
    expect(await own.identityOf(`thief-of-${email}`)).toBeNull();
  });

  test('cannot be connected by guessing: attempts are counted as sign-ins', async () => {
    const { email } = own;
    await signedIn(own.server, email);
    const client = own.visitor();
    const asked = await own.enter(client);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await own.finish(client, asked.text, `guess ${n}`)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await own.finish(client, asked.text, password)).status).toBe(429);
    expect(await own.identityOf()).toBeNull();
  });

  test.each([
    ['not verified', { email_verified: false }],
    ['not said to be verified', {}],
    ['verified by another word', { email_verified: 'yes' }],
  ])('is never connected by an address that is %s', async (_, claims) => {
    const { email } = own;
    await signedIn(own.server, email);
    await own.server.addAccount(`empty-${email}`);
    for (const address of [email, `empty-${email}`]) {
      own.knows(email, { email: address, ...claims });
      const client = own.visitor();
      const { status, text } = await own.enter(client);
      expect([status, textOf(text)]).toEqual([
        403,
        expect.stringContaining('Osteria login doesn’t vouch for this address'),
      ]);
      expect(await own.isSignedIn(client)).toBe(false);
      expect(await own.identityOf(address)).toBeNull();
    }
  });

  test('with a second factor is connected with a code, which each sign-in asks for', async () => {
    const { email } = own;
    const owner = await signedIn(own.server, email);
    const { secret } = await turnOn(owner, password);
    const client = own.visitor();
    const asked = await own.enter(client);
    expect(textOf(asked.text)).toContain('Type a code of your second factor once');
    expect((await own.finish(client, asked.text, password)).status).toBe(422);
    expect((await own.finish(client, asked.text, '000000')).status).toBe(422);
    const code = codeOf(secret, 1);
    expect((await own.finish(client, asked.text, code)).to).toBe('/account');
    expect(await own.identityOf()).toBe(email);
    const again = own.visitor();
    const more = await own.enter(again);
    expect([more.status, headingOf(more.text)]).toEqual([200, 'One more step']);
    expect(await own.isSignedIn(again)).toBe(false);
    // Each code counts once.
    expect((await own.finish(again, more.text, code)).status).toBe(422);
    expect(await own.isSignedIn(again)).toBe(false);
  });

  test('with a second factor that the server cannot read takes no code of the app', async () => {
    const { email } = own;
    const { secret, recoveryCodes } = await turnOn(await signedIn(own.server, email), password);
    await own.restart({ WAYMARK_SECRET_KEY: 'f'.repeat(64) });
    const client = own.visitor();
    const asked = await own.enter(client);
    for (const code of ['000000', codeOf(secret, 1), 'anything', password]) {
      const { status, text } = await own.finish(client, asked.text, code);
      expect([status, textOf(text)]).toEqual([
        422,
        expect.stringContaining('because its key is missing'),
      ]);
      expect([await own.isSignedIn(client), await own.identityOf()]).toEqual([false, null]);
    }
    expect((await own.finish(client, asked.text, recoveryCodes[0] ?? '')).to).toBe('/account');
    await own.restart();
  });

  test('cannot be entered with a code after the password, by what asked for the one of the provider', async () => {
    const { email } = own;
    const owner = await signedIn(own.server, email);
    const { recoveryCodes } = await turnOn(owner, password);
    const client = own.visitor();
    const asked = await own.enter(client);
    const proof = fieldOf(asked.text, 'proof')?.value ?? '';
    const fields = { proof, code: recoveryCodes[0] ?? '', next: '/account' };
    expect((await client.post('/account/sign-in/code', fields)).status).toBe(401);
    expect(await own.isSignedIn(client)).toBe(false);
  });
});

describe('somebody without an account', () => {
  const own = useProvider();

  test('is told so, with what to tell the operator', async () => {
    const { email } = own;
    const client = own.visitor();
    const { status, text } = await own.enter(client);
    expect([status, headingOf(text)]).toEqual([403, 'Osteria login didn’t let you in']);
    const shown = textOf(text);
    expect(shown).toContain(`${email} has no access`);
    const reference = /reference ([0-9a-f]{6})/.exec(shown)?.[1] ?? 'none';
    expect(own.server.log()).toMatch(new RegExp(`no account: ${email}.*reference="?${reference}`));
    expect((await own.server.cli(['account', 'list'])).stdout).not.toContain(email);
  });

  test('may try another login', async () => {
    const client = own.visitor();
    const { text } = await own.enter(client);
    const { to } = await client.get(linkOf(text, 'Try another login') ?? '');
    expect(new URL(to ?? '').searchParams.get('prompt')).toBe('select_account');
  });
});

describe('the command on the page of somebody without an account', () => {
  const own = useProvider();

  test('names the address, and lets the person in', async () => {
    const client = own.visitor();
    const { text } = await own.enter(client);
    const [, command = ''] = /<code>waymark ([^<]*)<\/code>/.exec(text) ?? [];
    expect(command).toBe(`account create ${own.email}`);
    expect((await own.server.cli(command.split(' '))).exitCode).toBe(0);
    await own.enter(client);
    expect(await own.isSignedIn(client)).toBe(true);
  });
});

test('what a provider says is quoted in commands', () => {
  const email = "a'b$(id)@example.org";
  const quoted = "'a'\\''b$(id)@example.org'";
  expect(refusalCommand('no account', email)).toBe(`waymark account create ${quoted}`);
  expect(refusalCommand('unverified', email)).toBe(`waymark account link ${quoted}`);
  expect(refusalCommand('unverified', null)).toBe('waymark account link EMAIL');
});

describe('an answer', () => {
  const own = useProvider();

  test('counts in the browser that began, once, and only there', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    const client = own.visitor();
    const { to } = await client.get(start);
    const cookie = client.cookies.get('waymark-oidc') ?? '';
    const back = await own.provider.signIn(to ?? '', email);
    const path = `${back.pathname}${back.search}`;
    const other = own.visitor();
    expect((await other.get(path)).to).toBe('/account/sign-in');
    expect((await other.get('/account/sign-in')).text).toContain('began in another browser');
    await other.get(start);
    expect((await other.get(path)).status).toBe(400);
    // Another state than that of the cookie is compared before the code is sent to the own.provider.
    client.cookies.set('waymark-oidc', cookie.replace('sign-in', 'connect'));
    expect((await client.get(path)).status).toBe(400);
    client.cookies.set('waymark-oidc', cookie);
    expect((await client.get(path)).status).toBe(303);
    expect(await own.isSignedIn(client)).toBe(true);
    // Back, and another tab.
    expect((await client.get(path)).to).toBe('/account');
    // The whole answer again: the provider has ended the code.
    const replaying = own.visitor();
    replaying.cookies.set('waymark-oidc', cookie);
    const replayed = await replaying.get(path);
    expect([replayed.status, textOf(replayed.text)]).toEqual([
      400,
      expect.stringContaining('was used already'),
    ]);
    expect(await own.isSignedIn(replaying)).toBe(false);
    expect(replaying.cookies.has('waymark-oidc')).toBe(false);
  });

  test('counts for ten minutes', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    const client = own.visitor();
    await client.get(start);
    const old = String(Date.now() - 601_000);
    const cookie = (client.cookies.get('waymark-oidc') ?? '').replace(/^\d+/, old);
    client.cookies.set('waymark-oidc', cookie);
    expect((await client.get(`${start}/callback?code=x&state=x`)).to).toBe('/account/sign-in');
  });

  test('counts at another copy of the own.server, and after a restart', async () => {
    const { email } = own;
    await own.server.addAccount(email);
    const client = own.visitor();
    const { to } = await client.get(start);
    await own.restart();
    const back = await own.provider.signIn(to ?? '', email);
    expect((await client.get(`${back.pathname}${back.search}`)).to).toBe('/account');
  });

  test.each([
    ['access_denied', 403, 'You cancelled, or Osteria login has refused'],
    ['temporarily_unavailable', 503, 'Osteria login doesn’t answer'],
    ['<script>', 400, 'doesn’t belong to your sign-in'],
  ])('is an error of the provider: %s', async (error, status, words) => {
    const client = own.visitor();
    const { to } = await client.get(start);
    const state = new URL(to ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error, state, iss: own.provider.issuer });
    const answer = await client.get(`${start}/callback?${query}`);
    expect([answer.status, headingOf(answer.text)]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
    // No page has the words of another cause.
    expect(textOf(answer.text)).not.toMatch(/let you in$|has no access|invitation/);
    expect(answer.text).not.toContain('<script>');
  });

  test('that is wrong counts as a failed sign-in of its network', async () => {
    const statuses = new Set<number>();
    const client = own.visitor();
    for (let n = 0; n < 40 && !statuses.has(429); n++) {
      await client.get(start);
      statuses.add((await client.get(`${start}/callback?code=x&state=x`)).status);
    }
    expect([...statuses]).toEqual([400, 429]);
  });

  test('leads to pages of the panel only', async () => {
    await own.restart();
    let nexts = 0;
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/elsewhere',
    ]) {
      const email = `next-${nexts++}@example.org`;
      own.knows(email, { email, email_verified: true });
      await own.server.addAccount(email);
      const { to } = await own.enter(own.visitor(), {
        subject: email,
        query: `?${new URLSearchParams({ next })}`,
      });
      expect(to).toBe('/account');
    }
  });
});

describe('while the provider is down', () => {
  const own = useProvider();

  test('the page says so, the API and redirects go on, and a one-time link is the way in', async () => {
    const { email } = own;
    const holder = await own.server.account(email);
    const { code } = await holder.api.create('https://example.org/on');
    await own.provider.close();
    const client = own.visitor();
    const page = await client.get('/account/sign-in');
    expect(page.text).toContain('Continue with Osteria login');
    const { status, text } = await client.get(start);
    expect([status, headingOf(text)]).toEqual([503, 'Osteria login doesn’t answer']);
    expect(textOf(text)).toContain('waymark account link');
    expect(textOf(text)).not.toMatch(/let you in|no access|invit/);
    // The same begins again, with the page to go to.
    const other = await client.get(`${start}?next=/account/codes`);
    expect(linkOf(other.text, 'Try again')).toBe(`${start}?next=%2Faccount%2Fcodes`);
    expect((await visit(`${own.server.origin}/${code}`)).to).toBe('https://example.org/on');
    const { stdout } = await own.server.cli(['account', 'link', email, '--json']);
    const path = new URL(JSON.parse(stdout).link).pathname;
    expect((await client.post(path, { password })).to).toBe('/account');
    expect(await own.isSignedIn(client)).toBe(true);
    // A server starts without it.
    await own.restart();
    expect((await visit(`${own.server.origin}/${code}`)).to).toBe('https://example.org/on');
  });
});
