import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, email } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/before');

async function endPlan(): Promise<void> {
  const ended = await server.cli(['account', 'plan', email, '--until', '2020-01-31']);
  expect(ended).toMatchObject({ exitCode: 0 });
}

async function follow(): Promise<string> {
  const { status, to } = await visit(qr.url);
  return `${status} ${to}`;
}

describe('402 plan_required: the paid plan has expired', () => {
  test('on every endpoint, from the next request on, until the plan is paid again', async () => {
    await endPlan();
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

    await server.cli(['account', 'plan', email, '--until', '2099-12-31']);
    expect(await api.read(qr.code)).toMatchObject({ destination: 'https://example.org/before' });
    expect((await api.list()).total).toBe(1);
  });

  test('a plan that ends today lasts through today', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await server.cli(['account', 'plan', email, '--until', today]);
    const answer = await api.call('GET /qrs');
    // Around midnight the day may have ended between the two lines.
    if (today === new Date().toISOString().slice(0, 10)) expect(outcome(answer)).toBe('200');
    await server.cli(['account', 'plan', email, '--until', '2099-12-31']);
  });
});

describe('a key requires an active paid plan', () => {
  test('none is generated for an expired plan, and the old one stays', async () => {
    const bob = await server.account('bob@example.org');
    await server.cli(['account', 'plan', bob.email, '--until', '2020-01-31']);
    const refused = await server.cli(['key', 'generate', bob.email]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/plan/i);
    await server.cli(['account', 'plan', bob.email, '--until', '2099-12-31']);
    expect(outcome(await bob.api.call('GET /qrs'))).toBe('200');
  });
});

describe('printed codes go on redirecting and counting, whatever happens to plan or key', () => {
  test('after the plan has ended and the key is revoked', async () => {
    const before = (await api.read(qr.code)).scans;
    await endPlan();
    expect(await follow()).toBe('302 https://example.org/before');
    await server.cli(['key', 'revoke', email]);
    expect(await follow()).toBe('302 https://example.org/before');

    await server.cli(['account', 'plan', email, '--until', '2099-12-31']);
    const again = server.api(await server.generateKey(email));
    expect((await again.read(qr.code)).scans).toBe(before + 2);
  });
});

test('every plan expired and every key revoked: all active codes still redirect and count', async () => {
  const holders = await Promise.all(
    ['carl', 'dora'].map((name) => server.account(`${name}@example.org`)),
  );
  const printed: { url: string; code: string; destination: string; email: string }[] = [];
  for (const holder of holders)
    for (const page of ['menu', 'map', 'wifi']) {
      const record = await holder.api.create(`https://example.org/${holder.email}/${page}`);
      printed.push({ ...record, email: holder.email });
    }
  const { stdout } = await server.cli(['account', 'list', '--json']);
  const addresses = [...stdout.matchAll(/"email":\s*"([^"]+)"/g)].map(
    ([, address = '']) => address,
  );
  const everyAccount = (act: (address: string) => Promise<unknown>) =>
    Promise.all(addresses.map(act));
  expect(addresses.length).toBeGreaterThan(holders.length);
  await everyAccount((address) =>
    server.cli(['account', 'plan', address, '--until', '2020-01-31']),
  );
  await everyAccount((address) => server.cli(['key', 'revoke', address]));
  for (const holder of holders)
    expect(outcome(await holder.api.call('GET /qrs'))).toBe('401 unauthorized');

  const everyCode = async () => {
    for (const { url, destination } of printed)
      expect(await visit(url)).toMatchObject({ status: 302, to: destination });
  };
  await everyCode();
  await server.stop();
  await server.start();
  await everyCode();

  await everyAccount((address) =>
    server.cli(['account', 'plan', address, '--until', '2099-12-31']),
  );
  for (const { email: address } of holders) {
    const again = server.api(await server.generateKey(address));
    for (const { code } of printed.filter((one) => one.email === address))
      expect((await again.read(code)).scans).toBe(2);
  }
});
