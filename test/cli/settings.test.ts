import { describe, expect, test } from 'bun:test';
import { flagOf, parseServeArguments, unknownSettings } from '../../src/cli/serve/settings.ts';
import { options, secretFiles } from '../../src/config.ts';

const names = [...Object.values(options), ...secretFiles].map(({ name }) => name);

describe('the arguments of serve without commander', () => {
  test('have a flag for every setting', () => {
    const settings = Object.fromEntries(names.map((name) => [name, 'value']));
    const flags = names.flatMap((name) => [`--${flagOf(name)}`, 'value']);
    expect(parseServeArguments(['serve', ...flags])).toEqual(settings);
  });

  test.each([
    ['serve', {}],
    ['serve --port=80', { WAYMARK_PORT: '80' }],
    ['serve --json', { WAYMARK_LOG: 'json' }],
    ['serve --redirect-only --json', { WAYMARK_LOG: 'json', WAYMARK_REDIRECT_ONLY: 'on' }],
    ['serve --redirect-only off', { WAYMARK_REDIRECT_ONLY: 'off' }],
    ['serve --log text --json', { WAYMARK_LOG: 'text' }],
    ['demo', null],
    ['serve --help', null],
    ['serve --port', null],
    ['serve --port -1', null],
    ['serve 80', null],
    ['serve --nothing 80', null],
  ])('%s: %p', (line, expected) => {
    expect(parseServeArguments(line.split(' '))).toEqual(expected);
  });
});

test('variables that look like settings and are none cause a warning', () => {
  expect(unknownSettings({ WAYMARK_PROT: '1', waymark_log: '', PORT: '', PATH: '' })).toEqual([
    'WAYMARK_PROT is not a setting of Waymark and has no effect',
    'waymark_log is not a setting of Waymark and has no effect',
  ]);
  expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
