import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Part } from '../src/languages/interpreter.ts';
import { languages } from '../src/languages/languages.ts';

/**
 * Compiles the sentences of the panel, `src/languages/*.json` (ICU MessageFormat 1), to data with types:
 *
 *   bun release/catalogue.ts             writes src/languages/generated/
 *   bun release/catalogue.ts --check     fails if that is not what it would write
 *   bun release/catalogue.ts --complete  fails also if a language lacks a sentence, as a release does
 */

/** The sentences of a language by their keys, such as `people.linksWorkOnce`. */
export type Catalogue = Readonly<Record<string, string>>;

/** A sentence, parsed. */
interface Sentence {
  readonly elements: readonly MessageFormatElement[];
  /** The types of its values by their names, in TypeScript. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether a value is an element of a page, so that the sentence is a list of texts and elements. */
  readonly hasElements: boolean;
}

/**
 * Parses a sentence.
 *
 * @throws Error for what is no MessageFormat, or is not supported
 */
function parseSentence(text: string): Sentence {
  const elements = parse(text, { requiresOtherClause: true });
  const values = new Map<string, string>();
  const add = (name: string, type: string) => {
    const known = values.get(name);
    if (known !== undefined && known !== type) throw new Error(`${name} is ${known} and ${type}`);
    values.set(name, type);
  };
  const read = (parts: readonly MessageFormatElement[], counted = ''): void => {
    for (const part of parts) {
      switch (part.type) {
        case TYPE.literal:
          // The parser takes it as a text within a select or tag.
          if (counted !== '' && part.value.includes('#'))
            throw new Error(`write {${counted}, number} instead of # here`);
          break;
        case TYPE.pound:
          break;
        case TYPE.argument:
          add(part.value, 'string');
          break;
        case TYPE.number:
          if (part.style) throw new Error(`the style of ${part.value} is not supported`);
          add(part.value, 'number');
          break;
        case TYPE.plural:
          if (part.offset !== 0 || part.pluralType !== 'cardinal')
            throw new Error(`offset and ordinals are not supported: ${part.value}`);
          add(part.value, 'number');
          for (const { value } of Object.values(part.options)) read(value, part.value);
          break;
        case TYPE.select:
          add(part.value, typeOfSelect(Object.keys(part.options)));
          for (const { value } of Object.values(part.options)) read(value, counted);
          break;
        case TYPE.tag:
          add(part.value, typeOfTag(part.children));
          read(part.children, counted);
          break;
        default:
          throw new Error('dates and times are not supported: pass them as texts');
      }
    }
  };
  read(elements);
  const hasElements = [...values.values()].some((type) => type.endsWith('Part'));
  return { elements, values, hasElements };
}

/** Returns the types of the values of a sentence by their names, in TypeScript: `string`, `'editor' | 'viewer'`. */
export function valuesOf(text: string): ReadonlyMap<string, string> {
  return parseSentence(text).values;
}

/** Returns the type of what draws a tag: an element for one without a text, else a function of what is in it. */
function typeOfTag(children: readonly MessageFormatElement[]): string {
  if (children.length === 0) return 'Part';
  return children.some(isElement) ? '(parts: (string | Part)[]) => Part' : '(text: string) => Part';
}

/** Returns the type of what a select chooses by: `other` is for translators' tools, and is never said. */
function typeOfSelect(keys: readonly string[]): string {
  const known = keys.filter((key) => key !== 'other').sort();
  return known.join() === 'false,true' ? 'boolean' : known.map((key) => `'${key}'`).join(' | ');
}

const isElement = (part: MessageFormatElement): boolean =>
  part.type === TYPE.tag ||
  ('options' in part &&
    Object.values(part.options).some(({ value }) => value.some((one) => isElement(one))));

/** Compiles parts of a sentence. `#` is the number that is counted. */
function compileParts(elements: readonly MessageFormatElement[], counted = ''): Part[] {
  return elements.map((part): Part => {
    switch (part.type) {
      case TYPE.literal:
        return part.value;
      case TYPE.argument:
        return ['text', part.value];
      case TYPE.number:
        return ['number', part.value];
      case TYPE.pound:
        return ['number', counted];
      case TYPE.tag:
        return ['tag', part.value, compileParts(part.children, counted)];
      case TYPE.plural:
        return ['plural', part.value, compileOptions(part.options, part.value)];
      case TYPE.select: {
        // `other` is for translators' tools, and is never said.
        const { other: _, ...options } = part.options;
        return ['select', part.value, compileOptions(options, counted)];
      }
      default:
        throw new Error('dates and times are not supported: pass them as texts');
    }
  });
}

