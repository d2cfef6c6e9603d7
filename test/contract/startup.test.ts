import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Env, programCommand, programEnv, runProgram } from '../support/program.ts';
import { freePort, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

const folder = await mkdtemp(join(tmpdir(), 'waymark-startup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A start that has to be refused; one that is not would run into the deadline and be killed. */
function serve(env: Env, args: readonly string[] = []) {
  const base = { WAYMARK_DATA: join(folder, 'data'), WAYMARK_PORT: String(freePort()) };
  const options = { cwd: folder, env: { ...base, ...env }, deadlineMs: 20_000 };
  return runProgram(['serve', ...args], options);
}

test('the link to the first account is printed by the time that the server first answers', async () => {
  // To a file, which holds what was written whether or not anybody has read it.
  const printed = Bun.file(join(folder, 'printed.txt'));
  const port = String(freePort());
  const child = Bun.spawn([...programCommand(), 'serve'], {
    cwd: folder,
    env: programEnv({ WAYMARK_DATA: join(folder, 'new'), WAYMARK_PORT: port }),
    stdio: ['ignore', printed, 'ignore'],
  });
  try {
    let said = '';
    await until(async () => {
      const health = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
      said = await printed.text();
      return health?.ok ?? false;
    });
    expect(said).toMatch(/listens on .*\/account\/link\/[0-9a-f]{64}\n/s);
  } finally {
    child.kill();
    await child.exited;
  }
});

describe('wrong values are named and refused at the start', () => {
  test.each([
    ['WAYMARK_PORT', 'http'],
    ['WAYMARK_PORT', '65536'],
    ['WAYMARK_PORT', '-1'],
    ['WAYMARK_PORT', '80.5'],
    ['WAYMARK_PUBLIC_URL', 'example.org'],
    ['WAYMARK_PUBLIC_URL', 'ftp://example.org'],
    ['WAYMARK_SHORT_URL', 'javascript:alert(1)'],
    ['WAYMARK_SHORT_URL', 'not a url'],
    ['WAYMARK_SHORT_URL_ALIASES', 'not a url'],
    ['WAYMARK_KEY_PREFIX', 'no prefix!'],
    ['WAYMARK_RATE_LIMIT', '0'],
    ['WAYMARK_RATE_LIMIT', '-60'],
    ['WAYMARK_RATE_LIMIT', 'sixty'],
    ['WAYMARK_RATE_LIMIT', '1.5'],
    ['WAYMARK_DURABILITY', 'sometimes'],
    ['WAYMARK_SAFE_BROWSING', 'maybe'],
    ['WAYMARK_DENSE_LINKS', 'perhaps'],
    ['WAYMARK_LOG', 'xml'],
  ])('%s=%s', async (name, value) => {
    const { exitCode, stderr } = await serve({ [name]: value });
    expect([1, 2]).toContain(exitCode);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('all of them at once, not one per try', async () => {
    const { stderr } = await serve({ WAYMARK_PORT: 'http', WAYMARK_LOG: 'xml' });
    expect(stderr).toContain('WAYMARK_PORT');
    expect(stderr).toContain('WAYMARK_LOG');
  });

  test.each([
    [{ WAYMARK_LOG: ' json ' }, []],
    [{}, ['--json']],
    [{ WAYMARK_LOG: 'text' }, ['--log', 'json']],
  ])('on one line of JSON, where the log is written for machines: %j %j', async (env, args) => {
    const wrong = { WAYMARK_PORT: 'http', WAYMARK_RATE_LIMIT: 'sixty' };
    const { exitCode, stderr } = await serve({ ...wrong, ...env }, args);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/WAYMARK_PORT.*\n?.*WAYMARK_RATE_LIMIT/s),
    });
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('a flag of the same name as well', async () => {
    const { exitCode, stderr } = await serve({}, ['--rate-limit', 'sixty']);
    expect([1, 2]).toContain(exitCode);
    expect(stderr).toMatch(/rate.limit/i);
  });

  test('a data folder that cannot be one', async () => {
    const file = join(folder, 'file');
    await Bun.write(file, 'not a folder');
    const { exitCode, stderr } = await serve({ WAYMARK_DATA: file });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(file);
  });
});

describe('a port that is taken', () => {
  test('is a refusal with its number', async () => {
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    try {
      const { exitCode, stderr } = await serve({ WAYMARK_PORT: String(taken.port) });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(String(taken.port));
    } finally {
      taken.stop(true);
    }
  });
});

test('a first start that was cut off before there was a table is begun again', async () => {
  const cut = await startServer();
  try {
    await cut.stop();
    await rm(cut.dataFolder, { recursive: true });
    await mkdir(cut.dataFolder);
    const database = new Database(join(cut.dataFolder, 'waymark.db'));
    database.run('PRAGMA journal_mode = WAL');
    database.close();
    await cut.start();
  } finally {
    await cut.close();
  }
});

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const moved = 'http://short.example.org';

// In this order: the server gets its first code in the second test.
describe('the short URL that is baked into existing codes', () => {
  /** `serve` on the data of that server, which is stopped. */
  const restart = (env: Env) => serve({ WAYMARK_DATA: server.dataFolder, ...env });

  test('may change while there is no code', async () => {
    await server.stop();
    await server.start({ WAYMARK_SHORT_URL: 'http://first.example.org' });
    await server.stop();
    await server.start();
  });

  test('another one is refused, by name of both, once there is one', async () => {
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

  test('an alias of yet another address does not help', async () => {
    const { exitCode } = await restart({
      WAYMARK_SHORT_URL: moved,
      WAYMARK_SHORT_URL_ALIASES: 'http://other.example.org',
    });
    expect(exitCode).toBe(1);
  });

  test('naming the old one as an alias lets it start; both are known as own short links', async () => {
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

  test('and the same one with a trailing slash or another case is the same one', async () => {
    await server.start({
      WAYMARK_SHORT_URL: `${moved.replace('short', 'SHORT')}/`,
      WAYMARK_SHORT_URL_ALIASES: `${server.origin}/`,
    });
    const { url, code } = await api.create();
    expect(url).toBe(`${moved}/${code}`);
    await server.stop();
  });
});

describe('serve', () => {
  test('takes its settings from the environment and from flags of the same names', async () => {
    const acme = await startServer({ WAYMARK_KEY_PREFIX: 'acme' }, ['--rate-limit', '7']);
    try {
      const holder = await acme.account('bob@example.org');
      expect(holder.key).toMatch(/^acme_[0-9a-f]{40}$/);
      const answer = await holder.api.call('GET /qrs');
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, '7']);
    } finally {
      await acme.close();
    }
  });

  test('has a flag for every variable', async () => {
    const help = await runProgram(['serve', '--help'], { cwd: folder });
    for (const flag of [
      ...['data', 'host', 'port', 'public-url', 'short-url', 'short-url-aliases', 'key-prefix'],
      ...['rate-limit', 'durability', 'trust-proxy', 'safe-browsing', 'dense-links', 'log'],
    ])
      expect(help.stdout).toContain(`--${flag}`);
  });

  test('ends with 0 on SIGTERM, and a second one on the same data is refused', async () => {
    const running = await startServer();
    try {
      const second = await serve({ WAYMARK_DATA: running.dataFolder });
      expect(second.exitCode).toBe(1);
      expect(second.stderr).not.toBe('');
      expect(await running.stop()).toBe(0);
    } finally {
      await running.close();
    }
  });
});
