import { afterAll, describe, expect, test } from 'bun:test';
import { acting } from '../stores/rows.ts';
import { sampleOf } from '../support/sample.ts';
import { startServer } from '../support/server.ts';
import { words } from '../support/words.ts';
import { createCode, createPanelClient, password, signedIn, signIn } from './client.ts';
import { parsePage, textOf } from './page.ts';

const server = await startServer();
afterAll(server.close);
const anna = await signedIn(server, 'anna@example.org', { isOperator: true });

// test/panel/routes.test.ts sends each form without a token, and from another site.
describe('a forged form', () => {
  const sent = { url: 'https://example.org/forged' };

  test('is rejected with a token that is not of this session, and from anywhere but our pages', async () => {
    const csrf = await anna.csrf();
    const elsewhere = await signIn(server, 'anna@example.org');
    for (const token of ['', 'f'.repeat(64), await elsewhere.csrf()])
      expect((await anna.post('/account/codes', { ...sent, csrf: token })).status).toBe(403);
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-site' },
      // A bookmark.
      { 'Sec-Fetch-Site': 'none' },
      // Older browsers, a frame in a sandbox, and no browser at all.
      { 'Sec-Fetch-Site': null, Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': null, Origin: 'null' },
      { 'Sec-Fetch-Site': null, Origin: null },
    ])
      expect([
        headers,
        (await anna.post('/account/codes', { ...sent, csrf }, headers)).status,
      ]).toEqual([headers, 403]);
    expect((await anna.get('/account/codes.csv')).text).not.toContain('forged');
    // Our page in a browser that sends Origin only.
    const accepted = await anna.post(
      '/account/codes',
      { ...sent, csrf },
      { 'Sec-Fetch-Site': null },
    );
    expect(accepted.status).toBe(303);
  });

  test('cannot sign anyone in', async () => {
    const victim = createPanelClient(server.origin);
    const fields = { email: 'anna@example.org', password };
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await victim.post('/account/sign-in', fields, headers)).status).toBe(403);
    expect(victim.cookies.size).toBe(0);
  });
});

// test/panel/sessions.test.ts ends sessions one by one.
describe('a stolen cookie', () => {
  test('is invalid after its owner signed out', async () => {
    const owner = await signedIn(server, 'carl@example.org');
    const thief = createPanelClient(server.origin);
    for (const [name, value] of owner.cookies) thief.cookies.set(name, value);
    expect((await thief.get('/account')).status).toBe(200);
    await owner.post('/account/sign-out', { csrf: await owner.csrf() });
    expect((await thief.get('/account')).to).toBe('/account/sign-in');
  });

  test('is invalid after a change of password, in the panel or by the command line', async () => {
    const thief = await signedIn(server, 'emil@example.org');
    const owner = await signIn(server, 'emil@example.org');
    const next = 'another few words';
    const csrf = await owner.csrf();
    await owner.post('/account/settings/password', { csrf, present: password, next });
    expect((await thief.get('/account')).to).toBe('/account/sign-in');
    expect((await owner.get('/account')).status).toBe(200);
    await server.cli(['account', 'password', 'emil@example.org', '--password-stdin'], {
      stdin: password,
    });
    expect((await owner.get('/account')).to).toBe('/account/sign-in');
  });
});

