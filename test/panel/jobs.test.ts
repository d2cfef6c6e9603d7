import { expect, test } from 'bun:test';
import { InvalidInput } from '../../src/core/errors.ts';
import { createLogger } from '../../src/lib/logger.ts';
import type { SignedInContext } from '../../src/panel/request/request.ts';
import { createJobs } from '../../src/panel/routing/jobs.tsx';
import { redirectTo } from '../../src/panel/routing/responses.tsx';
import { headingOf } from './page.ts';

const log = createLogger(
  'text',
  () => 0,
  () => {},
);
const url = new URL('https://qr.example.com/account/batches');
const account = { id: 1, email: 'a@b', isOperator: false, planUntilMs: null, createdAtMs: 0 };
const context: SignedInContext = {
  accountId: 1,
  request: new Request(url, { method: 'POST' }),
  log,
  url,
  params: {},
  nowMs: 0,
  basePath: '/q',
  shortUrl: 'https://example.org',
  preferences: { start: '', keys: '' },
  publicUrl: 'https://qr.example.com/q',
  isSecure: true,
  session: { account, csrfToken: '' },
  sessionToken: '',
  trustedBrowser: null,
  address: '203.0.113.5',
  network: '',
  device: 'Browser',
  message: null,
  messageKey: '',
  flaggedCodes: 0,
  rejected: null,
};
const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** Starts an action that ends when it is told to, and opens the page that waits for it. */
async function startSlow() {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const jobs = createJobs(randomBytes, 1);
  const response = await jobs.respond(context, 'Checking', () => promise);
  const [, id = ''] =
    /^\/q\/account\/working\/(\w+)$/.exec(response.headers.get('location') ?? '') ?? [];
  const look = (accountId = 1) => {
    return jobs.result({ ...context, accountId, params: { id } });
  };
  return { response, look, resolve, reject };
}

test('a quick action responds itself', async () => {
  const jobs = createJobs(randomBytes, 60_000);
  const response = redirectTo(context, '/account');
  expect(await jobs.respond(context, 'Checking', async () => response)).toBe(response);
  const failure = jobs.respond(context, 'Checking', () => Promise.reject(new Error('no')));
  await expect(failure).rejects.toThrow('no');
});

test('a page waits for a slow action, and then responds as the action does, more than once', async () => {
  const { response, look, resolve } = await startSlow();
  expect(response.status).toBe(303);
  const waiting = await look();
  expect(waiting.headers.get('refresh')).toBe('2');
  expect(headingOf(await waiting.text())).toBe('Checking');
  resolve(redirectTo(context, '/account/codes', { kind: 'codesChanged', text: '3 codes paused' }));
  await new Promise(setImmediate);
  for (const result of [await look(), await look()]) {
    expect(result.headers.get('location')).toBe('/q/account/codes');
    expect(result.headers.getSetCookie()).toHaveLength(1);
  }
});

test('a slow action that fails says why', async () => {
  const { look, reject } = await startSlow();
  reject(new InvalidInput('Too many codes.'));
  await new Promise(setImmediate);
  const result = await look();
  expect([result.status, await result.text()]).toEqual([
    422,
    expect.stringContaining('Too many codes.'),
  ]);
});

test('the result of another account is not shown', async () => {
  const { look, resolve } = await startSlow();
  resolve(new Response('secret'));
  await new Promise(setImmediate);
  expect(await (await look(2)).text()).not.toContain('secret');
});
