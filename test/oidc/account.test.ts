import { describe, expect, test } from 'bun:test';
import { confirmationLifetimeMs } from '../../src/core/accounts/session.ts';
import { type PanelClient, password, signedIn } from '../panel/client.ts';
import { fieldOf, headingOf, linkOf, parsePage, sentFields, textOf } from '../panel/page.ts';
import { turnOn } from '../panel/second-factor.ts';
import { until } from '../support/until.ts';
import { start, useProvider } from './fixture.ts';

const old = { ageMs: confirmationLifetimeMs + 60_000 };
const settings = '/account/settings';
const connect = `?purpose=connect&next=${encodeURIComponent(settings)}`;

/** Sends the form that connects an account. */
const sendOnly = (client: PanelClient, shown: string) => {
  const form = parsePage(shown).forms.find(({ action }) => action.endsWith('/identity'));
  return client.post(`${settings}/identity`, sentFields(form));
};

/** Sends it, and once more after the confirmation that it asks for. */
const send = async (client: PanelClient, shown: string) => {
  const asked = await sendOnly(client, shown);
  if (asked.status !== 401) return asked;
  const csrf = await client.csrf();
  await client.post('/account/confirm', { csrf, password, next: settings });
  return sendOnly(client, shown);
};

describe('under Settings, an account', () => {
  const own = useProvider();

  test('is connected with anybody there, verified or not, and signs in so from then on', async () => {
    const client = await signedIn(own.server, own.email);
    own.knows('elsewhere', { email: 'private@example.net', email_verified: false });
    expect(linkOf((await client.get(settings)).text, 'Connect')).toContain('purpose=connect');
    const asked = await own.enter(client, { subject: 'elsewhere', query: connect });
    expect([asked.status, headingOf(asked.text)]).toEqual([200, 'Connect Osteria login?']);
    expect(textOf(asked.text)).toContain(
      `private@example.net of Osteria login then signs in as ${own.email}`,
    );
    // Opening the address is not enough.
    expect(await own.identityOf()).toBeNull();
    expect((await send(client, asked.text)).to).toBe(settings);
    expect(textOf((await client.get(settings)).text)).toContain(
      'Connected. From now on, it signs you in.',
    );
    const next = own.visitor();
    await own.enter(next, { subject: 'elsewhere' });
    expect(await own.whoIs(next)).toBe(own.email);
    expect(linkOf((await client.get(settings)).text, 'Connect')).toBeUndefined();
  });

  test('is not connected by a thief of the session, nor by a form of another session', async () => {
    const thief = await signedIn(own.server, own.email, old);
    own.knows('thief', {});
    const asked = await own.enter(thief, { subject: 'thief', query: connect });
    const refused = await sendOnly(thief, asked.text);
    expect([refused.status, headingOf(refused.text)]).toEqual([401, 'Confirm that it’s you']);
    const other = await signedIn(own.server, `other-${own.email}`);
    const proof = fieldOf(asked.text, 'proof')?.value ?? '';
    const foreign = { csrf: await other.csrf(), proof };
    expect((await other.post(`${settings}/identity`, foreign)).status).toBe(422);
    expect([await own.identityOf(), await own.identityOf(`other-${own.email}`)]).toEqual([
      null,
      null,
    ]);
  });

  test('is connected with one identity, and an identity with one account', async () => {
    const one = await signedIn(own.server, own.email);
    await send(one, (await own.enter(one, { query: connect })).text);
    own.knows('second', {});
    const again = await send(
      one,
      (await own.enter(one, { subject: 'second', query: connect })).text,
    );
    const other = await signedIn(own.server, `other-${own.email}`);
    const taken = await send(other, (await own.enter(other, { query: connect })).text);
    for (const { status, text } of [again, taken])
      expect([status, textOf(text)]).toEqual([422, expect.stringContaining('connected already')]);
    expect([await own.identityOf(), await own.identityOf(`other-${own.email}`)]).toEqual([
      own.email,
      null,
    ]);
  });

  test('is disconnected if it has a password, which ends the sessions of the provider', async () => {
    const client = await signedIn(own.server, own.email);
    await send(client, (await own.enter(client, { query: connect })).text);
    const provided = own.visitor();
    await own.enter(provided);
    const path = `${settings}/identity/disconnect`;
    expect((await client.post(path, { csrf: await client.csrf() })).to).toBe(settings);
    expect(await own.isSignedIn(client)).toBe(true);
    expect(await own.isSignedIn(provided)).toBe(false);
    expect(await own.identityOf()).toBeNull();

    const without = own.visitor();
    await own.server.addAccount(`empty-${own.email}`);
    own.knows('empty', { email: `empty-${own.email}`, email_verified: true });
    await own.enter(without, { subject: 'empty' });
    expect((await without.post(path, { csrf: await without.csrf() })).status).toBe(422);
    expect(await own.identityOf(`empty-${own.email}`)).toBe('empty');
  });

  test('without a password sets one, turns on the second factor, makes a key and is deleted', async () => {
    await own.server.addAccount(own.email);
    const client = own.visitor();
    await own.enter(client);
    const csrf = await client.csrf();
    const page = await client.get('/account/key');
    expect(fieldOf(page.text, 'password')).toBeUndefined();
    expect((await client.post('/account/key', { csrf, replaces: '' })).text).toContain('wmk_');
    const { recoveryCodes } = await turnOn(client, '');
    const off = { csrf, code: recoveryCodes[0] ?? '' };
    expect((await client.post(`${settings}/second-factor/off`, off)).to).toBe(settings);
    expect((await client.post(`${settings}/password`, { csrf, next: password })).to).toBe(settings);
    const { email } = own;
    expect((await own.visitor().post('/account/sign-in', { email, password })).status).toBe(303);
    expect(textOf((await client.get(settings)).text)).toContain(
      'A new one signs you out everywhere else',
    );
    const gone = { csrf: await client.csrf(), email, password, codes: 'keep' };
    expect((await client.post(`${settings}/delete`, gone)).to).toBe('/account/sign-in');
  });
});

