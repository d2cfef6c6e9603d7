import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveCommand } from '../../src/cli/serve/serve.ts';
import { options, secretFiles } from '../../src/config.ts';
import { environmentWarnings, flagOf, type Settings } from '../../src/redirect/settings.ts';
import { createCommands } from './folder.ts';

const names = [...Object.values(options), ...secretFiles].map(({ name }) => name);

/** Returns the settings that the arguments of `serve` stand for. @throws CommanderError for wrong usage */
async function settingsOf(args: readonly string[]): Promise<Settings | undefined> {
  let settings: Settings | undefined;
  const command = serveCommand(async (given) => {
    settings = given;
  });
  await command
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parseAsync(args, { from: 'user' });
  return settings;
}

describe('the arguments of serve', () => {
  test('have a flag for every setting', async () => {
    const settings = Object.fromEntries(names.map((name) => [name, 'value']));
    const flags = names.flatMap((name) => [`--${flagOf(name)}`, 'value']);
    expect(await settingsOf(flags)).toEqual(settings);
  });

  test.each([
    ['--port=80', { WAYMARK_PORT: '80' }],
    ['--json', { WAYMARK_LOG: 'json' }],
    ['--redirect-only --json', { WAYMARK_LOG: 'json', WAYMARK_REDIRECT_ONLY: 'on' }],
    ['--redirect-only off', { WAYMARK_REDIRECT_ONLY: 'off' }],
    ['--log text --json', { WAYMARK_LOG: 'text' }],
  ])('%s: %p', async (line, expected) => {
    expect(await settingsOf(line.split(' '))).toEqual(expected);
  });

  test.each(['--port', '80', '--nothing 80'])('%s is wrong usage', async (line) => {
    expect(settingsOf(line.split(' '))).rejects.toThrow('error: ');
  });
});

test('variables that look like settings and are none cause a warning', () => {
  const mistyped = { WAYMARK_PROT: '1', waymark_log: '', 'export WAYMARK_PORT': '1' };
  expect(environmentWarnings({ ...mistyped, PORT: '', PATH: '' })).toEqual([
    'WAYMARK_PROT is not a setting of Waymark and has no effect',
    'waymark_log is not a setting of Waymark and has no effect',
    'export WAYMARK_PORT is not a setting of Waymark and has no effect',
  ]);
  expect(environmentWarnings({ WAYMARK_PORT: '80\r', WAYMARK_LOG: 'text\r', PATH: '\r' })).toEqual([
    expect.stringContaining('WAYMARK_PORT, WAYMARK_LOG end with a carriage return'),
  ]);
  expect(environmentWarnings({ WAYMARK_PORT: '"80"', WAYMARK_LOG: "'text", PATH: '""' })).toEqual([
    expect.stringContaining('WAYMARK_PORT has quotes around the value'),
  ]);
  expect(environmentWarnings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('waymark settings shows each value in effect, where it comes from, and no secret', async () => {
  const { folder, json, waymark } = createCommands();
  await Bun.write(
    join(folder, 'url'),
    'postgres://anna:hidden1@db.example.com/waymark?sslmode=require\n',
  );
  const env = {
    WAYMARK_PUBLIC_URL: 'https://qr.example.com/',
    WAYMARK_SHORT_URL_ALIASES: 'https://a.example, https://b.example',
    WAYMARK_SAFE_BROWSING: 'v5',
    WAYMARK_SAFE_BROWSING_KEY: 'hidden2',
    // A secret that looks like an address.
    WAYMARK_SECRET_KEY: 'a://hidden3/and-twenty-more-characters',
    WAYMARK_DATABASE_URL_FILE: 'url',
    WAYMARK_DENSE_LINKS: 'on',
    WAYMARK_PROT: '80',
    // Not a secret.
    WAYMARK_PORT_FILE: 'url',
  };
  const shown = (await json('settings --data elsewhere', { env })) as { name: string }[];
  expect(shown.map(({ name }) => name)).toEqual(Object.values(options).map(({ name }) => name));
  expect(shown).toEqual(
    expect.arrayContaining([
      { name: 'WAYMARK_DATA', value: 'elsewhere', source: 'flag' },
      { name: 'WAYMARK_PORT', value: '3000', source: 'default' },
      { name: 'WAYMARK_PUBLIC_URL', value: 'https://qr.example.com', source: 'environment' },
      { name: 'WAYMARK_SHORT_URL', value: 'https://qr.example.com', source: 'default' },
      {
        name: 'WAYMARK_SHORT_URL_ALIASES',
        value: 'https://a.example,https://b.example',
        source: 'environment',
      },
      { name: 'WAYMARK_SAFE_BROWSING_KEY', value: '…', source: 'environment' },
      {
        name: 'WAYMARK_DATABASE_URL',
        value: 'postgres://…@db.example.com/waymark',
        source: 'file',
      },
      { name: 'WAYMARK_DENSE_LINKS', value: 'on', source: 'environment' },
      { name: 'WAYMARK_SECRET_KEY', value: '…', source: 'environment' },
      { name: 'WAYMARK_OIDC_CLIENT_SECRET', value: null, source: 'default' },
    ]),
  );
  const { stdout, stderr } = await waymark('settings', { env });
  expect(stdout).not.toContain('hidden');
  expect(stderr).toContain('WAYMARK_PROT is not a setting');
  // No database is opened or created.
  expect(readdirSync(folder)).toEqual(['url']);
});
