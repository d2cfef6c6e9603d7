import { describe, expect, test } from 'bun:test';
import { serveCommand } from '../../src/cli/serve/serve.ts';
import { flagOf, type Settings, unknownSettings } from '../../src/cli/serve/settings.ts';
import { options, secretFiles } from '../../src/config.ts';

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
  expect(unknownSettings({ WAYMARK_PROT: '1', waymark_log: '', PORT: '', PATH: '' })).toEqual([
    'WAYMARK_PROT is not a setting of Waymark and has no effect',
    'waymark_log is not a setting of Waymark and has no effect',
  ]);
  expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