describe('an operator without a password', () => {
  const own = useProvider();

  test('confirms at the provider, who is asked to sign in again, and must be the same person', async () => {
    const id = await own.server.addAccount(own.email, { isOperator: true });
    const victim = await own.server.addAccount(`victim-${own.email}`);
    const at = new Map<string, string>();
    const client = own.visitor();
    await own.enter(client, { at });
    const form = { csrf: await client.csrf() };
    const path = `/account/accounts/${victim}/link`;
    expect((await client.post(path, form)).status).toBe(200);
    await own.server.onStores(async ({ sessions }) => {
      for (const { hash } of await sessions.list(id, 0, 10))
        await sessions.recordConfirmation(hash, 1);
    });
    const asked = await client.post(path, form);
    expect([asked.status, textOf(asked.text)]).toEqual([
      401,
      expect.stringContaining('sign in at Osteria login again'),
    ]);
    expect(fieldOf(asked.text, 'password')).toBeUndefined();
    const done = () => client.post('/account/confirm/done', { ...form, next: path });
    expect((await done()).status).toBe(401);
    const query = '?purpose=confirm&next=%2Faccount%2Faccounts';
    const { to } = await client.get(`${start}${query}`);
    const sent = new URL(to ?? '').searchParams;
    expect([sent.get('prompt'), sent.get('max_age')]).toEqual(['login', '0']);
    const other = await own.enter(client, { subject: 'first@example.org', query });
    expect([other.status, textOf(other.text)]).toEqual([
      403,
      expect.stringContaining('somebody else'),
    ]);
    expect((await client.post(path, form)).status).toBe(401);
    expect((await own.enter(client, { query, at })).to).toBe('/account/accounts');
    expect((await done()).status).toBe(303);
    expect((await client.post(path, form)).status).toBe(200);
  });
});

