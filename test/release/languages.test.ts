import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Catalogue, valuesOf } from '../../release/catalogue.ts';
import english from '../../src/languages/en.json';
import { type Language, languages } from '../../src/languages/languages.ts';
import { languageTags } from '../../src/languages/negotiation.ts';
import { textsOf } from '../../src/languages/texts.ts';

const numbers = [0, 1, 2, 3, 11, 100, 1_000_000, 1_234_567];
const texts = ['Menu', 'x'.repeat(300), 'قائمة الطعام', '<b> & "quoted"'];
const drawn = '\u0001';

/** Returns values of a type: more of a text or number than of a choice. */
function samplesOf(type: string): readonly unknown[] {
  if (type === 'number') return numbers;
  if (type === 'string') return texts;
  if (type === 'boolean') return [true, false];
  if (type === 'Part') return [drawn];
  if (type.endsWith('Part')) return [(inner: unknown) => [inner].flat(9).join('')];
  return type.split(' | ').map((one) => one.slice(1, -1));
}

/** Says a sentence of a language with each value of each kind. */
function* sayings(tag: Language, key: string, original: string): Generator<string> {
  const [group = '', name = ''] = key.split('.');
  // The catalogue has these groups, because the keys are those of its file.
  const members = textsOf(tag)[group as 'people'] as unknown as Readonly<
    Record<string, string | ((values: unknown) => unknown)>
  >;
  const sentence = members[name];
  if (typeof sentence !== 'function') {
    yield String(sentence);
    return;
  }
  const values = [...valuesOf(original)].map(([value, type]) => [value, samplesOf(type)] as const);
  const length = Math.max(...values.map(([, samples]) => samples.length));
  for (let at = 0; at < length; at += 1)
    for (const shift of [0, 1]) {
      const chosen = values.map(([value, samples], index) => [
        value,
        samples[(at + index * shift) % samples.length],
      ]);
      yield [sentence(Object.fromEntries(chosen))].flat(9).join('');
    }
}

const ends: readonly (readonly [english: RegExp, others: RegExp])[] = [
  [/\.["”)]?$/, /[.。][»”“"」）)]?$/],
  // Japanese questions end as other sentences.
  [/\?["”)]?$/, /[?？؟。][»”“"」）)]?$/],
  [/…$/, /…$/],
  [/:$/, /[:：]$/],
];
const pairs = ['()', '（）', '[]', '「」', '«»', '‹›'];

/** Returns what is wrong with a sentence beside the English one with the same values. */
function* problemsOf(said: string, original: string): Generator<string> {
  if (said.trim() === '') yield 'is empty';
  if (/undefined|NaN|\[object|=>/.test(said)) yield `says ${said}`;
  if (/ {2}|^ | $/.test(said.replaceAll(drawn, 'x'))) yield 'has a space too many';
  for (const [open, close] of pairs)
    if (said.split(open ?? '').length !== said.split(close ?? '').length) yield `opens ${open}`;
  const [, end] = ends.find(([english]) => english.test(original)) ?? [];
  if (end !== undefined && !end.test(said)) yield `“${said}” does not end as “${original}”`;
}

describe.each(languageTags)('every sentence in %s', (tag) => {
  test('is said with any value', () => {
    const problems = Object.entries(english).flatMap(([key, original]) => {
      const inEnglish = [...sayings('en', key, original)];
      const found = [...sayings(tag, key, original)].flatMap((said, at) => [
        ...problemsOf(said, inEnglish[at] ?? ''),
      ]);
      return [...new Set(found)].slice(0, 2).map((problem) => `${key}: ${problem}`);
    });
    expect(problems).toEqual([]);
  });

  test('has the numbers, links and names that the English one has', async () => {
    const file = join(import.meta.dir, `../../src/languages/${tag}.json`);
    const catalogue: Catalogue = await Bun.file(file).json();
    // What a plural says of one or two may be a word.
    const facts = (text: string) =>
      new Set(
        text
          .replaceAll(/=\d+|#/g, '')
          .replaceAll(/(?<=\d)[,.\u00a0\u202f](?=\d{3})/g, '')
          .match(/\d+(?:[.,]\d+)?|https?:|WAYMARK_\w+|\b(?:CSV|PNG|SVG|PDF|API|UTC|URL)\b/g),
      );
    const lost = Object.entries(english).flatMap(([key, original]) => {
      const own = facts(catalogue[key] ?? '');
      return [...facts(original)]
        .filter((fact) => !own.has(fact) && !own.has(fact.replace('.', ',')))
        .map((fact) => `${key}: lacks ${fact}`);
    });
    expect(lost).toEqual([]);
  });

  test('goes in its direction', () => {
    const { direction, locale } = languages[tag];
    expect<string>(direction).toBe(/^(?:ar|he|fa)/.test(locale) ? 'rtl' : 'ltr');
    expect(textsOf(tag).formats.number(1234567)).toMatch(/^1\D?234\D?567$/);
  });
});
