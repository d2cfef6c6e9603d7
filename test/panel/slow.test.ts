import { expect, test } from 'bun:test';
import { InvalidInput } from '../../src/core/errors.ts';
import { createLogger } from '../../src/lib/logger.ts';
import type { RequestContext } from '../../src/panel/routing/request.ts';
import { redirectTo } from '../../src/panel/routing/responses.tsx';
import { respondPatiently } from '../../src/panel/routing/slow.tsx';

const log = createLogger(
  'text',
  () => 0,
  () => {},
);
const url = new URL('https://qr.example.com/account/batches');
const context: RequestContext = {
  request: new Request(url, { method: 'POST' }),
  log,
  url,
  params: {},
  nowMs: 0,
  basePath: '/q',
  publicUrl: 'https://qr.example.com/q',
  isSecure: true,
  session: null,
  sessionToken: null,
  trustedBrowser: null,
  address: '203.0.113.5',
  network: '',
};

/** Starts an action that ends when it is told to, and reads the beginning of its response. */
async function startSlow() {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const response = await respondPatiently(context, 'Checking', () => promise, 1);
  const reader = response.body?.getReader();
  const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  const begin = await read();
  const rest = async () => {
    let text = '';
    for (let part = await read(); part !== ''; part = await read()) text += part;
    return text.trim();
  };
  return { status: response.status, begin, read, rest, resolve, reject };
}

test('a quick action responds itself', async () => {
  const response = redirectTo(context, '/account');
  expect(await respondPatiently(context, 'Checking', async () => response, 60_000)).toBe(response);
  const failure = respondPatiently(
    context,
    'Checking',
    () => Promise.reject(new Error('no')),
    60_000,
  );
  await expect(failure).rejects.toThrow('no');
});

test('a slow action keeps its connection busy, and leads to where it redirects', async () => {
  const { status, begin, read, rest, resolve } = await startSlow();
  expect(status).toBe(200);
  expect(begin).toContain('<h1>Checking</h1>');
  expect([await read(), await read()]).toEqual(['\n', '\n']);
  resolve(redirectTo(context, '/account/codes?done=edited&x="'));
  expect(await rest()).toMatch(
    /^<div class="result"><meta http-equiv="refresh" content="0;url=\/q\/account\/codes\?done=edited&amp;x=&quot;".*<\/html>$/s,
  );
});

test('a slow action that fails says why', async () => {
  const { rest, reject } = await startSlow();
  reject(new InvalidInput('Too many codes.'));
  const text = await rest();
  expect(text).toContain('<p>Too many codes.</p>');
  expect(text.match(/<main/g)).toBeNull();
});