function compileOptions(
  options: Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>,
  counted: string,
): Record<string, Part[]> {
  return Object.fromEntries(
    Object.entries(options).map(([key, { value }]) => [key, compileParts(value, counted)]),
  );
}

/** Returns what is wrong with the plurals of a sentence in a language: categories that it lacks or does not have. */
function pluralProblems(elements: readonly MessageFormatElement[], locale: string): string[] {
  const needed: string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  return elements.flatMap((part) => {
    if (part.type === TYPE.tag) return pluralProblems(part.children, locale);
    if (!('options' in part)) return [];
    const keys = Object.keys(part.options).filter((key) => !key.startsWith('='));
    const own =
      part.type === TYPE.select
        ? []
        : [
            ...needed.filter((one) => !keys.includes(one)).map((one) => `lacks the plural ${one}`),
            ...keys.filter((one) => !needed.includes(one)).map((one) => `has no plural ${one}`),
          ];
    const inner = Object.values(part.options).flatMap(({ value }) => pluralProblems(value, locale));
    return [...own, ...inner];
  });
}

/** Sentences of a catalogue, and what is wrong with them, each with its key. */
function readCatalogue(texts: Catalogue, locale: string) {
  const sentences = new Map<string, Sentence>();
  const problems: string[] = [];
  for (const [key, text] of Object.entries(texts)) {
    if (!/^[a-z][A-Za-z]*\.[a-z][A-Za-z0-9]*$/.test(key))
      problems.push(`${key}: write it as people.title`);
    try {
      const sentence = parseSentence(text);
      sentences.set(key, sentence);
      problems.push(...pluralProblems(sentence.elements, locale).map((one) => `${key}: ${one}`));
    } catch (error) {
      problems.push(`${key}: ${error instanceof Error ? error.message : error}`);
    }
    if (text.trim() !== text || /\s\s/.test(text) || text === '')
      problems.push(`${key}: is empty, or has a space too many`);
  }
  return { sentences, problems };
}

/** Returns how the sentences of a translation differ from the English ones: unknown, or other values. */
function differences(
  english: ReadonlyMap<string, Sentence>,
  translated: ReadonlyMap<string, Sentence>,
): string[] {
  const signature = (sentence: Sentence | undefined) =>
    [...(sentence?.values ?? [])]
      .map(([name, type]) => `${name}: ${type}`)
      .sort()
      .join('; ');
  return [...translated].flatMap(([key, sentence]) => {
    const original = english.get(key);
    if (original === undefined) return [`${key}: is not in English`];
    const [own, wanted] = [signature(sentence), signature(original)];
    return own === wanted ? [] : [`${key}: has the values (${own}) instead of (${wanted})`];
  });
}

/** Returns the keys of the sentences that a translation lacks, by its tag. */
export function missingSentences({
  en = {},
  ...translations
}: Readonly<Record<string, Catalogue>>): Record<string, string[]> {
  const missing = Object.entries(translations).map(
    ([tag, texts]) => [tag, Object.keys(en).filter((key) => !(key in texts))] as const,
  );
  return Object.fromEntries(missing.filter(([, keys]) => keys.length > 0));
}

/** Writes the interface of the sentences, with the English ones as documentation. */
function writeInterface(english: Catalogue, sentences: ReadonlyMap<string, Sentence>): string {
  const lines = grouped(sentences).map(([group, members]) => {
    const entries = members.map(([key, name, sentence]) => {
      const types = [...sentence.values].map(([value, type]) => `readonly ${value}: ${type}`);
      const result = sentence.hasElements ? '(string | Part)[]' : 'string';
      const generic = sentence.hasElements ? '<Part>' : '';
      const doc = `    /** ${(english[key] ?? '').replaceAll('*/', '* /')} */`;
      const signature =
        types.length === 0
          ? `    readonly ${name}: string;`
          : `    readonly ${name}: ${generic}(values: { ${types.join('; ')} }) => ${result};`;
      return `${doc}\n${signature}`;
    });
    return `  readonly ${group}: {\n${entries.join('\n')}\n  };`;
  });
  return `// Written by release/catalogue.ts.\nimport type { Formats } from '../formats.ts';\n\n/** The sentences of a language. */\nexport interface Texts {\n  /** How it writes numbers and lists. */\n  readonly formats: Formats;\n${lines.join('\n')}\n}\n`;
}