describe('the group of operators', () => {
  const own = useProvider({ WAYMARK_OIDC_OPERATORS: 'qr-admins' });

  test('counts at each sign-in, and a missing claim changes nothing', async () => {
    await own.server.addAccount(own.email);
    // The only operator would stay one.
    await own.server.addAccount(`other-${own.email}`, { isOperator: true });
    const claims = { email: own.email, email_verified: true };
    const isOperatorWith = async (groups: unknown) => {
      own.knows(own.email, { ...claims, groups });
      const client = own.visitor();
      await own.enter(client);
      return (await client.get('/account/accounts')).status === 200;
    };
    expect(await isOperatorWith(['staff'])).toBe(false);
    expect(await isOperatorWith(['staff', 'qr-admins'])).toBe(true);
    expect(await isOperatorWith(undefined)).toBe(true);
    expect(own.server.log()).toContain('the provider names no groups');
    expect(await isOperatorWith([])).toBe(false);
    await own.server.cli(['account', 'operator', own.email]);
    expect(await isOperatorWith(undefined)).toBe(true);
    expect(await isOperatorWith('/qr-admins')).toBe(true);
    expect(await isOperatorWith({ 'qr-admins': true })).toBe(true);
    expect(await isOperatorWith(['QR-ADMINS'])).toBe(false);
  });
});

describe('the only operator', () => {
  const own = useProvider({ WAYMARK_OIDC_OPERATORS: 'qr-admins' });
  const warning = /There is no operator.*qr-admins.*waymark account operator EMAIL/;
  const warnings = async () =>
    Object(await (await fetch(`${own.server.origin}/healthz`)).json()).warnings;
  const operators = async () => {
    const { stdout } = await own.server.cli(['doctor', '--json']);
    const checks: { name: string; status: string; message: string }[] = JSON.parse(stdout).checks;
    return checks.find(({ name }) => name === 'operators');
  };

  test('stays one whatever the groups say, and the health check says when there is none', async () => {
    await until(async () => (await warnings()).some((text: string) => warning.test(text)));
    expect(await operators()).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('no operator'),
    });
    const enterAs = async (email: string, groups: readonly string[]) => {
      own.knows(email, { email, email_verified: true, groups });
      const client = own.visitor();
      await own.enter(client, { subject: email });
      return (await client.get('/account/accounts')).status === 200;
    };
    const { email } = own;
    await own.server.addAccount(email);
    await own.server.addAccount(`second-${email}`);
    expect(await enterAs(email, ['qr-admins'])).toBe(true);
    await until(async () => !(await warnings()).some((text: string) => warning.test(text)));
    expect(await operators()).toBeUndefined();
    expect(await enterAs(email, ['staff'])).toBe(true);
    expect(own.server.log()).toMatch(/the only operator stays one.*account="?person-/);
    // With another one, it counts.
    expect(await enterAs(`second-${email}`, ['qr-admins'])).toBe(true);
    const both = await Promise.all([enterAs(email, []), enterAs(`second-${email}`, [])]);
    expect(both.filter(Boolean)).toHaveLength(1);
  });
});

describe('a provider that lists the scope of groups and refuses it to this client', () => {
  const own = useProvider({ WAYMARK_OIDC_OPERATORS: 'qr-admins' }, 'openid profile email');

  test('is asked again without it, and doctor names it', async () => {
    await own.server.addAccount(own.email);
    const client = own.visitor();
    const { to } = await client.get(`${start}?next=%2Faccount%2Fkey`);
    expect(new URL(to ?? '').searchParams.get('scope')).toContain('groups');
    const refused = await own.provider.signIn(to ?? '', own.email);
    expect(refused.searchParams.get('error')).toBe('invalid_scope');
    const again = await client.get(`${refused.pathname}${refused.search}`);
    expect(new URL(again.to ?? '').searchParams.get('scope')).toBe('openid email profile');
    const back = await own.provider.signIn(again.to ?? '', own.email);
    expect((await client.get(`${back.pathname}${back.search}`)).to).toBe('/account/key');
    expect(await own.whoIs(client)).toBe(own.email);
    expect(own.server.log()).toContain('the provider refuses the scope "groups"');
    // The next one is not sent there twice.
    expect((await own.enter(own.visitor())).status).toBe(303);
    const env = { ...own.provider.env, WAYMARK_OIDC_OPERATORS: 'qr-admins' };
    const { stdout } = await own.server.cli(['doctor'], { env });
    expect(stdout).toContain('it refuses the scope "groups" to this client');
  });
});

