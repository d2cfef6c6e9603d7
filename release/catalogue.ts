import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { languages } from '../src/languages/languages.ts';

/**
 * Compiles the sentences of the panel, `src/languages/*.json` (ICU MessageFormat 1), to typed functions:
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

/** Returns the options of a plural or select in the order in which they are tried; the last one needs no test. */
function optionsOf(part: Extract<MessageFormatElement, { options: unknown }>) {
  const options = Object.entries(part.options).map(([key, { value }]) => ({ key, value }));
  const known = options.filter(({ key }) => key !== 'other');
  return part.type === TYPE.select
    ? known
    : [
        ...known.toSorted((a, b) => Number(b.key.startsWith('=')) - Number(a.key.startsWith('='))),
        ...options.filter(({ key }) => key === 'other'),
      ];
}

/** Writes a choice between the options of a plural or select as an expression. */
function choice(
  part: Extract<MessageFormatElement, { options: unknown }>,
  write: (parts: readonly MessageFormatElement[], counted: string) => string,
  counted: string,
): string {
  const { value: name } = part;
  const isPlural = part.type === TYPE.plural;
  const options = optionsOf(part);
  const ofCategory = options.filter(
    ({ key }) => isPlural && !key.startsWith('=') && key !== 'other',
  );
  // The category is looked up once: that takes a microsecond.
  const category = ofCategory.length > 1 ? 'category' : `f.category(${name})`;
  const written = options.map(({ key, value }, at) => {
    const said = write(value, isPlural ? name : counted);
    if (at === options.length - 1) return said;
    if (!isPlural)
      return `${key === 'true' || key === 'false' ? `${name} === ${key}` : `${name} === '${key}'`} ? ${said} : `;
    return `${key.startsWith('=') ? `${name} === ${key.slice(1)}` : `${category} === '${key}'`} ? ${said} : `;
  });
  const chosen = written.join('');
  return ofCategory.length > 1 ? `((category) => ${chosen})(f.category(${name}))` : chosen;
}

const isElement = (part: MessageFormatElement): boolean =>
  part.type === TYPE.tag ||
  ('options' in part &&
    Object.values(part.options).some(({ value }) => value.some((one) => isElement(one))));

/** Writes parts without elements as a template. */
function template(parts: readonly MessageFormatElement[], counted: string): string {
  const texts = parts.map((part) => {
    switch (part.type) {
      case TYPE.literal:
        return part.value.replaceAll(/[\\`]|\$\{/g, '\\$&');
      case TYPE.argument:
        return `\${f.text(${part.value})}`;
      case TYPE.number:
        return `\${f.number(${part.value})}`;
      case TYPE.pound:
        return `\${f.number(${counted})}`;
      case TYPE.plural:
      case TYPE.select:
        return `\${${choice(part, template, counted)}}`;
      default:
        throw new Error('an element within a text');
    }
  });
  return `\`${texts.join('')}\``;
}

/** Writes parts as a list of texts and elements. */
function list(parts: readonly MessageFormatElement[], counted: string): string {
  const items: string[] = [];
  let texts: MessageFormatElement[] = [];
  const endText = () => {
    if (texts.length > 0) items.push(template(texts, counted));
    texts = [];
  };
  for (const part of parts) {
    if (!isElement(part)) {
      texts.push(part);
      continue;
    }
    endText();
    if (part.type === TYPE.tag)
      items.push(
        part.children.length === 0
          ? part.value
          : `${part.value}(${(part.children.some(isElement) ? list : template)(part.children, counted)})`,
      );
    else if ('options' in part) items.push(`...(${choice(part, list, counted)})`);
  }
  endText();
  return `[${items.join(', ')}]`;
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

const parametersOf = ({ values }: Sentence) => [...values.keys()].join(', ');

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

/** Writes a sentence as a property: a text, or a function of its values. */
function entryOf([, name, sentence]: readonly [string, string, Sentence]): string {
  const said = sentence.hasElements ? list(sentence.elements, '') : template(sentence.elements, '');
  const head = sentence.values.size === 0 ? '' : `({ ${parametersOf(sentence)} }) => `;
  return `${name}: ${head}${said}`;
}

/** Writes the sentences of a language as functions. */
function writeFunctions(tag: string, sentences: ReadonlyMap<string, Sentence>): string {
  const groups = grouped(sentences).map(([group, members]) => {
    const entries = members.map((member) => `    ${entryOf(member)},`);
    return `  ${group}: {\n${entries.join('\n')}\n  },`;
  });
  return `// Written by release/catalogue.ts from ${tag}.json.\nimport type { Formats } from '../formats.ts';\nimport type { Texts } from './texts.ts';\n\nexport const ${variableOf(tag)} = (f: Formats): Texts => ({\n  formats: f,\n${groups.join('\n')}\n});\n`;
}

/** Writes the list of the languages that are offered. */
function writeOffered(tags: readonly string[]): string {
  const imports = tags.map((tag) => `import { ${variableOf(tag)} } from './${tag}.ts';`);
  const members = tags.map((tag) => `  '${tag}': ${variableOf(tag)},`);
  return `// Written by release/catalogue.ts.\n${imports.join('\n')}\n\n/** The languages that have every sentence. */\nexport const offered = {\n${members.join('\n')}\n};\n`;
}

/** Returns a tag as the name of a variable: `zhHans`. */
function variableOf(tag: string): string {
  return tag.replaceAll('-', '');
}

/**
 * Writes the sentences that the panel's script says, as the source of a function for each language.
 *
 * @param languages sentences by the tags of their languages
 */
function writeClient(languages: ReadonlyMap<string, ReadonlyMap<string, Sentence>>): string {
  const sources = Array.from(languages, ([tag, sentences]) => {
    const own = [...sentences].filter(([key]) => key.startsWith('client.'));
    const entries = grouped(new Map(own)).flatMap(([, members]) => members.map(entryOf));
    return `  '${tag}': ${JSON.stringify(`f=>({${entries.join(',')}})`)},`;
  });
  return `// Written by release/catalogue.ts.\n\n/** What the panel's script says, as the source of a function. */\nexport const clientTexts = {\n${sources.join('\n')}\n};\n`;
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
  const languages = new Map<string, ReadonlyMap<string, Sentence>>();
  for (const [tag, texts] of Object.entries(catalogues)) {
    const read = tag === 'en' ? original : readCatalogue(texts, tag);
    if (read !== original)
      problems.push(
        ...[...read.problems, ...differences(original.sentences, read.sentences)].map(
          (one) => `${tag} ${one}`,
        ),
      );
    if (!offered.includes(tag)) continue;
    files[`${tag}.ts`] = writeFunctions(tag, read.sentences);
    languages.set(tag, read.sentences);
  }
  files['client.ts'] = writeClient(languages);
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
