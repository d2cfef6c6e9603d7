/**
 * Letters of the scripts that need no shaping, and the signs that occur in names.
 * Scripts: Latin with its accents, Greek, Cyrillic, Armenian, Georgian. Signs: punctuation, superscripts, currencies,
 * fractions, arrows, comparisons, marks.
 */
const covered =
  /^[\x20-\x7e\xa0-\u024f\u02bb\u02bc\u0370-\u04ff\u0531-\u058f\u10a0-\u10ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203a\u2070-\u209c\u20a0-\u20bf\u2103\u2109\u2116\u2122\u2126\u2150-\u215e\u2190-\u2199\u2212\u221e\u2248\u2260\u2264\u2265\u25a0\u25cf\u2605\u2713\u2717]$/;

/**
 * Returns whether the font of captions is meant to have a character.
 * A combining mark has no place of its own.
 */
export function hasGlyphInCaptions(character: string): boolean {
  return covered.test(character) && !/\p{M}/u.test(character);
}
