/** Words of headers in ASCII that languages in other code pages than the western one have. */
const wordsByLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    pl: 'nazwa opis uwagi uwaga strona strony miejsce witryna notatka notatki kategoria',
    cs: 'popis odkaz adresa',
    sk: 'popis odkaz adresa miesto',
    hu: 'hely weboldal honlap oldal',
    ro: 'nume denumire adresa descriere comentariu loc',
    hr: 'naziv poveznica napomena opis adresa stranica mjesto ime',
    sl: 'naziv povezava opomba opombe opis naslov kraj ime',
    sq: 'emri lidhja',
    tr: 'isim sayfa konum hedef',
    lt: 'pavadinimas nuoroda pastaba pastabos vardas adresas vieta tinklalapis puslapis',
    lv: 'nosaukums saite adrese apraksts vieta lapa',
    et: 'nimetus veebileht koduleht asukoht kirjeldus aadress',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/**
 * Returns how many words of the first line are headers in ASCII.
 * They are counted in the language that has most of them.
 */
export function countHeadersInAscii(text: string, languages: readonly string[]): number {
  const line = /^[^\n\r]{0,2000}/.exec(text)?.[0] ?? '';
  const words = line.toLowerCase().match(/[a-z]+/g) ?? [];
  const counts = languages.map(
    (language) => words.filter((word) => wordsByLanguage.get(language)?.has(word)).length,
  );
  return Math.max(0, ...counts);
}