describe('a provider that refuses all scopes to this client', () => {
  const own = useProvider({ WAYMARK_OIDC_OPERATORS: 'qr-admins' }, 'openid');

  test('is asked twice, and the page names the scopes', async () => {
    const client = own.visitor();
    const refuse = async (address: string | null) => {
      const { pathname, search } = await own.provider.signIn(address ?? '', own.email);
      return client.get(`${pathname}${search}`);
    };
    const again = await refuse((await client.get(start)).to);
    const { status, text } = await refuse(again.to);
    expect([status, textOf(text)]).toEqual([403, expect.stringContaining('“openid”, “email”')]);
    expect(client.cookies.has('waymark-oidc')).toBe(false);
  });
});

describe('with sign-up on', () => {
  const own = useProvider({ WAYMARK_OIDC_SIGN_UP: 'on' });

  test('a person without an account gets one with a plan without end, once', async () => {
    const clients = [own.visitor(), own.visitor()];
    const results = await Promise.all(clients.map((client) => own.enter(client)));
    expect(results.map(({ status }) => status)).toEqual([303, 303]);
    for (const client of clients) expect(await own.whoIs(client)).toBe(own.email);
    const { stdout } = await own.server.cli(['account', 'show', own.email, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ email: own.email, plan_until: null });
  });

  test.each([
    ['not verified', { email: 'x@example.org', email_verified: false }],
    ['missing', {}],
    ['not that of an account', { email: 'x@müller_.example', email_verified: true }],
    ['that of the codes of deleted accounts', { email: 'nobody', email_verified: true }],
  ])('nobody gets one whose address is %s', async (_, claims) => {
    own.knows('stranger', claims);
    const client = own.visitor();
    expect((await own.enter(client, { subject: 'stranger' })).status).toBe(403);
    expect(await own.isSignedIn(client)).toBe(false);
    const { stdout } = await own.server.cli(['account', 'list']);
    expect(stdout).not.toMatch(/x@|nobody/);
  });
});

describe('without passwords', () => {
  const own = useProvider({ WAYMARK_PASSWORDS: 'off' });

  test('no form has one, and one that is sent is refused', async () => {
    const client = await signedIn(own.server, own.email);
    const page = (await own.visitor().get('/account/sign-in')).text;
    expect([fieldOf(page, 'password'), fieldOf(page, 'email')]).toEqual([undefined, undefined]);
    expect(textOf(page)).toContain('This server doesn’t see your password.');
    const { email } = own;
    expect((await own.visitor().post('/account/sign-in', { email, password })).status).toBe(403);
    expect(textOf((await client.get(settings)).text)).not.toContain('Password');
    const form = { csrf: await client.csrf(), present: password, next: 'another few words' };
    expect((await client.post(`${settings}/password`, form)).status).toBe(403);
    expect((await client.get(`${settings}/password`)).status).toBe(403);
    const env = { ...own.provider.env, WAYMARK_PASSWORDS: 'off' };
    const options = { stdin: 'another few words', env };
    for (const args of [
      ['account', 'password', email, '--password-stdin'],
      ['account', 'create', 'new@example.org', '--password-stdin'],
    ]) {
      const { exitCode, stderr } = await own.server.cli(args, options);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('WAYMARK_PASSWORDS is off')]);
    }
  });

  test('whoever prepared an account does not stay in when its owner comes', async () => {
    const attacker = await signedIn(own.server, own.email);
    const issued = (await own.server.cli(['account', 'link', own.email, '--json'])).stdout;
    const link = new URL(JSON.parse(issued).link).pathname;
    const owner = own.visitor();
    expect((await own.enter(owner)).to).toBe('/account');
    expect(await own.whoIs(owner)).toBe(own.email);
    expect(await own.isSignedIn(attacker)).toBe(false);
    expect((await own.visitor().get(link)).status).toBe(410);
    await own.server.onStores(async ({ credentials }) => {
      expect((await credentials.find(own.email))?.passwordHash).toBeNull();
    });
    // Not if passwords come back either.
    await own.restart({ WAYMARK_PASSWORDS: 'on' });
    const { email } = own;
    expect((await own.visitor().post('/account/sign-in', { email, password })).status).toBe(422);
    await own.restart();
  });

  test('a one-time link signs in with a button, once, and sets no password', async () => {
    await own.server.addAccount(own.email);
    const { stdout } = await own.server.cli(['account', 'link', own.email, '--json']);
    const path = new URL(JSON.parse(stdout).link).pathname;
    const client = own.visitor();
    const page = await client.get(path);
    expect([headingOf(page.text), fieldOf(page.text, 'password')]).toEqual(['Sign in', undefined]);
    expect(await own.isSignedIn(client)).toBe(false);
    expect((await client.post(path, { password })).to).toBe('/account');
    expect(await own.whoIs(client)).toBe(own.email);
    expect((await own.visitor().post(path, {})).status).toBe(410);
    await own.server.onStores(async ({ credentials }) => {
      expect((await credentials.find(own.email))?.passwordHash).toBeNull();
    });
  });

  test('a second factor that its owner has turned on stays asked for', async () => {
    await own.server.addAccount(own.email);
    const client = own.visitor();
    await own.enter(client);
    await turnOn(client, '');
    const asked = await own.enter(own.visitor());
    expect([asked.status, headingOf(asked.text)]).toEqual([200, 'One more step']);
  });
});

