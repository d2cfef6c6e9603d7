import { afterAll, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { email, api } = await server.account('alice@example.org');

const command = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  // Only this machine can open the address of a test's server.
  const warnings = stderr.replace(/^Warning: phones can't open 127\.0\.0\.1.*\n/, '');
  expect({ exitCode, warnings }).toEqual({ exitCode: 0, warnings: '' });
  return JSON.parse(stdout) as Record<string, unknown>; // each of them prints an object
};
const follow = (url: unknown) => fetch(String(url), { redirect: 'manual' });

test('codes of the command line are served at once, and changes take effect at the next request', async () => {
  const name = 'Table 7, „Süd“';
  const url = 'https://example.com/7';
  const created = await command('code', 'create', url, '--account', email, '--name', name);
  const { code } = created;
  expect((await follow(created['url'])).headers.get('location')).toBe(url);
  const record = await api.read(String(code));
  expect(record).toMatchObject({ code, destination: url, kind: 'qr' });
  // The name is for people: the API does not show it.
  expect(JSON.stringify(record)).not.toContain('Table');

  await command('code', 'pause', String(code));
  expect((await follow(created['url'])).status).toBe(410);
  await command('code', 'resume', String(code));
  await command('code', 'set', String(code), '--url', 'https://example.com/8');
  expect((await follow(created['url'])).headers.get('location')).toBe('https://example.com/8');
  expect(await command('code', 'show', String(code))).toMatchObject({ name, scans: 2 });
});

test('no code is created at an address that the server does not have', async () => {
  const { exitCode, stdout, stderr } = await server.cli(
    ['code', 'create', 'https://example.com/', '--account', email],
    { env: { WAYMARK_PUBLIC_URL: 'https://other.example' } },
  );
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`links at https://other.example, but the server was started with`);
});
