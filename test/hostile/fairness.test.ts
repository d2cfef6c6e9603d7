import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { hashPassword } from '../../src/core/accounts/password/password.ts';
import { encodeRgbaPng } from '../../src/render/png/rgba.ts';
import { createPanelClient, type PanelClient, password, signedIn } from '../panel/client.ts';
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

/**
 * Expects that others are answered while requests of a flood still wait.
 * An unfair server answers the others last. A client that stands still for a while may find the whole flood answered:
 * the flood is repeated then.
 *
 * @param minWaiting how many requests of the flood must still wait
 */
async function expectAnsweredDuringFlood(
  start: (attempt: number) => ReturnType<typeof flood>,
  ask: () => Promise<void>,
  minWaiting = 1,
): Promise<void> {
  let attempt = 0;
  await until(async () => {
    const { waiting, end } = await start(++attempt);
    await ask();
    const isDuringFlood = waiting() >= minWaiting;
    await end();
    return isDuringFlood;
  });
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
  await expectAnsweredDuringFlood(
    () =>
      flood(150, (number, init) => sameBrowser(mallory, init).get(`/account/codes?page=${number}`)),
    async () => {
      expect(await ask()).toBe(expected);
    },
  );
});

// test/core/sign-in.test.ts has the floods from one address and from the prefixes of a network.
test('a flood of sign-ins from many networks lets others sign in', async () => {
  const trusted = createPanelClient(server.origin);
  trusted.cookies.set('waymark-device', aliceBrowser.cookies.get('waymark-device') ?? '');
  const fields = { email: 'anna@example.org', password };
  await expectAnsweredDuringFlood(
    (attempt) =>
      flood(
        100,
        (number, init) =>
          createPanelClient(server.origin, init).post(
            '/account/sign-in',
            { email: `nobody-${attempt}@example.org`, password },
            from(`2001:${(0xdb8 + attempt).toString(16)}:${number.toString(16)}::1`),
          ),
        (status) => status === 422,
      ),
    async () => {
      const others = [trusted, createPanelClient(server.origin)].map((browser, at) =>
        browser.post('/account/sign-in', fields, from(`203.0.113.${at}`)),
      );
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([303, 303]);
    },
  );
});

test('a one-time link is not used up for a client that has gone', async () => {
  const { email } = await server.account('lena@example.org');
  const fields = { password: 'an unusual one of four' };
  let attempt = 0;
  // A client of a busy machine may go when its turn has come already. It goes earlier in another attempt.
  await until(async () => {
    const { stdout } = await server.cli(['account', 'link', email]);
    const { pathname } = new URL(/https?:\S+/.exec(stdout)?.[0] ?? '');
    const address = from(`198.51.100.${++attempt}`);
    const { end } = await flood(
      14,
      (_, init) =>
        createPanelClient(server.origin, init).post(
          '/account/sign-in',
          { email: `nobody-${attempt}@example.net`, password },
          address,
        ),
      (status) => status === 422,
    );
    const client = new AbortController();
    const redeemed = createPanelClient(server.origin, { signal: client.signal })
      .post(pathname, fields, address)
      .then(() => true)
      .catch(() => false);
    // It waits behind the sign-ins of its address.
    await fetch(`${server.origin}/healthz`);
    client.abort();
    const isAnswered = await redeemed;
    await end();
    if (isAnswered) return false;
    return (await createPanelClient(server.origin).post(pathname, fields)).status === 303;
  });
});

test('a flood of large pictures lets others create and draw, and is not drawn for clients that have gone', async () => {
  const codes: string[] = [];
  for (const at of [1, 2, 3]) {
    const fields = { csrf: await mallory.csrf(), url: `https://example.org/${at}` };
    const { to } = await mallory.post('/account/codes', fields);
    codes.push(to?.split('/').at(-1) ?? '');
  }
  const csrf = await aliceBrowser.csrf();
  let attempts = 0;
  await expectAnsweredDuringFlood(
    (attempt) => {
      attempts = attempt;
      return flood(40, (number, init) =>
        sameBrowser(mallory, init).get(
          `/account/codes/${codes[number % 3]}/image.png?size=${4096 - 40 * attempt - number}`,
        ),
      );
    },
    async () => {
      const { code } = await alice.api.create(`https://example.org/fair/api/${attempts}`);
      const fields = { csrf, url: `https://example.org/fair/panel/${attempts}` };
      expect((await aliceBrowser.post('/account/codes', fields)).status).toBe(303);
      expect((await alice.api.call(`GET /qrs/${code}.png`)).status).toBe(200);
    },
  );
  const load = async () => {
    const text = await (await fetch(`${server.origin}/metrics`)).text();
    const read = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
    return {
      waiting: read('waymark_render_jobs_waiting'),
      drawn: read('waymark_render_jobs_total'),
    };
  };
  await until(async () => (await load()).waiting === 0);
  expect((await load()).drawn).toBeLessThan(40 * attempts);
});

test('a flood of slow logos lets others upload theirs', async () => {
  // It takes a while, and is rejected then, because it is transparent.
  const sidePx = 2_000;
  const rgba = new Uint8Array(sidePx * sidePx * 4);
  const slow = new Uint8Array(encodeRgbaPng({ widthPx: sidePx, heightPx: sidePx, rgba }));
  const upload = (browser: PanelClient, csrf: string, file: Uint8Array<ArrayBuffer> | string) =>
    browser.post('/account/design', {
      csrf,
      do: 'fragment',
      foreground: '#000000',
      background: '#ffffff',
      logo: new Blob([file]),
    });
  const csrf = await mallory.csrf();
  const ownCsrf = await aliceBrowser.csrf();
  // Eight wait, and more are rejected.
  await expectAnsweredDuringFlood(
    () =>
      flood(
        12,
        (_, init) => upload(sameBrowser(mallory, init), csrf, slow),
        (status) => status === 503,
      ),
    async () => {
      const { text } = await upload(aliceBrowser, ownCsrf, '<svg/>');
      expect(text).toContain('not a plain PNG or JPEG');
    },
  );
});

test('a flood of searches lets others search', async () => {
  const names = Array.from({ length: 2000 }, (_, at) => `m/${at},https://example.org/,Größe ${at}`);
  await Bun.write(join(server.folder, 'links.csv'), ['path,destination,name', ...names].join('\n'));
  const importing = ['link', 'import', 'links.csv', '--account', 'mallory@example.org'];
  expect(await server.cli(importing)).toMatchObject({ exitCode: 0, stderr: '' });
  await expectAnsweredDuringFlood(
    (attempt) =>
      flood(
        12,
        (number, init) =>
          sameBrowser(mallory, init).get(
            `/account/codes?${new URLSearchParams({ q: number === 0 ? 'größe 1' : `straße ${attempt} ${number}` })}`,
          ),
        () => true,
      ),
    async () => {
      expect((await aliceBrowser.get('/account/codes?q=nothing')).status).toBe(200);
    },
    6,
  );
});
