/** How the sentences of a language write their values. */
export interface Formats {
  /** Writes a number: `12,345`. */
  readonly number: (value: number) => string;
  /** Returns the plural category of a number (CLDR). */
  readonly category: (value: number) => Intl.LDMLPluralRule;
  /** Writes a text of somebody. */
  readonly text: (value: string) => string;
}

/** Creates the formats of a locale. */
export function createFormats(locale: string, direction: 'ltr' | 'rtl'): Formats {
  // Made when they are needed, because that takes as long as a short command.
  let numbers: Intl.NumberFormat | undefined;
  let rules: Intl.PluralRules | undefined;
  return {
    // Most numbers are small, and `Intl` takes ten times as long for one.
    number: (value) => {
      if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
      numbers ??= new Intl.NumberFormat(locale);
      return numbers.format(value);
    },
    category: (value) => {
      rules ??= new Intl.PluralRules(locale);
      return rules.select(value);
    },
    // An isolate keeps it from reordering a sentence of the other direction (UAX 9, 2.4), also in attributes.
    text: direction === 'rtl' ? (value) => `\u2068${value}\u2069` : (value) => value,
  };
}
