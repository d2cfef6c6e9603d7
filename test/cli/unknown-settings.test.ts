import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { inWords, unknownSettings } from '../../src/cli/serve/unknown-settings.ts';
import { options } from '../../src/config.ts';

test.each([
  ['WAYMARK_PUBLIC_ULR', 'WAYMARK_PUBLIC_URL'],
  ['WAYMARK_SHORT_URL_ALIAS', 'WAYMARK_SHORT_URL_ALIASES'],
  ['WAYMARK_TRUSTED_PROXIES', 'WAYMARK_TRUST_PROXY'],
  ['WAYMARK_SAFEBROWSING', 'WAYMARK_SAFE_BROWSING'],
  ['WAYMARK_DATA_DIR', 'WAYMARK_DATA'],
  ['WAYMARK-HOST', 'WAYMARK_HOST'],
  ['WAYMARKPORT', 'WAYMARK_PORT'],
  ['WAYMRAK_PORT', 'WAYMARK_PORT'],
  ['waymark_log', 'WAYMARK_LOG'],
  // Nothing is near, but it was meant for this program.
  ['WAYMARK_DATABASE_CONNECTION', null],
  ['WAYMARK_BIN', null],
  ['waymark_bin', null],
  // Two of three letters differ from WAYMARK_LOG.
  ['WAYMARK_FOO', null],
  ['WAYMARK_', null],
])('%s is no setting, and nearest to %p', (name, nearest) => {
  expect(unknownSettings({ [name]: '' })).toEqual([{ name, nearest }]);
});

const anySlip = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  without: fc.constantFrom(0, 1),
  letter: fc.constantFrom('', 'X', '_', 'A'),
});

test('a setting is known again after any two slips', () => {
  const names: readonly string[] = Object.values(options).map(({ name }) => name);
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.array(anySlip, { minLength: 1, maxLength: 2 }),
      (name, slips) => {
        let slipped: string = name;
        for (const { at, without, letter } of slips) {
          const place = Math.floor(at * slipped.length);
          slipped = slipped.slice(0, place) + letter + slipped.slice(place + without);
        }
        fc.pre(!names.includes(slipped));
        // Of fewer than four letters behind the prefix, two slips leave too little to tell by.
        fc.pre(!/^WAYMARK_.{0,3}$/i.test(slipped));
        expect(unknownSettings({ [slipped]: '' })).toEqual([
          { name: slipped, nearest: expect.any(String) },
        ]);
      },
    ),
  );
});

test('settings and the variables of others are passed over', () => {
  const names = ['PATH', 'PORT', 'HOST', 'PUBLIC_URL', 'RATE_LIMIT', 'SAFE_BROWSING_FAILURE', ''];
  // Of another program's prefix more than a slip differs, however much of the rest is alike.
  names.push('FREEMARK_TRUST_PROXY', 'TRADEMARK_SAFE_BROWSING_FAILURE');
  for (const { name } of Object.values(options)) names.push(name);
  expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('what is said of one names the setting that it is nearest to, where there is one', () => {
  expect(inWords({ name: 'WAYMARK_PROT', nearest: 'WAYMARK_PORT' })).toBe(
    'WAYMARK_PROT is not a setting of Waymark and has no effect; did you mean WAYMARK_PORT?',
  );
  expect(inWords({ name: 'WAYMARK_BIN', nearest: null })).toBe(
    'WAYMARK_BIN is not a setting of Waymark and has no effect',
  );
});
