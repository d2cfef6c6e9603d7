import { afterAll, describe, expect, test } from 'bun:test';
import { serve } from '../reputation/stub.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

// Nobody listens there: every question fails at once.
const nobody = { WAYMARK_SAFE_BROWSING: 'http', WAYMARK_SAFE_BROWSING_URL: 'http://127.0.0.1:1' };

describe('a remote check that gives no answer', () => {
  const lenient = startServer(nobody);
  const strict = startServer({ ...nobody, WAYMARK_SAFE_BROWSING_FAILURE: 'refuse' });
  afterAll(async () => {
    for (const server of await Promise.all([lenient, strict])) await server.close();
  });
  const health = async (origin: string) =>
    fieldsOf(await (await fetch(`${origin}/healthz`)).json());

  test('leaves the decision to the lists, and shows in health, metrics and log from the first time', async () => {
    const server = await lenient;
    const { api } = await server.account('alice@example.org');
    expect(await health(server.origin)).toEqual({ status: 'ok', problems: [], warnings: [] });
    expect(outcome(await api.call('POST /qrs', { url: 'https://example.org/' }))).toBe('201');
    expect(await health(server.origin)).toEqual({
      status: 'ok',
      problems: [],
      warnings: [expect.stringContaining('safe-browsing provider fails')],
    });
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain('waymark_safe_browsing_answers_total{answer="partly"} 1');
    expect(server.log()).toContain('safe-browsing provider');

    const { exitCode } = await server.cli(['safety', 'block', 'evil.example']);
    expect(exitCode).toBe(0);
    const evil = await api.call('POST /qrs', { url: 'https://evil.example/' });
    expect(outcome(evil)).toBe('422 unsafe_url');
  });

  test('has creates and edits refused where the operator wants that', async () => {
    const server = await strict;
    const { api, key } = await server.account('alice@example.org');
    const answer = await fetch(`${server.origin}/api/v1/qrs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ url: 'https://example.org/' }),
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.list()).total).toBe(0);
    expect(fieldsOf(await health(server.origin))['warnings']).toHaveLength(1);
  });

  test('lets existing codes be looked at to the last one, however creates are to be answered', async () => {
    let fails = false;
    const stub = serve(() => new Response('{"unsafe":false}', { status: fails ? 500 : 200 }));
    const env = {
      WAYMARK_SAFE_BROWSING: 'http',
      WAYMARK_SAFE_BROWSING_URL: stub.url,
      WAYMARK_SAFE_BROWSING_FAILURE: 'refuse',
    };
    const server = await startServer(env);
    try {
      const { api } = await server.account('alice@example.org');
      for (const name of ['good', 'better', 'evil']) await api.create(`https://${name}.example/`);
      fails = true;
      await server.cli(['safety', 'block', 'evil.example']);
      const { exitCode, stdout } = await server.cli(['safety', 'recheck'], { env });
      expect(exitCode).toBe(0);
      expect(stdout).toStartWith(
        'Checked 3 codes: 1 flagged (1 of them new), 0 no longer flagged, 2 checked only in part.',
      );
    } finally {
      await server.close();
    }
  });
});
