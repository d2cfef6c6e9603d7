import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { hashPassword } from '../../src/core/accounts/password.ts';
import {
  createPanelClient,
  type PanelClient,
  password,
  signedIn,
  signIn,
} from '../panel/client.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

// One account or address that asks for as much as it can does not hold up another: the other is answered while
// requests of the first still wait. test/core/fair-queue.test.ts has the order of turns.

const server = await startServer({ WAYMARK_TRUST_PROXY: '127.0.0.1' });
afterAll(server.close);
const alice = await server.account('alice@example.org');
// Verified at the cost of real ones.
const passwordHash = await hashPassword(password);
const aliceBrowser = await signedIn(server, 'anna@example.org', { passwordHash });
const mallory = await signedIn(server, 'mallory@example.org', {
  passwordHash,
  planUntilMs: Date.parse('2099-12-31'),
});

/** Sends many requests at once, and ends those that have no answer yet. */
async function flood(
  count: number,
  send: (number: number, init: { signal: AbortSignal }) => Promise<{ status: number }>,
  isWork: (status: number) => boolean = (status) => status < 400,
) {
  const controller = new AbortController();
  const { signal } = controller;
  const statuses: number[] = [];
  const requests = Array.from({ length: count }, (_, number) =>
    send(number, { signal })
      .then(({ status }) => statuses.push(status))
      .catch(() => {}),
  );
  await until(async () => statuses.some(isWork));
  return {
    waiting: () => count - statuses.length,
    end: async () => {
      controller.abort();
      await Promise.all(requests);
    },
  };
}

/** Returns a browser with the same cookies whose requests can be ended. */
function sameBrowser(client: PanelClient, init: { signal: AbortSignal }): PanelClient {
  const copy = createPanelClient(server.origin, init);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}

const from = (address: string) => ({ 'X-Forwarded-For': address });

const { url: shortLink } = await alice.api.create('https://example.org/start');

test.each([
  ['page', async () => (await aliceBrowser.get('/account/codes')).status, 200],
  ['redirect', async () => (await fetch(shortLink, { redirect: 'manual' })).status, 302],
])('a flood of pages: lets a %s of others come between', async (_, ask, expected) => {
  const { waiting, end } = await flood(150, (number, init) =>
    sameBrowser(mallory, init).get(`/account/codes?page=${number}`),
  );
  expect(await ask()).toBe(expected);
  expect(waiting()).toBeGreaterThan(20);
  await end();
});

// test/core/sign-in.test.ts has the floods from one address and from the prefixes of a network.
test('a flood of sign-ins from many networks lets others sign in', async () => {
  const { waiting, end } = await flood(
    100,
    (number, init) =>
      createPanelClient(server.origin, init).post(
        '/account/sign-in',
        { email: 'nobody@example.org', password },
        from(`2001:db8:${number.toString(16)}::1`),
      ),
    (status) => status === 422,
  );
  const trusted = createPanelClient(server.origin);
  trusted.cookies.set('waymark-device', aliceBrowser.cookies.get('waymark-device') ?? '');
  const fields = { email: 'anna@example.org', password };
  const others = [trusted, createPanelClient(server.origin)].map((browser, at) =>
    browser.post('/account/sign-in', fields, from(`203.0.113.${at}`)),
  );
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([303, 303]);
  expect(waiting()).toBeGreaterThan(0);
  await end();
});

test('a one-time link is not used up for a client that has gone', async () => {
  const { email } = await server.account('lena@example.org');
  const { stdout } = await server.cli(['account', 'link', email]);
  const { pathname } = new URL(/https?:\S+/.exec(stdout)?.[0] ?? '');
  const fields = { password: 'an unusual one of four' };
  const address = from('198.51.100.9');
  const { end } = await flood(
    14,
    (_, init) =>
      createPanelClient(server.origin, init).post(
        '/account/sign-in',
        { email: 'nobody@example.org', password },
        address,
      ),
    (status) => status === 422,
  );
  const client = new AbortController();
  const redeemed = createPanelClient(server.origin, { signal: client.signal }).post(
    pathname,
    fields,
    address,
  );
  // It waits behind the sign-ins of its address.
  await fetch(`${server.origin}/healthz`);
  client.abort();
  await redeemed.catch(() => {});
  await end();
  expect((await createPanelClient(server.origin).post(pathname, fields)).status).toBe(303);
});

