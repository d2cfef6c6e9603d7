/** How the sentences of a language write their values. */
export interface SentenceFormats {
  /** Writes a number: `12,345`. */
  readonly number: (value: number) => string;
  /** Returns the plural category of a number (CLDR). */
  readonly category: (value: number) => Intl.LDMLPluralRule;
  /** Writes a text of somebody. */
  readonly text: (value: string) => string;
}

/** How a language writes numbers and lists, in its sentences and beside them. */
export interface Formats extends SentenceFormats {
  /** Locale of `Intl`. */
  readonly locale: string;
  /** Writes a number with one decimal place at most: `38.1`, `70`. */
  readonly decimal: (value: number) => string;
  /** Writes a mean: `9.7`, `74`. */
  readonly mean: (value: number) => string;
  /** Writes a percentage, of which 100 is the whole: `38%`. */
  readonly percent: (value: number) => string;
  /** Writes a list: `a, b and c`. */
  readonly list: (items: readonly string[]) => string;
  /** Puts what stands between elements of a list between them: `a, b and c`. */
  readonly elements: <Part>(items: readonly Part[]) => (string | Part)[];
}

/** Creates the formats of sentences in a locale. */
export function createSentenceFormats(locale: string, direction: 'ltr' | 'rtl'): SentenceFormats {
  // Made when they are needed, because that takes as long as a short command.
  const numbers = once(() => new Intl.NumberFormat(locale));
  const rules = once(() => new Intl.PluralRules(locale));
  return {
    // Most numbers are small, and `Intl` takes ten times as long for one.
    number: (value) =>
      Number.isInteger(value) && value >= 0 && value < 1000
        ? String(value)
        : numbers().format(value),
    category: (value) => rules().select(value),
    // An isolate keeps it from reordering a sentence of the other direction (UAX 9, 2.4), also in attributes.
    text: direction === 'rtl' ? (value) => `\u2068${value}\u2069` : (value) => value,
  };
}

/** Creates the formats of a locale. */
export function createFormats(locale: string, direction: 'ltr' | 'rtl'): Formats {
  const decimals = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
  const percents = once(() => new Intl.NumberFormat(locale, { style: 'percent' }));
  const lists = once(() => new Intl.ListFormat(locale));
  const ofSentences = createSentenceFormats(locale, direction);
  const decimal = (value: number) => decimals().format(value);
  return {
    ...ofSentences,
    locale,
    decimal,
    mean: (value) => (value < 10 ? decimal(value) : ofSentences.number(Math.round(value))),
    percent: (value) => percents().format(value / 100),
    list: (items) => lists().format(items),
    elements: (items) =>
      lists()
        .formatToParts(items.map((_, at) => String(at)))
        .map(
          (part) => (part.type === 'element' ? items[Number(part.value)] : undefined) ?? part.value,
        ),
  };
}

/** Returns a function that creates a value when it is called first. */
function once<T extends object>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
