/** The languages of the panel by their tags (BCP 47), and how each writes numbers, dates and lists. */
export const languages = {
  en: { locale: 'en-GB', direction: 'ltr' },
} as const satisfies Readonly<Record<string, { locale: string; direction: 'ltr' | 'rtl' }>>;

export type Language = keyof typeof languages;
