import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { signedIn } from '../panel/client.ts';
import {
  type FoundForm,
  findEveryForm,
  isChosen,
  visible,
  withoutIds,
} from '../panel/every-form.ts';
import { sentFields } from '../panel/page.ts';
import { hostileTexts } from '../support/hostile-files.ts';
import { appOf } from '../support/processes.ts';
import { startServer } from '../support/server.ts';

// What test/ci/parser-cost.ts measures of functions, of whole requests: a text of twice the length costs at most twice as
// much, and a little for what is measured.

const maxGrowth = 2.5;
/** Bun answers 431 to a longer line or header itself. */
const maxLineChars = 14_000;
/** A form without files, and a body of the API, may have 64 KiB. */
const maxBodyChars = 60_000;
const maxFieldChars = 24_000;

const server = await startServer({ WAYMARK_TRUST_PROXY: '127.0.0.1' });
afterAll(server.close);
const { key, api } = await server.account('cost@example.org');
const { code } = await api.create('https://example.org/');

/** Nanoseconds that a thread has run, which other processes do not lengthen. */
const threadNs = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]);
const isMeasurable = existsSync('/proc/self/schedstat');
/** The threads that answer requests: the main ones of the redirect server and of the app. */
const threads = isMeasurable ? [server.pid(), appOf(server.pid())] : [];
const cpuNs = () => threads.reduce((sum, pid) => sum + threadNs(pid), 0);

/** Sends a text, and returns the status of the response. */
type Send = (text: string) => Promise<number>;

async function costNs(send: Send, text: string): Promise<number> {
  const before = cpuNs();
  const status = await send(text);
  const after = cpuNs();
  // 503 says that another request is still being handled.
  if (status >= 500 && status !== 503) throw new Error(`${status} for ${text.slice(0, 100)}`);
  return after - before;
}

const maxRounds = 12;
/** Linux counts the time of a thread that runs in ticks of up to this size, so that a short request may cost nothing. */
const resolutionNs = 4_000_000;

/** Returns how much more a text of twice the length costs, of the best of some rounds. */
async function growth(send: Send, long: string): Promise<number> {
  const short = long.slice(0, long.length / 2);
  let [one, two] = [0, await costNs(send, long)];
  const ratio = () => two / Math.max(one, resolutionNs);
  // Most requests cost too little for the short text to matter.
  if (ratio() <= maxGrowth) return ratio();
  one = Number.POSITIVE_INFINITY;
  // A collection of garbage falls on one round. What grows too much does so in each.
  for (let round = 0; round < 2 || (ratio() > maxGrowth && round < maxRounds); round++) {
    one = Math.min(one, await costNs(send, short));
    two = Math.min(two, await costNs(send, long));
  }
  return ratio();
}

/** Expects that no way of sending a text costs more than twice as much for twice the length. */
async function expectLinear(
  ways: Readonly<Record<string, Send>>,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  const grown: [way: string, text: string, ratio: number][] = [];
  for (const [way, send] of Object.entries(ways))
    for (const [name, text] of Object.entries(texts)) {
      const ratio = await growth(send, text);
      if (ratio > maxGrowth) grown.push([way, name, ratio]);
    }
  expect(grown).toEqual([]);
}

/** Returns the texts of {@link hostileTexts} in some form, cut to a length. */
const textsOf = (length: number, write: (text: string) => string = (text) => text) =>
  Object.fromEntries(
    Object.entries(hostileTexts).map(([name, create]) => [
      name,
      write(create(length)).slice(0, length),
    ]),
  );

const encoded = textsOf(maxLineChars, (text) => encodeURIComponent(text));
/** What an address may have unencoded. */
const unencoded = Object.fromEntries(
  ['&', '=', '&=', 'a=b&', '%', '%26', '+', '/', '../', '.', ',', '7', '(', "'", 'q='].map(
    (piece) => [`unencoded ${piece}`, piece.repeat(maxLineChars / piece.length)],
  ),
);
/** What a header may have: the other characters are those of another width. */
const inHeader = textsOf(maxLineChars, (text) =>
  text.replaceAll(/[\r\n]/g, '\t').replaceAll(/[^\t\x20-\x7e]/g, '\xa0'),
);

async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(server.origin + path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.status;
}
const bearer = { Authorization: `Bearer ${key}` };

