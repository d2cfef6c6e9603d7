import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databasePath } from '../../src/redirect/sqlite/files.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { closeConnection } from '../../src/sqlite/database/open.ts';
import { freePort } from '../support/free-port.ts';
import type { Env } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { createCommands } from './folder.ts';

const { folder, waymark } = createCommands();

/** Runs a start that must be rejected and returns its reason. */
async function rejection(line = '', env: Env = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await waymark(`serve ${line}`.trim(), {
    env: { WAYMARK_PORT: String(freePort()), ...env },
  });
  expect(stdout).toBe('');
  // A wrong setting is wrong usage; everything else is rejected.
  expect(exitCode).toBe(/^waymark: WAYMARK_\w+ is "/.test(stderr) ? 2 : 1);
  expect(stderr).toMatch(/^waymark: /);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

test('a mistyped name of a setting causes a warning, also when the start fails', async () => {
  const env = { WAYMARK_PUBLIC_ULR: 'https://qr.example.com' };
  const { exitCode, stderr } = await waymark('serve --host 0.0.0.0', { env });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/ warn WAYMARK_PUBLIC_ULR .*\nwaymark: WAYMARK_PUBLIC_URL is ""/);
});

/** Creates a data folder. */
function dataFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe('a start is rejected with the reason', () => {
  test('every wrong setting at once, from the environment or a flag', async () => {
    const reason = await rejection('--rate-limit sixty --log=xml', { WAYMARK_KEY_PREFIX: '1' });
    for (const name of ['WAYMARK_RATE_LIMIT', 'WAYMARK_LOG', 'WAYMARK_KEY_PREFIX'])
      expect(reason).toContain(name);
  });

  test('a proxy that is neither an address nor a network', async () => {
    const data = dataFolder('untouched');
    const reason = await rejection(
      `--data ${data} --trust-proxy 10.0.0.0/8,proxy.local --port http`,
    );
    expect(reason).toContain('WAYMARK_TRUST_PROXY is "proxy.local"');
    expect(reason).toContain('WAYMARK_PORT');
    // Not even a lock.
    expect(readdirSync(data)).toEqual([]);
  });

  test('a file with a secret that is missing, and a secret that is given twice', async () => {
    const missing = join(folder, 'no-secret');
    const expected = `WAYMARK_SECRET_KEY_FILE is "${missing}", which cannot be read: no such file`;
    expect(await rejection(`--secret-key-file ${missing}`)).toContain(expected);
    expect(await rejection('', { WAYMARK_SECRET_KEY_FILE: missing })).toContain(expected);
    const both = {
      WAYMARK_SECRET_KEY_FILE: missing,
      WAYMARK_SECRET_KEY: 'hush hush hush hush hush hush hush',
    };
    const { exitCode, stderr } = await waymark('serve', { env: both });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'waymark: WAYMARK_SECRET_KEY and WAYMARK_SECRET_KEY_FILE are both set. Remove one of them.\n',
    );
  });

  test.each(['WAYMARK_VALKEY_URL', 'WAYMARK_VALKEY_URL_FILE'])(
    '%s, which is used no more',
    async (name) => {
      const env = { [name]: 'redis://:hush@cache.example.com' };
      const { exitCode, stderr } = await waymark('serve', { env });
      expect(exitCode).toBe(2);
      expect(stderr).toStartWith(
        `waymark: ${name} is set. Valkey and Redis are not used any more: `,
      );
      expect(stderr).not.toContain('hush');
    },
  );

  test('every address without saying how the server is reached', async () => {
    expect(await rejection('--host 0.0.0.0')).toContain('WAYMARK_PUBLIC_URL');
  });

  test('an address of another machine', async () => {
    const reason = await rejection('--host 192.0.2.1');
    expect(reason).toContain('192.0.2.1');
    expect(reason).toContain('WAYMARK_HOST');
  });

  test('a host that is not an address', async () => {
    const env = { WAYMARK_HOST: 'not a host', WAYMARK_PUBLIC_URL: 'https://qr.example.com' };
    expect(await rejection('', env)).toContain('WAYMARK_HOST is "not a host"');
  });

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'no folder');
    expect(await rejection(`--data ${file}`)).toBe(
      `waymark: The data folder ${file} (WAYMARK_DATA) cannot be created: the file exists already (EEXIST).\n`,
    );
  });

  test('a port in use', async () => {
    const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    try {
      const reason = await rejection(`--port ${other.port}`);
      expect(reason).toContain(String(other.port));
      expect(reason).toContain('WAYMARK_PORT');
    } finally {
      other.stop(true);
    }
  });

  test('a port of another Waymark, which could share it', async () => {
    const other = await startServer();
    try {
      const { port } = new URL(other.origin);
      expect(await rejection(`--port ${port}`)).toContain(port);
    } finally {
      await other.close();
    }
  });

  test('a database of a newer version, or a damaged one, which is not changed', async () => {
    const newer = dataFolder('newer');
    const store = openWithDrizzle(newer, { durability: 'process', busyTimeoutMs: 0 });
    store.$client.run('PRAGMA user_version = 99');
    closeConnection(store);
    expect(await rejection(`--data ${newer}`)).toContain('newer Waymark');

    const damaged = dataFolder('damaged');
    const bytes = readFileSync(databasePath(newer)).subarray(0, 10_000);
    writeFileSync(databasePath(damaged), bytes);
    expect(await rejection(`--data ${damaged}`)).toContain('damaged');
    expect(readFileSync(databasePath(damaged)).equals(bytes)).toBe(true);
  });
});
