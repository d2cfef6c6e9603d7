import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

// DESIGN, "order of checks": key (401), rate (429), plan (402), path (404), method (405), the QR
// itself (404), body and URL (400), destination (422 unsafe), design (422). Each test sends one
// request that fails two neighbouring checks, and the earlier one has to answer.
const limit = 4;
const server = await startServer({ WAYMARK_RATE_LIMIT: String(limit) });
afterAll(server.close);
const unsafe = 'http://testsafebrowsing.appspot.com/s/malware.html';
const missing = '/qrs/zzzzzzzz';

/** An account with a fresh window. */
let accounts = 0;
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
    await server.cli(['account', 'plan', email, '--until', '2020-01-01']);
    for (let i = 0; i < limit; i++)
      expect(outcome(await api.call('GET /qrs'))).toBe('402 plan_required');
    expect(outcome(await api.call('GET /qrs'))).toBe('429 rate_limited');
  });

  test('plan before path, method, QR and body: an expired plan is 402 for all of them', async () => {
    const { api, email } = await newAccount();
    await server.cli(['account', 'plan', email, '--until', '2020-01-01']);
    expect(outcome(await api.call('GET /nothing'))).toBe('402 plan_required');
    expect(outcome(await api.call('DELETE /qrs'))).toBe('402 plan_required');
    expect(outcome(await api.call(`GET ${missing}`))).toBe('402 plan_required');
    expect(outcome(await api.call('POST /qrs', '{'))).toBe('402 plan_required');
  });

  test('key before everything: without one, all of them are 401', async () => {
    const api = server.api();
    expect(outcome(await api.call('GET /nothing'))).toBe('401 unauthorized');
    expect(outcome(await api.call('GET /qrs/'))).toBe('401 unauthorized');
    expect(outcome(await api.call('DELETE /qrs'))).toBe('401 unauthorized');
    expect(outcome(await api.call(`GET ${missing}`))).toBe('401 unauthorized');
    expect(outcome(await api.call('POST /qrs', '{'))).toBe('401 unauthorized');
    expect(outcome(await api.call('POST /qrs', { url: unsafe }))).toBe('401 unauthorized');
  });

  test('path before method: DELETE of an unknown path is 404', async () => {
    const { api } = await newAccount();
    expect(outcome(await api.call('DELETE /nothing'))).toBe('404 not_found');
    expect(outcome(await api.call('DELETE /qrs/'))).toBe('404 not_found');
  });

  test('method before the QR itself: DELETE of a missing QR is 405', async () => {
    const { api } = await newAccount();
    expect(outcome(await api.call(`DELETE ${missing}`))).toBe('405 method_not_allowed');
    expect(outcome(await api.call(`PATCH ${missing}/stats`))).toBe('405 method_not_allowed');
    expect(outcome(await api.call(`POST ${missing}.png`))).toBe('405 method_not_allowed');
  });

  test('method before body: PUT with a broken body is 405', async () => {
    const { api } = await newAccount();
    expect(outcome(await api.call('PUT /qrs', '{'))).toBe('405 method_not_allowed');
  });

  test('the QR itself before body and URL: PATCH of a missing QR is 404', async () => {
    const { api } = await newAccount();
    expect(outcome(await api.call(`PATCH ${missing}`, '{'))).toBe('404 not_found');
    expect(outcome(await api.call(`PATCH ${missing}`, { url: 'ftp://x' }))).toBe('404 not_found');
    expect(outcome(await api.call(`PATCH ${missing}`, { url: unsafe }))).toBe('404 not_found');
  });

  test('URL before destination: an invalid URL that is also unsafe is 400', async () => {
    const { api } = await newAccount();
    const userInfo = unsafe.replace('://', '://user@');
    expect(outcome(await api.call('POST /qrs', { url: userInfo }))).toBe('400 invalid_url');
    expect(outcome(await api.call('POST /qrs', `{"url":"${unsafe}"`))).toBe('400 invalid_json');
  });

  test('destination and URL before design: an unreadable design answers last', async () => {
    const { api, email } = await newAccount();
    const white = ['--foreground', '#ffffff', '--background', '#ffffff'];
    expect((await server.cli(['design', 'set', email, ...white])).exitCode).toBe(0);
    expect(outcome(await api.call('POST /qrs', { url: 'ftp://x' }))).toBe('400 invalid_url');
    expect(outcome(await api.call('POST /qrs', { url: unsafe }))).toBe('422 unsafe_url');
    const sound = { url: 'https://example.org/' };
    expect(outcome(await api.call('POST /qrs', sound))).toBe('422 design_unreadable');
  });
});
