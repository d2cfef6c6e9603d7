import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

// No process listens there: every request fails at once.
const unreachable = {
  WAYMARK_SAFE_BROWSING: 'http',
  WAYMARK_SAFE_BROWSING_URL: 'http://127.0.0.1:1',
};

describe('while the remote check does not respond', () => {
  const allowing = startServer(unreachable);
  const refusing = startServer({ ...unreachable, WAYMARK_SAFE_BROWSING_FAILURE: 'refuse' });
  afterAll(async () => {
    for (const server of await Promise.all([allowing, refusing])) await server.close();
  });
  const healthOf = async (origin: string) =>
    fieldsOf(await (await fetch(`${origin}/healthz`)).json());

  test('lists decide, and health, metrics and log report it', async () => {
    const server = await allowing;
    const { api } = await server.account('alice@example.org');
    expect(await healthOf(server.origin)).toEqual({ status: 'ok', problems: [], warnings: [] });
    expect(outcome(await api.call('POST /qrs', { url: 'https://example.org/' }))).toBe('201');
    expect(await healthOf(server.origin)).toEqual({
      status: 'ok',
      problems: [],
      warnings: [
        expect.stringMatching(
          /^The safe-browsing provider fails: .* Destinations are accepted without it/,
        ),
      ],
    });
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain('waymark_safe_browsing_answers_total{answer="partly"} 1');
    expect(server.log()).toContain('safe-browsing provider');

    expect((await server.cli(['safety', 'block', 'evil.example'])).exitCode).toBe(0);
    const evil = await api.call('POST /qrs', { url: 'https://evil.example/' });
    expect(outcome(evil)).toBe('422 unsafe_url');
  });

  test('creates and edits are refused if it is set so, but not re-checks', async () => {
    const server = await refusing;
    const { api, key } = await server.account('alice@example.org');
    const response = await fetch(`${server.origin}/api/v1/qrs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ url: 'https://example.org/' }),
    });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.list()).total).toBe(0);

    const allowed = await (await allowing).account('bob@example.org');
    await allowed.api.create('https://stored.example/');
    const { exitCode, stdout } = await (await allowing).cli(['safety', 'recheck'], {
      env: { ...unreachable, WAYMARK_SAFE_BROWSING_FAILURE: 'refuse' },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Checked \d+ codes?: 0 flagged .*, \d+ checked only in part\.$/m);
  });
});