/** Writes the compiled sentences of a language, one a line. */
function writeSentences(sentences: ReadonlyMap<string, Sentence>): string {
  const groups = grouped(sentences).map(([group, members]) => {
    const entries = members.map(
      ([, name, { elements, values }]) =>
        `${JSON.stringify(name)}:${JSON.stringify(values.size === 0 ? textOf(elements) : compileParts(elements))}`,
    );
    return `${JSON.stringify(group)}:{\n${entries.join(',\n')}\n}`;
  });
  return `{${groups.join(',\n')}}\n`;
}

/** Returns the text of a sentence without values. */
function textOf(elements: readonly MessageFormatElement[]): string {
  return compileParts(elements).join('');
}

/** Writes the list of the languages that are offered. */
function writeOffered(tags: readonly string[]): string {
  const imports = tags.map(
    (tag) => `import ${variableOf(tag)} from './${tag}.sentences' with { type: 'file' };`,
  );
  const members = tags.map((tag) => `  '${tag}': ${variableOf(tag)},`);
  return `// Written by release/catalogue.ts.\n${imports.join('\n')}\n\n/** The files of the languages that have every sentence. */\nexport const offered = {\n${members.join('\n')}\n};\n`;
}

/** Returns a tag as the name of a variable: `zhHans`. */
function variableOf(tag: string): string {
  return tag.replaceAll('-', '');
}

/** Returns the sentences by the first part of their keys, in the order of the catalogue. */
function grouped(sentences: ReadonlyMap<string, Sentence>) {
  const named = [...sentences].map(([key, sentence]) => {
    const [group = '', name = ''] = key.split('.');
    return { group, entry: [key, name, sentence] as const };
  });
  return Array.from(
    Map.groupBy(named, ({ group }) => group),
    ([group, members]) => [group, members.map(({ entry }) => entry)] as const,
  );
}

/**
 * Compiles catalogues to the files of generated/, by their names.
 * A language that lacks a sentence is left out.
 *
 * @param catalogues by the tags of languages, English among them
 * @throws Error that names every sentence that is wrong
 */
export function compileCatalogues(
  catalogues: Readonly<Record<string, Catalogue>>,
): Record<string, string> {
  const english = catalogues['en'] ?? {};
  const original = readCatalogue(english, 'en');
  const problems = original.problems.map((one) => `en ${one}`);
  const missing = missingSentences(catalogues);
  const offered = Object.keys(catalogues).filter((tag) => missing[tag] === undefined);
  const files: Record<string, string> = {
    'texts.ts': writeInterface(english, original.sentences),
    'offered.ts': writeOffered(offered),
  };
  for (const [tag, texts] of Object.entries(catalogues)) {
    const read = tag === 'en' ? original : readCatalogue(texts, tag);
    if (read !== original)
      problems.push(
        ...[...read.problems, ...differences(original.sentences, read.sentences)].map(
          (one) => `${tag} ${one}`,
        ),
      );
    if (!offered.includes(tag)) continue;
    files[`${tag}.sentences`] = writeSentences(read.sentences);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return files;
}

function fail(text: string): void {
  console.error(text);
  process.exitCode = 1;
}

if (import.meta.main) {
  const folder = join(import.meta.dir, '../src/languages');
  const generated = join(folder, 'generated');
  const mode = process.argv[2];
  const catalogues = Object.fromEntries(
    await Promise.all(
      Object.keys(languages).map(async (tag) => [
        tag,
        await Bun.file(join(folder, `${tag}.json`)).json(),
      ]),
    ),
  );
  for (const [tag, keys] of Object.entries(missingSentences(catalogues))) {
    const first = keys.slice(0, 20).join(', ');
    const text = `${tag} lacks ${keys.length} sentences, and is not offered: ${first}`;
    if (mode === '--complete') fail(text);
    else console.error(text);
  }
  const files = compileCatalogues(catalogues);
  for (const name of await readdir(generated)) if (files[name] === undefined) files[name] = '';
  for (const [name, content] of Object.entries(files)) {
    const file = Bun.file(join(generated, name));
    const isSame = (await file.exists()) ? (await file.text()) === content : content === '';
    if (isSame) continue;
    if (mode === undefined) await (content === '' ? file.delete() : file.write(content));
    else fail(`generated/${name} is not what release/catalogue.ts writes: bun run sentences`);
  }
}
