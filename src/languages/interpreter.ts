import type { SentenceFormats } from './formats.ts';

/** A part of a compiled sentence: a text, or what becomes of a value. */
export type Part =
  | string
  | readonly ['text' | 'number', value: string]
  | readonly [
      'plural' | 'select',
      value: string,
      options: Readonly<Record<string, readonly Part[]>>,
    ]
  | readonly ['tag', value: string, parts: readonly Part[]];

/** A compiled sentence. Without values it is a text. */
type Sentence = string | readonly Part[];

/** The compiled sentences of a language by the two parts of their keys. */
export type Sentences = Readonly<Record<string, Readonly<Record<string, Sentence>>>>;

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the sentences as texts, and as functions of their values.
 * One with a tag returns a list of texts and elements, any other a text. `generated/texts.ts` has the types.
 */
export function interpret(
  sentences: Sentences,
  formats: SentenceFormats,
): Readonly<Record<string, Values>> {
  const groups = Object.entries(sentences).map(([group, members]) => {
    const said = Object.entries(members).map(([name, sentence]) => [
      name,
      typeof sentence === 'string' ? sentence : functionOf(sentence, formats),
    ]);
    return [group, Object.fromEntries(said)];
  });
  return Object.fromEntries(groups);
}

function functionOf(parts: readonly Part[], formats: SentenceFormats) {
  const isList = hasTag(parts);
  return (values: Values) => (isList ? listOf : textOf)(parts, values, formats);
}

function hasTag(parts: readonly Part[]): boolean {
  return parts.some((part) => {
    if (typeof part === 'string') return false;
    const [kind, , inner = {}] = part;
    return kind === 'tag' || Object.values(inner).some((option) => hasTag(option));
  });
}

function textOf(parts: readonly Part[], values: Values, formats: SentenceFormats): string {
  return listOf(parts, values, formats).join('');
}

function listOf(parts: readonly Part[], values: Values, formats: SentenceFormats): unknown[] {
  return parts.flatMap((part) => interpretPart(part, values, formats));
}

/** Returns what a part says: texts, and elements of a page. */
function interpretPart(part: Part, values: Values, formats: SentenceFormats): unknown[] {
  if (typeof part === 'string') return [part];
  const [kind, name, inner] = part;
  const value = values[name];
  switch (kind) {
    case 'text':
      return [formats.text(String(value))];
    case 'number':
      return [formats.number(Number(value))];
    case 'tag':
      if (inner.length === 0 || typeof value !== 'function') return [value];
      return [value((hasTag(inner) ? listOf : textOf)(inner, values, formats))];
    case 'select':
      return listOf(inner[String(value)] ?? [], values, formats);
    case 'plural': {
      const chosen = inner[`=${value}`] ?? inner[formats.category(Number(value))] ?? inner['other'];
      return listOf(chosen ?? [], values, formats);
    }
  }
}
