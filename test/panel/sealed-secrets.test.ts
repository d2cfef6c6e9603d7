import { afterAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { isCompleteRun } from '../support/sample.ts';
import { type Server, startServer } from '../support/server.ts';
import { createPanelClient, password, signedIn } from './client.ts';
import { fieldOf } from './page.ts';
import { codeOf, turnOn } from './second-factor.ts';

/** Gives the password, and returns the status and text of the answer to a code. */
async function signInWith({ origin }: Server, email: string, code: string) {
  const client = createPanelClient(origin);
  const asked = await client.post('/account/sign-in', { email, password });
  const fields = Object.fromEntries(
    ['proof', 'next', 'again'].map((name) => [name, fieldOf(asked.text, name)?.value ?? '']),
  );
  return client.post('/account/sign-in/code', { ...fields, code });
}

async function storedSecret(database: Parameters<typeof inDatabase>[0]): Promise<string> {
  const [row] = await inDatabase(database, 'SELECT totp_secret FROM accounts');
  return String(row?.['totp_secret']);
}

const warningsOf = async ({ origin }: Server): Promise<readonly string[]> =>
  Object(await (await fetch(`${origin}/healthz`)).json()).warnings;

const email = 'anna@example.org';
const missing = /1 second factor cannot be read, because there is no \S+secret\.key\./;

describe('the secret of a second factor, on SQLite', async () => {
  const server = await startServer({ WAYMARK_BACKUP_DIR: 'off', WAYMARK_DATABASE_URL: undefined });
  afterAll(server.close);
  const keyFile = join(server.dataFolder, 'secret.key');
  const { secret, recoveryCodes } = await turnOn(await signedIn(server, email), password);
  const backup = join(server.folder, 'backup.db');

  test('is sealed with a key that lies beside the database, and in no backup of it', async () => {
    expect(await storedSecret(server)).toStartWith('sealed1.');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(await server.cli(['backup', backup])).toMatchObject({ exitCode: 0 });
    const key = readFileSync(keyFile, 'utf8').trim();
    for (const text of [readFileSync(backup, 'latin1'), server.log()])
      expect([text.includes(secret), text.includes(key)]).toEqual([false, false]);
    expect((await signInWith(server, email, codeOf(secret, 1))).status).toBe(303);
  });

  test('is sealed at the next start if an earlier version has stored it', async () => {
    await server.stop();
    await inDatabase(server, `UPDATE accounts SET totp_secret = '${secret}', totp_step = 0`);
    await server.start();
    expect(await storedSecret(server)).toStartWith('sealed1.');
    expect((await signInWith(server, email, codeOf(secret))).status).toBe(303);
    const checks = (await server.cli(['doctor'])).stdout;
    expect(checks).toContain('second factors: the server can read all 1');
  });

  test('is told to be unreadable without the key, while recovery codes work', async () => {
    await server.stop();
    renameSync(keyFile, `${keyFile}.away`);
    await server.start();
    expect(await warningsOf(server)).toEqual([expect.stringMatching(missing)]);
    const answer = await signInWith(server, email, codeOf(secret));
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('because its key is missing');
    expect((await signInWith(server, email, recoveryCodes[0] ?? '')).status).toBe(303);
    const { stdout } = await server.cli(['doctor']);
    expect(stdout).toMatch(missing);
    expect(stdout).toContain('waymark account second-factor EMAIL --reset');
    expect(existsSync(keyFile)).toBe(false);
    await server.stop();
    renameSync(`${keyFile}.away`, keyFile);
    await server.start();
    expect(await warningsOf(server)).toEqual([]);
  });

  test('that a restore cannot read is counted', async () => {
    const env = await server.otherDatabase('restored');
    const restored = await server.cli(['restore', backup], { env });
    expect([restored.exitCode, restored.stderr]).toEqual([0, expect.stringMatching(missing)]);
    const key = { WAYMARK_SECRET_KEY_FILE: keyFile };
    const readable = await server.cli(['restore', backup, '--force'], { env: { ...env, ...key } });
    expect([readable.exitCode, readable.stderr]).toEqual([0, '']);
  });

  test.skipIf(!hasPostgres)('that a move cannot read is counted', async () => {
    await server.stop();
    const url = await (await sharedPostgres()).createDatabase();
    const moved = await server.cli(['move', '--to', url]);
    expect(moved).toMatchObject({ exitCode: 0 });
    expect(moved.stderr).toMatch(/1 second factor cannot be read.*The key is in .*secret\.key/);
  });

  test.each([
    ['empty', (path: string) => writeFileSync(path, ''), 'is not the key that Waymark'],
    [
      'cut off',
      (path: string) => writeFileSync(path, '0123456789abcdef'),
      'is not the key that Waymark',
    ],
    ['too long', (path: string) => writeFileSync(path, 'x'.repeat(100_000)), 'is not the key'],
    ['a folder', (path: string) => mkdirSync(path), 'is not the key that Waymark'],
    ['a pipe', (path: string) => void spawnSync('mkfifo', [path]), 'is not the key that Waymark'],
    ['a link to itself', (path: string) => symlinkSync(path, path), 'too many symbolic links'],
    ['a link to nothing', (path: string) => symlinkSync('/none', path), 'no such file or folder'],
  ])('is unreadable with a key file that is %s, and all else works', async (_, damage, cause) => {
    await server.stop();
    const { api } = await server.account();
    renameSync(keyFile, `${keyFile}.away`);
    damage(keyFile);
    await server.start();
    expect(await warningsOf(server)).toEqual([
      expect.stringMatching(new RegExp(`1 second factor cannot be read, because .*${cause}`)),
    ]);
    expect((await api.create()).code).toBeString();
    expect((await signInWith(server, email, codeOf(secret))).status).toBe(422);
    const { exitCode, stdout } = await server.cli(['doctor']);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(cause)]);
    await server.stop();
    rmSync(keyFile, { recursive: true });
    renameSync(`${keyFile}.away`, keyFile);
    await server.start();
    expect(await warningsOf(server)).toEqual([]);
  });
});

describe.skipIf(!hasPostgres || !isCompleteRun)(
  'the secret of a second factor, on PostgreSQL',
  () => {
    test('is sealed as soon as the server has a key', async () => {
      const url = await (await sharedPostgres()).createDatabase();
      const settings = { WAYMARK_BACKUP_DIR: 'off', WAYMARK_DATABASE_URL: url };
      const server = await startServer(settings);
      const database = { database: settings, dataFolder: server.dataFolder };
      const { secret } = await turnOn(await signedIn(server, email), password);
      expect(await storedSecret(database)).toBe(secret);
      await server.stop();
      const key = crypto.getRandomValues(new Uint8Array(32)).toHex();
      await server.start({ WAYMARK_SECRET_KEY: key });
      expect(await storedSecret(database)).toStartWith('sealed1.');
      expect((await signInWith(server, email, codeOf(secret, 1))).status).toBe(303);
      await server.stop();
      await server.start({ WAYMARK_SECRET_KEY: key.replace(/^./, 'x') });
      expect(await warningsOf(server)).toEqual([
        expect.stringMatching(/1 second factor cannot be read, because WAYMARK_SECRET_KEY/),
      ]);
      await server.close();
    });
  },
);
