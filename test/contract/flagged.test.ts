import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Holder, type Server, startServer } from '../support/server.ts';

let server: Server;
let holder: Holder;
beforeAll(async () => {
  server = await startServer();
  holder = await server.account('flagged@example.com');
});
afterAll(() => server.close());

const command = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await server.cli(['safety', ...args, '--json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
};
const scan = (url: string) => fetch(url, { redirect: 'manual' });

describe('a destination that is flagged after the code was created', () => {
  test('shows a warning page with a link to it, which is no scan', async () => {
    const destination = `https://later-evil.example/a?b=1&c="><script>alert(1)</script>`;
    const sent = destination.replaceAll('"', '%22').replaceAll('<', '%3C').replaceAll('>', '%3E');
    const qr = await holder.api.create(`${sent}&'quoted'`);
    expect((await scan(qr.url)).status).toBe(302);

    await command('block', 'later-evil.example');
    const report = await command('recheck');
    expect(report).toMatchObject({ flagged: [{ code: qr.code, owner: holder.email }] });
    for (const args of [['recheck'], ['check', destination]])
      expect((await server.cli(['safety', ...args])).stdout).toContain("by the operator's rules");

    const warning = await scan(qr.url);
    expect(warning.status).toBe(200);
    expect(warning.headers.get('cache-control')).toBe('no-store');
    expect(warning.headers.get('location')).toBeNull();
    const page = await warning.text();
    expect(page).toContain('later-evil.example');
    expect(page).not.toContain("'quoted'"); // escaped
    expect(page).toMatch(
      /<a href="https:\/\/later-evil\.example\/[^"]*" rel="noreferrer nofollow">/,
    );
    await scan(qr.url);
    // Programs are of the same kinds as elsewhere.
    await fetch(qr.url, { method: 'HEAD' });
    expect((await holder.api.read(qr.code)).scans).toBe(1);
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain('waymark_hits_total{kind="warning",counted="no"} 2\n');
  });

  test('redirects again after an edit, or when the rule is removed', async () => {
    const [edited, cleared] = [
      await holder.api.create('https://soon-listed.example/1'),
      await holder.api.create('https://soon-listed.example/2'),
    ];
    await command('block', 'soon-listed.example');
    await command('recheck');
    expect((await scan(edited.url)).status).toBe(200);
    expect((await scan(cleared.url)).status).toBe(200);

    await holder.api.call(`PATCH /qrs/${edited.code}`, { url: 'https://example.org/' });
    expect((await scan(edited.url)).headers.get('location')).toBe('https://example.org/');

    await command('remove', 'soon-listed.example');
    await command('recheck');
    expect((await scan(cleared.url)).status).toBe(302);
  });
});

describe('a code that the operator has blocked', () => {
  test('responds 410 and counts nothing, until the block is lifted', async () => {
    const qr = await holder.api.create('https://example.org/');
    await command('block-code', qr.code.toUpperCase());
    expect((await scan(qr.url)).status).toBe(410);
    expect(await holder.api.read(qr.code)).toMatchObject({ status: 'blocked', scans: 0 });
    // PATCH does not change the status.
    await holder.api.call(`PATCH /qrs/${qr.code}`, { url: 'https://example.com/' });
    // Nor does the account holder by resuming the code.
    for (const verb of ['pause', 'resume']) await server.cli(['code', verb, qr.code]);
    expect((await scan(qr.url)).status).toBe(410);
    await command('unblock-code', qr.code);
    expect((await scan(qr.url)).headers.get('location')).toBe('https://example.com/');
  });

  test('must exist', async () => {
    const { exitCode, stderr } = await server.cli(['safety', 'block-code', 'zzzzzzzz']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('zzzzzzzz')]);
  });
});

// A running server re-checks codes every ten seconds after a change, so these run without one.
test('recheck counts flagged and cleared codes, and keeps flags of a remote check that is off', async () => {
  const provider = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) =>
      Response.json({ unsafe: (await request.text()).includes('bad-since') }),
  });
  const env = { WAYMARK_SAFE_BROWSING: 'http', WAYMARK_SAFE_BROWSING_URL: provider.url.href };
  try {
    const { code, url } = await holder.api.create('https://bad-since.example/');
    await holder.api.create('https://found-once.example/');
    await server.stop();
    await command('block', 'found-once.example');
    expect(await command('recheck')).toMatchObject({ newly_flagged: 1, cleared: 0 });
    expect(await command('recheck')).toMatchObject({ newly_flagged: 0, cleared: 0 });
    await command('remove', 'found-once.example');
    const withProvider = await server.cli(['safety', 'recheck', '--json'], { env });
    expect(JSON.parse(withProvider.stdout)).toMatchObject({ newly_flagged: 1, cleared: 1 });

    const { exitCode, stdout, stderr } = await server.cli(['safety', 'recheck']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${code}  ${holder.email}  https://bad-since.example/`);
    expect(stdout).toContain(', 0 no longer flagged,');
    expect(stderr).toStartWith('Warning: codes flagged by a remote check keep their flag');
    expect(stderr).toContain('WAYMARK_SAFE_BROWSING is off here');

    await server.start();
    expect((await scan(url)).status).toBe(200);
    await server.stop();
    await server.start({ WAYMARK_SAFETY_WARNING: 'off' });
    expect((await scan(url)).headers.get('location')).toBe('https://bad-since.example/');
  } finally {
    await provider.stop(true);
  }
});
