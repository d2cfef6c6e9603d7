import { afterAll, describe, expect, test } from 'bun:test';
import { setTimes } from '../support/planned.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('owner@example.org');
const own = (path: string) => `${server.origin}/${path}`;

const set = (code: string, ...flags: string[]) => server.cli(['code', 'set', code, ...flags]);
const show = async (code: string) =>
  JSON.parse((await server.cli(['code', 'show', code, '--json'])).stdout);

describe('a code cannot lead to itself', () => {
  test('by its path after its destination', async () => {
    const { code } = await api.create(own('later'));
    const refused = await set(code, '--path', 'later');
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('it would lead to itself'),
    ]);
    expect(await show(code)).not.toHaveProperty('path');
    // With a name, neither is changed; with another destination, both are.
    expect((await set(code, '--name', 'Later', '--path', 'later')).exitCode).toBe(1);
    expect(await show(code)).toMatchObject({ name: null });
    const moved = await set(code, '--url', 'https://example.com/', '--path', 'later');
    expect(moved.exitCode).toBe(0);
    expect((await set(code, '--url', own('later'))).exitCode).not.toBe(0);
  });

  test('by a path and a destination at once', async () => {
    const { code } = await api.create('https://example.com/');
    expect((await set(code, '--path', 'both', '--url', own('both'))).exitCode).toBe(1);
    expect(await show(code)).toMatchObject({ destination: 'https://example.com/' });
    const account = ['--account', 'owner@example.org'];
    const created = await server.cli(['code', 'create', own('new'), '--path', 'new', ...account]);
    expect(created.stderr).toContain('it would lead to itself');
  });

  test('by way of other codes', async () => {
    const [first, second, third] = [
      await api.create(own('two')),
      await api.create(own('three')),
      await api.create(own('one')),
    ];
    expect((await set(first.code, '--path', 'one')).exitCode).toBe(0);
    expect((await set(second.code, '--path', 'two')).exitCode).toBe(0);
    const refused = await set(third.code, '--path', 'three');
    expect(refused.stderr).toContain('it would lead to itself');
    expect((await set(third.code, '--path', 'four')).exitCode).toBe(0);
  });

  test('by a change that was planned before its path was set', async () => {
    const { code } = await api.create('https://example.com/');
    const plan = ['code', 'plan', code];
    const at = ['--at', '2030-12-24T18:00', '--url', own('planned'), '--json'];
    const { id } = JSON.parse((await server.cli([...plan, ...at])).stdout);
    expect((await set(code, '--path', 'planned')).exitCode).toBe(0);
    await server.onStores((stores) => setTimes(stores, { [id]: Date.now() - 1 }));
    const list = async () =>
      JSON.parse((await server.cli([...plan, '--list', '--json'])).stdout) as {
        problem: string | null;
      }[];
    await until(async () => (await list())[0]?.problem != null);
    expect(await list()).toMatchObject([
      { problem: expect.stringContaining('short link of this server') },
    ]);
    expect((await api.read(code)).destination).toBe('https://example.com/');
  });
});

test('codes that lead to themselves by an address that was added later are named', async () => {
  const { code } = await api.create('https://added.example/added');
  expect((await set(code, '--path', 'added')).exitCode).toBe(0);
  await server.stop();
  await server.start({ WAYMARK_SHORT_URL_ALIASES: 'https://added.example' });
  const warnings = async () =>
    ((await (await fetch(own('healthz'))).json()) as { warnings: string[] }).warnings.join(' ');
  const isNamed = () =>
    until(async () => (await warnings()).includes(`The code ${code} leads back`));
  await isNamed();
  // It is a domain by now.
  await server.stop();
  await server.start({ WAYMARK_SHORT_URL_ALIASES: undefined });
  await isNamed();
});