describe('an invitation', () => {
  const own = useProvider();

  test.each(['on', 'off'])(
    'gives an account to its verified address at the provider, with passwords %s',
    async (passwords) => {
      await own.restart({ WAYMARK_PASSWORDS: passwords });
      const inviter = `inviter-${own.email}`;
      await own.server.addAccount(inviter);
      const args = ['account', 'invite', inviter, '--to', own.email, '--role', 'viewer', '--json'];
      const { stdout } = await own.server.cli(args);
      const path = new URL(JSON.parse(stdout).link).pathname;
      const query = `?${new URLSearchParams({ next: path })}`;
      for (const claims of [
        { email: own.email, email_verified: false },
        { email: `other-${own.email}`, email_verified: true },
      ]) {
        own.knows('other', claims);
        expect((await own.enter(own.visitor(), { subject: 'other', query })).status).toBe(403);
      }
      const client = own.visitor();
      const page = (await client.get(path)).text;
      expect(linkOf(page, 'Continue with Osteria login')).toContain('next=');
      expect(fieldOf(page, 'password') === undefined).toBe(passwords === 'off');
      if (passwords === 'off') expect((await client.post(path, { password })).status).toBe(403);
      expect((await own.enter(client, { query })).to).toBe(path);
      const form = { csrf: await client.csrf() };
      expect((await client.post(`${path}/accept`, form)).status).toBe(303);
      const shown = (await own.server.cli(['account', 'people', inviter, '--json'])).stdout;
      expect(JSON.parse(shown).people).toContainEqual(
        expect.objectContaining({ email: own.email, role: 'viewer' }),
      );
      // It is an account without a plan.
      const { plan_until } = JSON.parse(
        (await own.server.cli(['account', 'show', own.email, '--json'])).stdout,
      );
      expect(Date.parse(plan_until)).toBeLessThan(Date.now());
    },
  );
});

describe('below a path, behind a proxy', () => {
  const own = useProvider();

  test('the redirect URI is that of the public URL, which doctor prints and the start leads to', async () => {
    await own.restart({ WAYMARK_PUBLIC_URL: 'https://qr.example.org/q' });
    const redirect = 'https://qr.example.org/q/account/sign-in/oidc/callback';
    const here = own.visitor();
    const first = await here.get(`${start}?next=%2Faccount%2Fkey`, { Host: '10.0.0.5:8080' });
    expect(first.to).toBe(`https://qr.example.org/q${start}?next=%2Faccount%2Fkey&moved=yes`);
    const { to, headers } = await here.get(start, { Host: 'qr.example.org' });
    expect(new URL(to ?? '').searchParams.get('redirect_uri')).toBe(redirect);
    expect(headers.get('set-cookie')).toMatch(/^__Host-waymark-oidc=.*Secure/);
    const env = { ...own.provider.env, WAYMARK_PUBLIC_URL: 'https://qr.example.org/q' };
    const { stdout } = await own.server.cli(['doctor', '--json'], { env });
    const checks: { name: string; message: string }[] = JSON.parse(stdout).checks;
    const messageOf = (name: string) => checks.find((check) => check.name === name)?.message;
    expect(messageOf('redirect URI')).toBe(`register ${redirect} at Osteria login`);
    expect(messageOf('sign-in provider')).toBe(
      `${own.provider.issuer} answers as an OpenID Connect provider`,
    );
  });
});
