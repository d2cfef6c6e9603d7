/** A language of the panel. */
interface LanguageFacts {
  /** Locale of `Intl`, which writes numbers, dates and lists. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** What it calls itself. */
  readonly name: string;
}

/** The languages of the panel by their tags (BCP 47). One is offered when it has every sentence of `en.json`. */
export const languages = {
  en: { locale: 'en-GB', direction: 'ltr', name: 'English' },
  de: { locale: 'de', direction: 'ltr', name: 'Deutsch' },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

export type Language = keyof typeof languages;
