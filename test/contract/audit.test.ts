import { afterAll, describe, expect, test } from 'bun:test';
import { blockOf } from '../docs/blocks.ts';
import { createPanelClient, password, signedIn, signIn } from '../panel/client.ts';
import { type Server, startServer } from '../support/server.ts';

const servers = {
  text: await startServer({ WAYMARK_TRUST_PROXY: '127.0.0.1' }),
  json: await startServer({ WAYMARK_TRUST_PROXY: '127.0.0.1' }, ['--json']),
};
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const address = '203.0.113.77';
const forwarded = { 'X-Forwarded-For': address };
const email = 'ann@example.org';

async function guess(server: Server, typed: string, header = forwarded): Promise<number> {
  const client = createPanelClient(server.origin);
  const fields = { email: typed, password: 'a wrong password' };
  return (await client.post('/account/sign-in', fields, header)).status;
}

/** Returns the addresses that the filter on the page finds in a log, as fail2ban reads it. */
async function filtered(log: string): Promise<string[]> {
  const filter = await blockOf('docs/monitoring.md', 'ini');
  const [, expressions = ''] = /^failregex = ([\s\S]*?)^\w/m.exec(filter) ?? [];
  const patterns = expressions
    .trim()
    .split(/\n\s+/)
    .map((text) => new RegExp(text.replace('<ADDR>', '([0-9a-f.:]+)')));
  expect(patterns).toHaveLength(2);
  return log
    .split('\n')
    .flatMap((line) => patterns.flatMap((pattern) => pattern.exec(line)?.[1] ?? []));
}

describe.each(['text', 'json'] as const)('the %s log', (format) => {
  const server = servers[format];

  test('has a line for each sign-in and change, and no secret', async () => {
    await signedIn(server, email, { isOperator: true });
    const operator = await signIn(server, email);
    await guess(server, email);
    await guess(server, 'my-secret-typed-here');
    await operator.post(
      '/account/key',
      { csrf: await operator.csrf(), replaces: '', password },
      forwarded,
    );
    await operator.post('/account/key/revoke', { csrf: await operator.csrf() }, forwarded);
    const created = { csrf: await operator.csrf(), email: 'ben@example.org', plan: '' };
    await operator.post('/account/accounts', created, forwarded);
    const rule = { csrf: await operator.csrf(), address: 'evil.example', decision: 'block' };
    await operator.post('/account/safety/rules', rule, forwarded);
    const change = { csrf: await operator.csrf(), present: password, next: 'the next password' };
    await operator.post('/account/settings/password', change, forwarded);
    const { key } = await server.account('carl@example.org');

    const lines = server.log().split('\n');
    const has = (message: string, ...details: [string, string][]) => {
      const parts = details.map(([name, value]) =>
        format === 'text' ? `${name}="${value}"` : `"${name}":"${value}"`,
      );
      const found = lines.filter(
        (line) => line.includes(message) && parts.every((part) => line.includes(part)),
      );
      expect([message, found.length]).toEqual([message, 1]);
    };
    has('sign-in failed', ['address', address], ['account', email]);
    has('API key generated', ['address', address], ['by', email]);
    has('API key revoked', ['address', address], ['by', email]);
    has('account created', ['account', 'ben@example.org'], ['by', email]);
    has('rule added', ['target', 'evil.example'], ['by', email]);
    has('password changed', ['address', address], ['by', email]);
    expect(lines.filter((line) => line.includes('signed in')).length).toBeGreaterThan(0);
    for (const secret of ['a wrong password', 'my-secret-typed-here', password, change.next, key])
      expect(server.log()).not.toContain(secret);
  });

  test('is read by the fail2ban filter of the page, and cannot be forged', async () => {
    const before = (await filtered(server.log())).length;
    expect(await guess(server, 'nobody@example.org')).toBe(422);
    const forged = 'x\n2026-01-01T00:00:00Z warn sign-in failed address="198.51.100.1"';
    await guess(server, forged);
    await guess(server, '"level":"warn","message":"sign-in failed","address":"198.51.100.1"');
    await fetch(`${server.origin}/account/${encodeURIComponent(forged)}`);
    const found = (await filtered(server.log())).slice(before);
    expect(found).toEqual([address, address, address]);
  });
});