test("another account's code does not exist, and is in no list", async () => {
  const other = await signedIn(server, 'ben@example.org');
  const csrf = await other.csrf();
  const code = await createCode(anna, 'https://example.org/mine');
  // The link to the languages comes back to the address that was asked for.
  const withoutTokens = (text: string) => text.replaceAll(/[0-9a-f]{64}|language\?next=[^"]*/g, '');
  for (const [method, path] of [
    ...['', '/image.png', '/image.svg', '/picture', '/pdf'].map((page) => ['GET', page] as const),
    ...['/destination', '/labels', '/pause', '/resume'].map((form) => ['POST', form] as const),
  ]) {
    const ask = (which: string) => {
      const address = `/account/codes/${which}${path}`;
      const fields = { csrf, url: 'https://example.org/stolen', name: 'Stolen', note: '' };
      return method === 'GET' ? other.get(address) : other.post(address, fields);
    };
    const [existing, missing] = [await ask(code), await ask('zzzzzzzz')];
    expect([path, existing.status, missing.status]).toEqual([path, 404, 404]);
    expect(withoutTokens(existing.text)).toBe(withoutTokens(missing.text));
  }
  const { text } = await anna.get(`/account/codes/${code}`);
  expect(text).toContain('https://example.org/mine');
  expect(text).not.toContain('Stolen');
  for (const path of ['', '/codes', '/codes?q=mine', '/codes.csv'])
    expect((await other.get(`/account${path}`)).text).not.toContain(code);
});

describe('markup in input is escaped', () => {
  const script = `<img src=x onerror=alert(1)>"'><script>alert(1)</script>`;
  const expectEscaped = (text: string) => {
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>');
  };

  test('in a destination', async () => {
    const code = await createCode(anna, `https://example.org/?q=${script.replaceAll(' ', '+')}`);
    const form = { csrf: await anna.csrf(), url: 'https://example.org/' };
    await anna.post(`/account/codes/${code}/destination`, form);
    for (const list of ['/account', '/account/codes']) expectEscaped((await anna.get(list)).text);
    expectEscaped((await anna.get(`/account/codes/${code}`)).text);
    const { text } = await anna.get(`/account/codes/${code}/history`);
    expectEscaped(text);
    expect(text).toContain('&lt;script>alert(1)');
  });

  test('in an e-mail', async () => {
    const email = `<script>alert(1)</script>@example.org`;
    const rejected = await anna.post('/account/accounts', { csrf: await anna.csrf(), email });
    expect(rejected.status).toBe(422);
    expectEscaped(rejected.text);
    // Versions up to 1.1 stored it.
    await server.addAccount(email);
    expectEscaped((await anna.get('/account/accounts')).text);
  });

  test.each([
    ['codes', { url: `javascript:alert(1)//${script}` }],
    ['sign-in', { email: script, password: 'x' }],
    ['design', { do: 'save', foreground: script }],
    ['safety/rules', { address: script, decision: 'block' }],
  ] as const)('in a form that is rejected: %s', async (path, fields) => {
    const response = await anna.post(`/account/${path}`, { csrf: await anna.csrf(), ...fields });
    expect(response.status).toBe(422);
    expectEscaped(response.text);
  });

  test('in a search', async () => {
    for (const page of ['codes', 'accounts', 'safety'])
      expectEscaped((await anna.get(`/account/${page}?q=${encodeURIComponent(script)}`)).text);
  });

  test('in the name and the content of a file', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;
    const logo = new File([svg], `${script}.svg`, { type: 'image/svg+xml' });
    const form = { csrf: await anna.csrf(), do: 'preview', logo };
    expectEscaped((await anna.post('/account/design', form)).text);
  });
});

test.each([
  {
    // Reads as https://example.org/exe.jpg where the mark is obeyed. Earlier versions accepted it.
    url: 'https://example.org/\u202egpj.exe',
    shown: 'example.org/%E2%80%AEgpj.exe',
    deceiving: /\u202e/,
    isAccepted: false,
  },
  {
    url: 'https://p\u0430ypal.example/a',
    shown: 'p\u0430ypal.example (xn--pypal-4ve.example)/a',
    deceiving: /p\u0430ypal(?!\.example \(xn--)/,
    isAccepted: true,
  },
])(
  'a URL that would deceive is shown as what it is: $shown',
  async ({ url, shown, deceiving, isAccepted }) => {
    // The overview of another account may be kept from before.
    const email = `${shown.length}@deceived.example`;
    const bea = await signedIn(server, email, { isOperator: true });
    const code = await createCode(bea, 'https://example.org/');
    await server.onStores(async ({ accounts, qrs }) => {
      const account = await accounts.findByEmail(email);
      const act = acting(account?.id ?? 0);
      for (const destination of [url, 'https://example.org/', url])
        await qrs.changeDestination(act, code, destination, Date.now());
      await accounts.changePausedTexts(act, { pausedLink: url }, Date.now());
    });
    const csrf = await bea.csrf();
    const all = { csrf, all: 'yes', q: code };
    const replacing = { ...all, do: 'replace', replaced: 'https://', replacement: 'http://' };
    const table = await bea.post('/account/batches', { csrf, table: `${url}\tA` });
    const pages = [
      await bea.get('/account'),
      await bea.get('/account/activity'),
      await bea.get(`/account/codes?q=${code}`),
      await bea.get(`/account/codes/${code}`),
      await bea.get(`/account/safety?q=${code}`),
      await bea.get(`/account/safety?q=${encodeURIComponent(url)}`),
      await bea.get('/account/settings'),
      ...(isAccepted
        ? [await bea.post('/account/selection/preview', replacing), await bea.get(table.to ?? '')]
        : []),
    ];
    await server.cli(['code', 'pause', code]);
    const paused = await (await fetch(`${server.origin}/${code}`)).text();
    for (const text of [...pages.map((page) => page.text), paused]) {
      expect(textOf(text)).toContain(shown);
      const body = text.slice(text.indexOf('<body')).replaceAll(/<(?:input|textarea)[^>]*>/g, '');
      for (const [part] of body.matchAll(/>[^<]*|(?:title|aria-label)="[^"]*/g))
        expect(part).not.toMatch(deceiving);
    }
    for (const line of [
      ['code', 'show', code],
      ['code', 'list', '--account', email],
      ['activity', email],
    ]) {
      const { stdout } = await server.cli(line);
      expect(stdout).toContain(shown);
      expect(stdout).not.toMatch(deceiving);
    }
  },
);

describe('after signing in', () => {
  const enter = (next: string) =>
    createPanelClient(server.origin).post('/account/sign-in', {
      email: 'anna@example.org',
      password,
      next,
    });

  const elsewhere = [
    ...words(`
      https://evil.example //evil.example/account?q=menu /\\evil.example /account/../../evil
      /account//evil.example /account@evil.example?q=menu /accountant javascript:alert(1)
      /account/%2e%2e//evil.example /account/.%2E/\\evil.example /account%2f..%2f..%2fevil
      /docs/..//evil.example /docs.evil.example /api/v1/qrs account /%5cevil.example http:/account
      ?next=/account/design /account\\evil.example?q=menu
    `),
    ...['/account\r\nX: y', '/\t/evil.example', '\u00a0//evil.example', '/account\u0000'],
  ];
  test.each(sampleOf(elsewhere, 3))('%p is not followed', async (next) => {
    const path = `/account/sign-in?next=${encodeURIComponent(next)}`;
    const page = await createPanelClient(server.origin).get(path);
    expect(page.text).toContain('name="next" value="/account"');
  });

  test('a page elsewhere is not followed, whatever form named it', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/account\\evil.example'])
      expect((await enter(next)).to).toBe('/account');
  });

  test.each([
    '/account/codes?q=menu%20of+M%C3%BCnchen%26co',
    '/account/codes?q=https://evil.example/&page=2',
    '/account/codes?q=%0D%0AX:%20y',
    '/account/codes/M%C3%BCnchen%20(7)!?by=week',
    '/account/codes/a.b~c%25/image.png?size=512',
    // The longest path of an imported link.
    `/account/codes/${'%E8%8F%9C'.repeat(255)}?by=week`,
  ])('the requested page follows: %s', async (path) => {
    const client = createPanelClient(server.origin);
    const page = await client.get((await client.get(path)).to ?? '');
    expect(page.text).toContain(`name="next" value="${path.replaceAll('&', '&amp;')}"`);
    expect((await enter(path)).to).toBe(path);
  });

  test.each(['/account/?x', '/account?q=a&q=b', '/docs/?x', '/docs?x=1'])(
    '%s is followed too',
    async (next) => {
      expect((await enter(next)).to).toBe(next);
    },
  );
});

