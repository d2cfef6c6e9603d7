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

describe('a destination that is flagged after it was accepted', () => {
  test('warns instead of redirecting, with a way on, and is counted', async () => {
    const destination = `https://later-evil.example/a?b=1&c="><script>alert(1)</script>`;
    const sent = destination.replaceAll('"', '%22').replaceAll('<', '%3C').replaceAll('>', '%3E');
    const qr = await holder.api.create(`${sent}&'quoted'`);
    expect((await scan(qr.url)).status).toBe(302);

    await command('block', 'later-evil.example');
    const report = await command('recheck');
    expect(report).toMatchObject({ flagged: [{ code: qr.code, owner: holder.email }] });
    for (const words of [['recheck'], ['check', destination]])
      expect((await server.cli(['safety', ...words])).stdout).toContain("by the operator's rules");

    const warning = await scan(qr.url);
    expect(warning.status).toBe(200);
    expect(warning.headers.get('cache-control')).toBe('no-store');
    expect(warning.headers.get('location')).toBeNull();
    const page = await warning.text();
    expect(page).toContain('later-evil.example');
    expect(page).not.toContain("'quoted'"); // escaped, as everything from outside
    expect(page).toMatch(
      /<a href="https:\/\/later-evil\.example\/[^"]*" rel="noreferrer nofollow">/,
    );
    expect((await holder.api.read(qr.code)).scans).toBe(2);
  });

  test('redirects again once it leads elsewhere, or once the entry is taken back', async () => {
    const [moved, cleared] = [
      await holder.api.create('https://soon-listed.example/1'),
      await holder.api.create('https://soon-listed.example/2'),
    ];
    await command('block', 'soon-listed.example');
    await command('recheck');
    expect((await scan(moved.url)).status).toBe(200);
    expect((await scan(cleared.url)).status).toBe(200);

    await holder.api.call(`PATCH /qrs/${moved.code}`, { url: 'https://example.org/' });
    expect((await scan(moved.url)).headers.get('location')).toBe('https://example.org/');

    await command('remove', 'soon-listed.example');
    await command('recheck');
    expect((await scan(cleared.url)).status).toBe(302);
  });

  test('redirects where the operator has switched the warning off', async () => {
    const qr = await holder.api.create('https://switched-off.example/');
    await command('block', 'switched-off.example');
    await command('recheck');
    expect((await scan(qr.url)).status).toBe(200);
    await server.stop();
    await server.start({ WAYMARK_SAFETY_WARNING: 'off' });
    expect((await scan(qr.url)).headers.get('location')).toBe('https://switched-off.example/');
  });
});

describe('waymark safety recheck', () => {
  // A server looks by itself every ten seconds after a change, and may be the one that finds it.
  test('tells how many it found and cleared, with no server beside it that may have done so', async () => {
    const qr = await holder.api.create('https://found-once.example/');
    await server.stop();
    await command('block', 'found-once.example');
    expect(await command('recheck')).toMatchObject({ found: 1, cleared: 0 });
    expect(await command('recheck')).toMatchObject({ found: 0, cleared: 0 });
    await command('remove', 'found-once.example');
    expect(await command('recheck')).toMatchObject({ found: 0, cleared: 1 });
    await server.start();
    expect((await scan(qr.url)).status).toBe(302);
  });
});

describe('waymark safety recheck without the settings of the server', () => {
  test('keeps what its remote check has flagged, and says so', async () => {
    const provider = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.json({ unsafe: true }),
    });
    const settings = {
      WAYMARK_SAFE_BROWSING: 'http',
      WAYMARK_SAFE_BROWSING_URL: provider.url.href,
    };
    try {
      const qr = await holder.api.create('https://bad-since.example/');
      await server.stop();
      const found = await server.cli(['safety', 'recheck', '--json'], { env: settings });
      expect(JSON.parse(found.stdout)).toMatchObject({ found: expect.any(Number), cleared: 0 });

      const { exitCode, stdout, stderr } = await server.cli(['safety', 'recheck']);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`${qr.code}  ${holder.email}  https://bad-since.example/`);
      expect(stdout).toContain(', 0 no longer flagged,');
      expect(stderr).toStartWith('Warning: codes flagged by a remote check keep their flag');
      expect(stderr).toContain('WAYMARK_SAFE_BROWSING is off here');
      await server.start();
      expect((await scan(qr.url)).status).toBe(200);
    } finally {
      await provider.stop(true);
    }
  });
});

describe('a code that the operator has blocked', () => {
  test('answers 410 to every hit and counts none, until the block is lifted', async () => {
    const qr = await holder.api.create('https://example.org/');
    await command('block-code', qr.code.toUpperCase());
    expect((await scan(qr.url)).status).toBe(410);
    expect(await holder.api.read(qr.code)).toMatchObject({ status: 'blocked', scans: 0 });
    // PATCH leaves the status alone.
    await holder.api.call(`PATCH /qrs/${qr.code}`, { url: 'https://example.com/' });
    expect((await scan(qr.url)).status).toBe(410);
    await command('unblock-code', qr.code);
    expect((await scan(qr.url)).headers.get('location')).toBe('https://example.com/');
  });

  test('must exist', async () => {
    const { exitCode, stderr } = await server.cli(['safety', 'block-code', 'zzzzzzzz']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('zzzzzzzz');
  });
});
