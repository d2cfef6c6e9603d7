import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type Env, programCommand, programEnv, runProgram } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

const folder = await mkdtemp(join(tmpdir(), 'waymark-startup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a start that must be rejected. */
function serve(env: Env, args: readonly string[] = []) {
  const base = { WAYMARK_DATA: join(folder, 'data'), WAYMARK_PORT: String(freePort()) };
  const options = { cwd: folder, env: { ...base, ...env } };
  return runProgram(['serve', ...args], options);
}

test('the link to the first account is printed before the server answers', async () => {
  const printed = Bun.file(join(folder, 'printed.txt'));
  const port = String(freePort());
  const child = Bun.spawn([...programCommand(), 'serve'], {
    cwd: folder,
    env: programEnv({ WAYMARK_DATA: join(folder, 'new'), WAYMARK_PORT: port }),
    stdio: ['ignore', printed, 'ignore'],
  });
  try {
    let output = '';
    await until(async () => {
      const health = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
      output = await printed.text();
      return health?.ok ?? false;
    });
    expect(output).toMatch(/listens on .*\/account\/link\/[0-9a-f]{64}\n/s);
  } finally {
    child.kill();
    await child.exited;
  }
});

test.each([
  [{ WAYMARK_LOG: ' json ' }, []],
  [{}, ['--json']],
  [{ WAYMARK_LOG: 'text' }, ['--log', 'json']],
])('wrong values are rejected on one line of JSON if the log is JSON: %j %j', async (env, args) => {
  const wrong = { WAYMARK_PORT: 'http', WAYMARK_RATE_LIMIT: 'sixty' };
  const { exitCode, stderr } = await serve({ ...wrong, ...env }, args);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    level: 'error',
    message: expect.stringMatching(/WAYMARK_PORT.*\n?.*WAYMARK_RATE_LIMIT/s),
  });
  expect(stderr.trimEnd()).not.toContain('\n');
});

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const moved = 'http://short.example.org';
const below = 'http://below.example.org/q';

interface Listed {
  readonly url: string;
  readonly accounts: readonly string[] | null;
}

/** Prints a code at another address, as an earlier version did when it was the short URL. */
async function createAt(prefix: string) {
  await server.start({ WAYMARK_SHORT_URL_ALIASES: moved });
  const { code } = await api.create();
  await inDatabase(
    server,
    `UPDATE qrs SET short_link = '${prefix}/${code}' WHERE code = '${code}'`,
  );
  await inDatabase(server, `INSERT INTO short_url_prefixes VALUES ('${prefix}')`);
  await server.stop();
  return code;
}

// In this order: the server gets its first code in the second test.
describe('the short URL of existing codes', () => {
  /** `serve` on the data of that server, which is stopped. */
  const restart = (env: Env) => serve({ ...server.database, ...env });

  test('may change while there is no code', async () => {
    await server.stop();
    const first = 'http://first.example.org';
    await server.start({ WAYMARK_SHORT_URL: first });
    // The public URL serves short links as well.
    for (const base of [first, server.origin])
      expect(outcome(await api.call('POST /qrs', { url: `${base}/01234567` }))).toBe(
        '400 invalid_url',
      );
    await server.stop();
    await server.start();
  });

  test('another one is rejected once there is a code, and both are named', async () => {
    await api.create();
    await server.stop();
    for (const name of ['WAYMARK_PUBLIC_URL', 'WAYMARK_SHORT_URL']) {
      const env = { WAYMARK_PUBLIC_URL: server.origin, [name]: moved };
      const { exitCode, stderr } = await restart(env);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(server.origin);
      expect(stderr).toContain(moved);
      expect(stderr).toContain('WAYMARK_SHORT_URL_ALIASES');
    }
  });

  test('starts with the old one as an alias; links of both are own short links', async () => {
    await server.start({
      WAYMARK_SHORT_URL: moved,
      WAYMARK_SHORT_URL_ALIASES: `http://other.example.org,${server.origin}`,
    });
    const [old] = (await api.list()).data;
    const young = await api.create();
    expect(old?.url).toBe(`${server.origin}/${old?.code}`);
    expect(young.url).toBe(`${moved}/${young.code}`);
    for (const url of [old?.url, young.url, `${moved}/${old?.code}`])
      expect(outcome(await api.call('POST /qrs', { url }))).toBe('400 invalid_url');
    for (const code of [old?.code, young.code])
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    await server.stop();
  });

  test('is the same with a trailing slash or in another case', async () => {
    await server.start({
      WAYMARK_SHORT_URL: `${moved.replace('short', 'SHORT')}/`,
      WAYMARK_SHORT_URL_ALIASES: `${server.origin}/`,
    });
    const { url, code } = await api.create();
    expect(url).toBe(`${moved}/${code}`);
    await server.stop();
  });

  test('that is an alias is a domain from then on, which no account may use for new codes', async () => {
    const old = 'https://old.example.org';
    const other = 'https://second.example.org';
    // As version 1.1.0 had it: a code was printed at the alias.
    const code = await createAt(old);
    await server.start({ WAYMARK_SHORT_URL_ALIASES: `${old},${moved},${other},${below}` });
    const listed = async () => JSON.parse((await server.cli(['domain', 'list', '--json'])).stdout);
    expect((await listed()).map(({ url, accounts }: Listed) => [url, accounts])).toEqual(
      expect.arrayContaining([
        [old, []],
        [other, []],
        [moved, []],
        [server.origin, null],
      ]),
    );
    const at = (host: string, path: string) => visit(`${server.origin}/${path}`, { Host: host });
    for (const host of ['old.example.org', 'unknown.example.org', new URL(server.origin).host])
      expect([host, (await at(host, code)).status]).toEqual([host, 302]);
    // The API is at the main domain, which has the address with a path too.
    expect((await at('old.example.org', 'api/v1/qrs')).status).toBe(404);
    expect((await at('below.example.org', 'q/api/v1/qrs')).status).toBe(401);
    expect((await visit(`${server.origin}/healthz/domain?domain=old.example.org`)).status).toBe(
      200,
    );
    await server.stop();
    // It need not be named any more.
    await server.start({ WAYMARK_SHORT_URL_ALIASES: undefined });
    expect((await at('old.example.org', code)).status).toBe(302);
    expect((await api.call('POST /qrs', { url: `${old}/${code}` })).status).toBe(400);
    expect(await listed()).toContainEqual(expect.objectContaining({ url: old, codes: 1 }));
    await server.stop();
  });
});
