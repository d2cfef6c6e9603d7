import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { compileCatalogues, missingSentences } from '../../release/catalogue.ts';
import english from '../../src/languages/en.json';
import { createFormats } from '../../src/languages/formats.ts';
import { interpret } from '../../src/languages/interpreter.ts';

/** Compiles an English sentence, and says it. */
function say(text: string, values: object): unknown {
  const { 'en.sentences': compiled = '{}' } = compileCatalogues({ en: { 'group.name': text } });
  const name = interpret(JSON.parse(compiled), createFormats('en-GB', 'ltr'))['group']?.['name'];
  return typeof name === 'function' ? name(values) : name;
}

/** Returns what is wrong with catalogues. */
function problemsOf(catalogues: Parameters<typeof compileCatalogues>[0]): string[] {
  try {
    compileCatalogues(catalogues);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
}

describe('a sentence', () => {
  test.each([
    ['Kept: ` \\ $', {}, 'Kept: ` \\ $'],
    ['“{name}” is taken', { name: '`Menu`' }, '“`Menu`” is taken'],
    ['{n, plural, one {# code} other {# codes}}', { n: 1 }, '1 code'],
    ['{n, plural, one {# code} other {# codes}}', { n: 12_345 }, '12,345 codes'],
    ['{n, plural, one {a code} =0 {no code} other {codes}}', { n: 0 }, 'no code'],
    ['{n, number} of {all, number}', { n: 1, all: 2000 }, '1 of 2,000'],
    ['{isOn, select, true {On} false {Off} other {}}', { isOn: false }, 'Off'],
    [
      '{role, select, editor {An editor} viewer {A viewer} other {}}',
      { role: 'viewer' },
      'A viewer',
    ],
    [
      '{n, plural, one {{k, select, a {at} b {by {n, number}} other {}}} other {many}}',
      { n: 1, k: 'b' },
      'by 1',
    ],
    [
      'See <link>the {what}</link>.',
      { what: 'list', link: (t: string) => [t] },
      ['See ', ['the list'], '.'],
    ],
    ['ends on <date></date>', { date: 3 }, ['ends on ', 3]],
    [
      '{n, plural, one {<b>#</b> code} other {<b>#</b> codes}}',
      { n: 2, b: (text: string) => ({ text }) },
      [{ text: '2' }, ' codes'],
    ],
  ])('%p with %p', (text, values, said) => {
    expect(say(text, values)).toEqual(said);
  });

  test.each([
    ['{n, plural, one {#}}', 'MISSING_OTHER_CLAUSE'],
    ['{n, plural, one {#} few {#} other {#}}', 'has no plural few'],
    ['{n, plural, other {#}}', 'lacks the plural one'],
    ['{n} of {n, number}', 'n is string and number'],
    ['{when, date}', 'dates and times are not supported: pass them as texts'],
    ['{n, selectordinal, one {#st} other {#th}}', 'offset and ordinals are not supported: n'],
    [
      '{n, plural, one {{k, select, a {#} other {}}} other {#}}',
      'write {n, number} instead of # here',
    ],
    ['two  spaces', 'is empty, or has a space too many'],
    ['an {open', 'EXPECT_ARGUMENT_CLOSING_BRACE'],
  ])('%p is refused: %s', (text, problem) => {
    expect(problemsOf({ en: { 'group.name': text } })).toEqual([`en group.name: ${problem}`]);
  });

  test.each([
    [{ 'a.b': '{name}', 'a.c': 'c' }, 'de a.c: is not in English'],
    [{ 'a.b': 'ohne' }, 'de a.b: has the values () instead of (name: string)'],
    [{ 'a.b': '{nam}' }, 'de a.b: has the values (nam: string) instead of (name: string)'],
  ])('of a translation %p is refused: %s', (de, problem) => {
    expect(problemsOf({ en: { 'a.b': '{name}' }, de })).toEqual([problem]);
  });

  test('has every plural of its language, and each choice', () => {
    const plural = '{n, plural, one {#} other {#}}';
    expect(problemsOf({ en: { 'a.b': plural }, ar: { 'a.b': plural } })).toEqual(
      ['zero', 'two', 'few', 'many'].map((one) => `ar a.b: lacks the plural ${one}`),
    );
    const select = (keys: string) => `{r, select, ${keys} other {}}`;
    const lacking = { en: { 'a.b': select('x {1} y {2}') }, de: { 'a.b': select('x {1}') } };
    expect(problemsOf(lacking)).toEqual([
      "de a.b: has the values (r: 'x') instead of (r: 'x' | 'y')",
    ]);
  });
});

test('a language is offered when it has every sentence', () => {
  const en = { 'a.b': 'one', 'a.c': 'two' };
  const de = { 'a.b': 'eins' };
  const files = compileCatalogues({ en, de, 'zh-Hans': { ...en } });
  expect(Object.keys(files).sort()).toEqual([
    'en.sentences',
    'offered.ts',
    'texts.ts',
    'zh-Hans.sentences',
  ]);
  expect(files['offered.ts']).toContain("'zh-Hans': zhHans,");
  expect(missingSentences({ en, de, fr: en })).toEqual({ de: ['a.c'] });
});

test('every sentence of the catalogue is used', () => {
  const root = join(import.meta.dir, '../../src');
  const sources = [...new Glob('{panel,sentences}/**/*.{ts,tsx}').scanSync(root)].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  // A file may name the group once, such as `const t = useTexts().people`.
  const unused = Object.keys(english).filter((key) => {
    // Said by the name of a field.
    if (key.startsWith('labels.')) return false;
    const [group, name] = key.split('.').map((part) => new RegExp(`\\b${part}\\b`));
    return !sources.some((source) => group?.test(source) && name?.test(source));
  });
  expect(unused).toEqual([]);
});
