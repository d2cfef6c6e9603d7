import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, email } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/before');

const expirePlan = () => server.setPlan(email, 'expired');
const renewPlan = () => server.setPlan(email, 'active');

describe('402 plan_required: the paid plan has expired', () => {
  test('on every endpoint, from the next request until the plan is renewed', async () => {
    await expirePlan();
    for (const line of [
      'GET /qrs',
      `GET /qrs/${qr.code}`,
      `GET /qrs/${qr.code}/stats`,
      `GET /qrs/${qr.code}.png`,
      `GET /qrs/${qr.code}.svg`,
    ])
      expect(outcome(await api.call(line))).toBe('402 plan_required');
    const url = 'https://example.org/after';
    expect(outcome(await api.call('POST /qrs', { url }))).toBe('402 plan_required');
    expect(outcome(await api.call(`PATCH /qrs/${qr.code}`, { url }))).toBe('402 plan_required');

    await renewPlan();
    expect(await api.read(qr.code)).toMatchObject({ destination: 'https://example.org/before' });
    expect((await api.list()).total).toBe(1);
  });

  test('a plan that ends today is active until the end of the day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const set = await server.cli(['account', 'plan', email, '--until', today]);
    expect(set.exitCode).toBe(0);
    const response = await api.call('GET /qrs');
    // The day may have ended since.
    if (today === new Date().toISOString().slice(0, 10)) expect(outcome(response)).toBe('200');
    await renewPlan();
  });

  test('no key is generated, and the earlier key stays valid', async () => {
    await expirePlan();
    const rejected = await server.cli(['key', 'generate', email]);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toMatch(/plan/i);
    await renewPlan();
    expect(outcome(await api.call('GET /qrs'))).toBe('200');
  });
});

test('printed codes redirect and count regardless of plan, key and restarts', async () => {
  const before = (await api.read(qr.code)).scans;
  const follow = async () => {
    expect(await visit(qr.url)).toMatchObject({ status: 302, to: 'https://example.org/before' });
  };
  await expirePlan();
  await follow();
  await server.cli(['key', 'revoke', email]);
  await follow();
  await server.stop();
  await server.start();
  await follow();

  await renewPlan();
  const again = server.api(await server.generateKey(email));
  expect((await again.read(qr.code)).scans).toBe(before + 3);
});