test.each(['/account', '/docs'])(
  '%s/ leads to the page without slash, query kept',
  async (path) => {
    const { status, to } = await createPanelClient(server.origin).get(`${path}/?x=1&y`);
    expect([status, to]).toEqual([308, `..${path}?x=1&y`]);
  },
);

// test/hostile/headers.test.ts has the headers of pages without a session.
describe('every response', () => {
  test('forbids framing and content from other origins, and has no inline style, script or handler', async () => {
    const code = await createCode(anna, 'https://example.org/plain');
    const paths = ['', `/codes/${code}`, '/codes.csv', '/design', '/key', '/settings', '/accounts'];
    for (const path of [...paths, '/accounts/1', '/safety?q=x.example']) {
      const { headers, status, text } = await anna.get(`/account${path}`);
      expect(status).toBe(200);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).not.toMatch(/<style|<script(?![^>]* src=)| style=| on[a-z]+=/i);
    }
  });

  test('links assets that are cached forever under names with their hash', async () => {
    const { text } = await anna.get('/account');
    const paths = [...text.matchAll(/(?:src|href)="(\/account\/assets\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      expect(path).toMatch(/\.[0-9a-f]{12}\.(css|js|png|svg)$/);
      const asset = await createPanelClient(server.origin).get(path);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });
});

describe('a form that is too large', () => {
  test('is rejected with a page', async () => {
    const response = await anna.post('/account/codes', {
      csrf: await anna.csrf(),
      url: 'x'.repeat(4 * 1024 * 1024),
    });
    expect(response.status).toBe(413);
    expect(response.text).toContain('The form is too large');
  });

  test('says how large a logo may be', async () => {
    const logo = new Blob([new Uint8Array(3_200_000)]);
    const csrf = await anna.csrf();
    const { status, text } = await anna.post('/account/design', { csrf, logo, do: 'save' });
    expect([status, text]).toEqual([413, expect.stringContaining('up to 1 MB')]);
  });

  test('keeps the other fields when only the logo is', async () => {
    const { status, text } = await anna.post('/account/design', {
      csrf: await anna.csrf(),
      background: '#fafafa',
      logo: new Blob([new Uint8Array(1_500_000)]),
      foreground: '#123abc',
      design_name: 'Summer',
      do: 'save',
    });
    const fields = parsePage(text).forms.flatMap((form) => form.fields);
    const field = (name: string) => fields.find((one) => one.name === name);
    expect([status, field('logo')?.isInvalid]).toEqual([422, true]);
    expect(field('logo')?.descriptions.at(-1)).toContain('a logo may have');
    const kept = ['background', 'foreground', 'design_name'].map((name) => field(name)?.value);
    expect(kept).toEqual(['#fafafa', '#123abc', 'Summer']);
  });
});

test('guessing passwords is throttled, and a trusted browser still signs in', async () => {
  const owner = await signedIn(server, 'fay@example.org');
  const visitor = createPanelClient(server.origin);
  const fields = { email: 'fay@example.org', password: 'a wrong guess' };
  for (let guess = 0; guess < 10; guess++)
    expect((await visitor.post('/account/sign-in', fields)).status).toBe(422);
  const slowed = await visitor.post('/account/sign-in', { ...fields, password });
  expect(slowed.status).toBe(429);
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
  await owner.post('/account/sign-out', { csrf: await owner.csrf() });
  const back = await owner.post('/account/sign-in', { email: 'fay@example.org', password });
  expect(back.to).toBe('/account');
});
