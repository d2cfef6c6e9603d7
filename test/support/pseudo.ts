import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { type Catalogue, compileCatalogues } from '../../release/catalogue.ts';

/**
 * Languages that nobody speaks, which show faults of the panel before it is translated. No server offers them:
 * the program of {@link createPseudoProgram} has one in place of English.
 *
 * - `en-XA` is English with accents, in brackets and 40 % longer, with the dates and numbers of Greek. A letter without
 *   an accent outside of brackets is a text that is not in the catalogue.
 * - `ar-XB` is English on pages from right to left.
 */
export type PseudoLanguage = 'en-XA' | 'ar-XB';

const root = join(import.meta.dir, '../..');

/** Copies the source to a folder, with a pseudo-language in place of English. Returns the command of its program. */
export async function createPseudoProgram(
  language: PseudoLanguage,
  folder: string,
): Promise<string[]> {
  for (const name of await readdir(root))
    if (name !== 'src') await symlink(join(root, name), join(folder, name));
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  const languages = join(folder, 'src/languages');
  const file = join(languages, 'languages.ts');
  const [locale, direction] = language === 'en-XA' ? ['el', 'ltr'] : ['en-GB', 'rtl'];
  const text = await Bun.file(file).text();
  const pseudo = text.replace(
    /\ben: \{ locale: '[^']*', direction: '[^']*'/,
    `en: { locale: '${locale}', direction: '${direction}'`,
  );
  if (pseudo === text) throw new Error(`English is not as expected in ${file}`);
  await Bun.write(file, pseudo);
  if (language === 'en-XA')
    for (const [name, code] of Object.entries(
      compilePseudo(await Bun.file(join(languages, 'en.json')).json()),
    ))
      await Bun.write(join(languages, 'generated', name), code);
  return [process.execPath, join(folder, 'src/main.ts')];
}

const plain = 'abcdefghijklmnopqrstuvwxyz';
const accented = 'áƀçďéƒĝĥíĵķļṁñóṗɋřšťúṽŵẋýž';
const accents = new Map(
  Array.from(plain, (letter, at): [string, string] => [letter, accented.charAt(at)]),
);

/** Returns a letter with an accent; another character as it is. */
function accentOf(character: string): string {
  const accent = accents.get(character.toLowerCase()) ?? character;
  return character === character.toLowerCase() ? accent : accent.toUpperCase();
}

/** How much longer a text gets: some languages need that much more than English. */
const growth = 0.4;

/** Returns the parts of a sentence with accents, and how many characters the longest way through them has. */
function accent(parts: readonly MessageFormatElement[]) {
  let length = 0;
  const elements = parts.map((part): MessageFormatElement => {
    if (part.type === TYPE.literal) {
      length += part.value.length;
      return { ...part, value: Array.from(part.value, accentOf).join('') };
    }
    if (part.type === TYPE.tag) {
      const inner = accent(part.children);
      length += inner.length;
      return { ...part, children: inner.elements };
    }
    if (!('options' in part)) return part;
    const options = Object.entries(part.options).map(([key, { value }]) => ({
      key,
      inner: accent(value),
    }));
    length += Math.max(...options.map(({ inner }) => inner.length));
    // The cast is safe: the part is the same but for the texts of its options.
    return {
      ...part,
      options: Object.fromEntries(
        options.map(({ key, inner }) => [key, { ...part.options[key], value: inner.elements }]),
      ),
    } as MessageFormatElement;
  });
  return { elements, length };
}

/** Returns a sentence of the catalogue in `en-XA`. */
function pseudoSentence(text: string): string {
  const { elements, length } = accent(parse(text));
  // In words that wrap as those of a language do.
  const more = '~'.repeat(Math.ceil(length * growth)).replaceAll(/.{6}(?=.)/g, '$& ');
  const literal = (value: string): MessageFormatElement => ({ type: TYPE.literal, value });
  return printAST([literal('⟦'), ...elements, literal(` ${more}⟧`)]);
}

/** Compiles the English sentences in `en-XA` to the files of generated/, by their names. */
function compilePseudo(english: Catalogue): Record<string, string> {
  const pseudo = Object.entries(english).map(([key, text]) => [key, pseudoSentence(text)]);
  return compileCatalogues({ en: Object.fromEntries(pseudo) });
}

/**
 * Returns what matches an English text in English and in both pseudo-languages.
 *
 * @param isWhole whether nothing else may stand beside it
 */
export function inAnyLanguage(text: string | RegExp, isWhole = false): RegExp {
  const matching = (one: string) =>
    accents.has(one.toLowerCase()) ? `[${one}${accentOf(one)}]` : RegExp.escape(one);
  // Values stand between isolates on pages from right to left.
  const isolate = '[\\u2066-\\u2069]*';
  if (text instanceof RegExp) {
    const source = text.source
      .replaceAll(/(?<!\\)[a-z]/gi, (one) => matching(one) + isolate)
      .replace(/^\^/, `^⟦?${isolate}`)
      .replace(/\$$/, '(?: [~ ]+⟧)?$');
    return new RegExp(source, text.flags);
  }
  const pattern = Array.from(text, (one) => matching(one) + isolate).join('');
  return isWhole ? new RegExp(`^⟦?${isolate}${pattern}(?: [~ ]+⟧)?$`) : new RegExp(pattern, 'i');
}
