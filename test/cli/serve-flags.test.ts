import { describe, expect, test } from 'bun:test';
import { Command } from 'commander';
import fc from 'fast-check';
import { flagOf, plainSettings } from '../../src/cli/serve/flags.ts';
import { addServeCommand, settingsOf } from '../../src/cli/serve/serve.ts';
import { options } from '../../src/config.ts';

/** What commander makes of the same words; null when it refuses them. */
function commanderSettings(words: readonly string[]): unknown {
  const program = new Command('waymark');
  addServeCommand(program, () => {
    throw new Error('reading flags needs no worker');
  });
  const [serve] = program.commands;
  if (serve === undefined) throw new Error('there is no serve');
  serve.exitOverride().configureOutput({ writeErr: () => {} });
  let seen: unknown = null;
  serve.action((flags) => {
    seen = settingsOf(flags);
  });
  try {
    program.parse([...words], { from: 'user' });
  } catch {
    return null;
  }
  return seen;
}

const flags = Object.values(options).map(({ name }) => flagOf(name));
const word = fc.oneof(
  fc.constantFrom('serve', '--json', '--help', '--', '-p', '--port=80', '--nothing', ...flags),
  fc.constantFrom('', '80', '-1', 'json', 'a b'),
  fc.string(),
);
const pair = fc.tuple(fc.constantFrom(...flags), word);
const words = fc
  .array(fc.oneof({ weight: 4, arbitrary: pair }, fc.tuple(word)), { maxLength: 5 })
  .map((groups) => ['serve', ...groups.flat()]);

describe('the flags of serve without commander', () => {
  test('whatever is understood means what commander makes of it', () => {
    fc.assert(
      fc.property(words, (given) => {
        const plain = plainSettings(given);
        if (plain !== null) expect<unknown>(plain).toEqual(commanderSettings(given));
      }),
      { numRuns: 300 },
    );
  });

  test('every flag with a value is understood', () => {
    const settings = Object.fromEntries(Object.values(options).map(({ name }) => [name, 'value']));
    const given = Object.keys(settings).flatMap((name) => [flagOf(name), 'value']);
    expect(plainSettings(['serve', ...given])).toEqual(settings);
    expect(plainSettings(['serve'])).toEqual({});
    expect(plainSettings(['serve', '--json'])).toEqual({ WAYMARK_LOG: 'json' });
    expect(plainSettings(['serve', '--log', 'text', '--json'])).toEqual({ WAYMARK_LOG: 'text' });
  });

  test.each([
    [['demo']],
    [[]],
    [['serve', '--help']],
    [['serve', '--port']],
    [['serve', '--port=80']],
    [['serve', '--port', '-1']],
    [['serve', '80']],
    [['serve', '--nothing', '80']],
  ])('%j is left to commander', (given) => {
    expect(plainSettings(given)).toBeNull();
  });
});