describe.skipIf(!isMeasurable)('a text of twice the length costs twice as much', () => {
  let forms: FoundForm[];
  beforeAll(async () => {
    const found = await findEveryForm(server);
    const kindOf = ({ form }: FoundForm) =>
      [withoutIds(form.action), ...form.fields.map(({ name }) => name)].join(' ');
    forms = [...new Map(found.map((one) => [kindOf(one), one])).values()];
  });

  test('in each form', async () => {
    const typed = ({ form }: FoundForm) =>
      visible(form).filter((field) => !isChosen(field) && field.type !== 'date');
    // A table is read in a process of its own, whose parsers test/ci/parser-cost.ts measures.
    const posted = forms.filter(
      (one) =>
        one.form.method === 'post' &&
        one.form.action !== '/account/batches' &&
        typed(one).length > 0,
    );
    expect(posted.length).toBeGreaterThan(15);
    for (const one of posted) {
      const { client, form } = one;
      const fields = typed(one);
      const length = Math.min(maxFieldChars, Math.floor(maxBodyChars / fields.length));
      const send: Send = async (text) => {
        const sent = { ...sentFields(form), ...Object.fromEntries(form.buttons.slice(0, 1)) };
        for (const { name } of fields) sent[name] = text;
        return (await client.post(form.action, sent)).status;
      };
      // Each wrong password and code takes a second.
      const isSlow =
        /^\/account\/(?:sign-in|confirm)/.test(form.action) ||
        fields.some(({ type }) => type === 'password');
      const texts = Object.entries(textsOf(length)).filter(
        ([name]) => !isSlow || name === 'quotes',
      );
      await expectLinear({ [form.action]: send }, Object.fromEntries(texts));
    }
  });

  test('in each form that searches, and in the query of each page', async () => {
    const searching = forms.filter(({ form }) => form.method === 'get');
    expect(searching.length).toBeGreaterThan(2);
    const pages = new Map(
      forms.map(({ client, page }) => [withoutIds(page).replace(/\?.*/, ''), { client, page }]),
    );
    const ways: [string, Send][] = [
      ...searching.map(({ client, page, form }): [string, Send] => {
        const path = page.replace(/\?.*/, '');
        const names = form.fields.map(({ name }) => name).filter((name) => name !== '');
        return [
          `${path}?${names.join('&')}`,
          async (text) => {
            const part = text.slice(0, text.length / names.length);
            const query = names.map((name) => `${name}=${part}`).join('&');
            return (await client.get(`${path}?${query}`)).status;
          },
        ];
      }),
      ...[...pages.values()].map(({ client, page }): [string, Send] => {
        const path = page.replace(/\?.*/, '');
        return [path, async (text) => (await client.get(`${path}?${text}`)).status];
      }),
    ];
    await expectLinear(Object.fromEntries(ways), {
      ...unencoded,
      ampersands: encoded['ampersands'] ?? '',
    });
    await expectLinear(Object.fromEntries(ways.slice(0, searching.length)), encoded);
  });

  test('in paths and queries of the API and of short links', async () => {
    await expectLinear(
      {
        'the query of a list, without a key': (text) => statusOf(`/api/v1/qrs?${text}`),
        'the query of a list': (text) => statusOf(`/api/v1/qrs?${text}`, { headers: bearer }),
        'a limit': (text) => statusOf(`/api/v1/qrs?limit=${text}`, { headers: bearer }),
        'a code': (text) => statusOf(`/api/v1/qrs/${text}`, { headers: bearer }),
        'an image': (text) => statusOf(`/api/v1/qrs/${text}.png`, { headers: bearer }),
        'the size of an image': (text) =>
          statusOf(`/api/v1/qrs/${code}.png?size=${text}`, { headers: bearer }),
        'a short link': (text) => statusOf(`/${text}`),
        'the query of a short link': (text) => statusOf(`/${code}?${text}`),
        'a page of the panel': (text) => statusOf(`/account/${text}`),
        'the page after the sign-in': (text) => statusOf(`/account/sign-in?next=${text}`),
        'a document': (text) => statusOf(`/docs/${text}`),
        'a path of the API': (text) => statusOf(`/api/${text}`),
        metrics: (text) => statusOf(`/metrics?${text}`),
      },
      { ...encoded, ...unencoded },
    );
  });

  test('in bodies of the API', async () => {
    const post = (body: string, type = 'application/json') =>
      statusOf('/api/v1/qrs', {
        method: 'POST',
        body,
        headers: { ...bearer, 'Content-Type': type },
      });
    const patch = (body: string) =>
      statusOf(`/api/v1/qrs/${code}`, { method: 'PATCH', body, headers: bearer });
    await expectLinear(
      {
        'a body': (text) => post(text),
        'a body of another type': (text) => post(text, 'text/plain'),
        'a field': (text) => post(JSON.stringify({ [text]: text }).slice(0, maxBodyChars)),
        'a destination': (text) => post(JSON.stringify({ url: text })),
        'a destination behind a scheme': (text) =>
          patch(JSON.stringify({ url: `https://${text}` })),
        'the path of a destination': (text) =>
          patch(JSON.stringify({ url: `https://example.org/${text}` })),
        'the host of a destination': (text) =>
          patch(JSON.stringify({ url: `https://${text}.example.org/` })),
      },
      textsOf(maxBodyChars / 2),
    );
  });

  test('in headers', async () => {
    const panel = await signedIn(server, 'headers@example.org');
    const csrf = await panel.csrf();
    const reading = (name: string, path: string, init: RequestInit = {}): [string, Send] => [
      `${name} of ${path}`,
      (text) => statusOf(path, { ...init, headers: { ...init.headers, [name]: text } }),
    ];
    const create = { method: 'POST', body: '{"url":"https://example.org/"}', headers: bearer };
    const page = '/account/sign-in';
    await expectLinear(
      Object.fromEntries([
        reading('Authorization', '/api/v1/qrs'),
        reading('Cookie', '/account'),
        reading('Host', '/api/v1/qrs'),
        reading('Expect', '/api/v1/qrs', create),
        reading('Idempotency-Key', '/api/v1/qrs', { ...create, body: '{"url":1}' }),
        reading('Content-Type', '/api/v1/qrs', { ...create, body: '{' }),
        reading('Content-Encoding', '/api/v1/qrs', create),
        reading('Accept-Encoding', '/api/v1/qrs', { headers: bearer }),
        reading('If-None-Match', `/api/v1/qrs/${code}.png`, { headers: bearer }),
        reading('If-None-Match', '/docs'),
        reading('X-Forwarded-For', page),
        reading('Accept-Language', '/nowhere'),
        reading('User-Agent', `/${code}`),
        reading('User-Agent', page),
        reading('Range', `/${code}`),
        ...['Origin', 'Sec-Fetch-Site', 'Referer', 'Content-Type', 'Cookie'].map(
          (name): [string, Send] => [
            `${name} of a form`,
            async (text) =>
              (await panel.post('/account/codes', { csrf, url: '' }, { [name]: text })).status,
          ],
        ),
      ]),
      inHeader,
    );
  });
});