describe('a flood of large pictures', () => {
  const codes: string[] = [];
  beforeAll(async () => {
    const csrf = await mallory.csrf();
    for (const at of [1, 2, 3]) {
      const url = `https://example.org/${at}`;
      const { to } = await mallory.post('/account/codes', { csrf, url });
      codes.push(to?.split('/').at(-1) ?? '');
    }
  });
  const draw = (number: number, init: { signal: AbortSignal }) => {
    const path = `/account/codes/${codes[number % 3]}/image.png?size=${4096 - number}`;
    return sameBrowser(mallory, init).get(path);
  };

  test('lets others create codes, and is not drawn for clients that have gone', async () => {
    const { waiting, end } = await flood(40, draw);
    for (let at = 0; at < 3; at++)
      expect(await alice.api.create(`https://example.org/fair/${at}`)).toHaveProperty('code');
    const csrf = await aliceBrowser.csrf();
    const fields = { csrf, url: 'https://example.org/fair/panel' };
    expect((await aliceBrowser.post('/account/codes', fields)).status).toBe(303);
    expect(waiting()).toBeGreaterThan(20);
    await end();
    const load = async () => {
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      const read = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
      return {
        waiting: read('waymark_render_jobs_waiting'),
        drawn: read('waymark_render_jobs_total'),
      };
    };
    await until(async () => (await load()).waiting === 0);
    expect((await load()).drawn).toBeLessThan(40);
  });

  test('lets others draw pictures', async () => {
    const { code } = await alice.api.create('https://example.org/picture');
    const { waiting, end } = await flood(40, draw);
    expect((await alice.api.call(`GET /qrs/${code}.png`)).status).toBe(200);
    expect(waiting()).toBeGreaterThan(20);
    await end();
  });
});

describe('a flood of slow logos', () => {
  const masks = Array.from({ length: 22 }, (_, n) => {
    const masked = `<rect width="99" height="99" mask="url(#m${n + 1})"/>`;
    return `<mask id="m${n}">${masked.repeat(2)}</mask>`;
  }).join('');
  const slow = (number: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99"><!-- ${number} -->${masks}<rect width="99" height="99" mask="url(#m0)"/></svg>`;
  const plain = (color: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="${color}"/></svg>`;

  const upload = async (browser: PanelClient, csrf: string, file: string) =>
    browser.post('/account/design', {
      csrf,
      do: 'fragment',
      foreground: '#000000',
      background: '#ffffff',
      logo: new Blob([file]),
    });

  test('lets others upload theirs', async () => {
    const csrf = await mallory.csrf();
    const ownCsrf = await aliceBrowser.csrf();
    // The answer that comes first is a refusal: nine wait.
    const { waiting, end } = await flood(
      12,
      (number, init) => upload(sameBrowser(mallory, init), csrf, slow(number)),
      () => true,
    );
    for (const color of ['#123456', '#654321']) {
      const { status, text } = await upload(aliceBrowser, ownCsrf, plain(color));
      expect(status).toBe(200);
      expect(text).toContain('name="draft_logo"');
    }
    expect(waiting()).toBeGreaterThan(0);
    await end();
  });
});

describe('a flood of searches', () => {
  beforeAll(async () => {
    const file = join(server.folder, 'links.csv');
    const rows = Array.from(
      { length: 20_000 },
      (_, at) => `m/${at},https://example.org/,Größe ${at}`,
    );
    await Bun.write(file, ['path,destination,name', ...rows].join('\n'));
    const made = await server.cli(['link', 'import', file, '--account', 'mallory@example.org']);
    expect(made.stderr).toBe('');
  });

  test('lets others search', async () => {
    const { url } = await alice.api.create('https://example.org/found');
    expect(url).toBeString();
    const browser = await signIn(server, 'anna@example.org');
    const { waiting, end } = await flood(
      12,
      (number, init) =>
        sameBrowser(mallory, init).get(
          `/account/codes?${new URLSearchParams({ q: number === 0 ? 'größe 1' : `straße ${number}` })}`,
        ),
      () => true,
    );
    expect((await browser.get('/account/codes?q=nothing')).status).toBe(200);
    expect(waiting()).toBeGreaterThan(5);
    await end();
  });
});
