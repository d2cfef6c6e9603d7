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
  fr: { locale: 'fr', direction: 'ltr', name: 'Français' },
  it: { locale: 'it', direction: 'ltr', name: 'Italiano' },
  es: { locale: 'es', direction: 'ltr', name: 'Español' },
  'pt-BR': { locale: 'pt-BR', direction: 'ltr', name: 'Português' },
  nl: { locale: 'nl', direction: 'ltr', name: 'Nederlands' },
  pl: { locale: 'pl', direction: 'ltr', name: 'Polski' },
  tr: { locale: 'tr', direction: 'ltr', name: 'Türkçe' },
  // Codes, addresses and prices beside its numbers have Latin digits.
  ar: { locale: 'ar-u-nu-latn', direction: 'rtl', name: 'العربية' },
  ja: { locale: 'ja', direction: 'ltr', name: '日本語' },
  'zh-Hans': { locale: 'zh-Hans', direction: 'ltr', name: '简体中文' },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

export type Language = keyof typeof languages;
