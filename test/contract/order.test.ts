import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

// The order: key (401), rate (429), plan (402), path (404), method (405), the QR (404), body and URL
// (400), destination (422), design (422). Each request fails two checks; the earlier one answers.
const limit = 4;
const server = await startServer({ WAYMARK_RATE_LIMIT: String(limit) });
afterAll(server.close);
const unsafe = 'http://testsafebrowsing.appspot.com/s/malware.html';
const missing = '/qrs/zzzzzzzz';

let accounts = 0;
/** Creates an account with an unused rate limit. */
const newAccount = () => server.account(`holder${accounts++}@example.org`);

describe('order of checks', () => {
  test('key before rate: a revoked key with a full window is 401', async () => {
    const { api, email } = await newAccount();
    for (let i = 0; i < limit; i++) await api.call('GET /qrs');
    expect(outcome(await api.call('GET /qrs'))).toBe('429 rate_limited');
    await server.cli(['key', 'revoke', email]);
    expect(outcome(await api.call('GET /qrs'))).toBe('401 unauthorized');
  });

  test('rate before plan: a full window with an expired plan is 429', async () => {
    const { api, email } = await newAccount();
    await server.setPlan(email, 'expired');
    for (let i = 0; i < limit; i++)
      expect(outcome(await api.call('GET /qrs'))).toBe('402 plan_required');
    expect(outcome(await api.call('GET /qrs'))).toBe('429 rate_limited');
  });

  const expired = newAccount().then(async (account) => {
    await server.setPlan(account.email, 'expired');
    return account;
  });

  test.each(['GET /nothing', 'DELETE /qrs', `GET ${missing}`, 'POST /qrs'])(
    'key before plan before everything else: %s',
    async (line) => {
      expect(outcome(await server.api().call(line))).toBe('401 unauthorized');
      expect(outcome(await (await expired).api.call(line))).toBe('402 plan_required');
    },
  );

  test.each<[string, string, string, unknown]>([
    ['path before method', 'DELETE /nothing', '404 not_found', undefined],
    ['path before method', 'DELETE /qrs/', '404 not_found', undefined],
    ['method before the QR', `DELETE ${missing}`, '405 method_not_allowed', undefined],
    ['method before the QR', `PATCH ${missing}/stats`, '405 method_not_allowed', undefined],
    ['method before the QR', `POST ${missing}.png`, '405 method_not_allowed', undefined],
    ['method before body', 'PUT /qrs', '405 method_not_allowed', '{'],
    ['the QR before body', `PATCH ${missing}`, '404 not_found', '{'],
    ['the QR before URL', `PATCH ${missing}`, '404 not_found', { url: 'ftp://x' }],
    ['the QR before destination', `PATCH ${missing}`, '404 not_found', { url: unsafe }],
  ])('%s: %s is %s', async (_, line, expected, body) => {
    const { api } = await newAccount();
    expect(outcome(await api.call(line, body))).toBe(expected);
  });

  test('URL before destination: an invalid URL that is also unsafe is 400', async () => {
    const { api } = await newAccount();
    const userInfo = unsafe.replace('://', '://user@');
    expect(outcome(await api.call('POST /qrs', { url: userInfo }))).toBe('400 invalid_url');
    expect(outcome(await api.call('POST /qrs', `{"url":"${unsafe}"`))).toBe('400 invalid_json');
  });

  test('destination and URL before design: an unreadable design answers last', async () => {
    const { api, email } = await newAccount();
    await server.setDesign(email, { foreground: '#ffffff' });
    expect(outcome(await api.call('POST /qrs', { url: 'ftp://x' }))).toBe('400 invalid_url');
    expect(outcome(await api.call('POST /qrs', { url: unsafe }))).toBe('422 unsafe_url');
    const sound = { url: 'https://example.org/' };
    expect(outcome(await api.call('POST /qrs', sound))).toBe('422 design_unreadable');
  });
});
