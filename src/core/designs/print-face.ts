/**
 * Letters of the scripts that need no shaping, and the signs that occur in names.
 * Scripts: Latin with its accents, Greek, Cyrillic, Armenian, Georgian. Signs: punctuation, superscripts, currencies,
 * fractions, arrows, comparisons, marks.
 */
const covered =
  /^[\x20-\x7e\xa0-\u024f\u02bb\u02bc\u0370-\u04ff\u0531-\u058f\u10a0-\u10ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203a\u2070-\u209c\u20a0-\u20bf\u2103\u2109\u2116\u2122\u2126\u2150-\u215e\u2190-\u2199\u2212\u221e\u2248\u2260\u2264\u2265\u25a0\u25cf\u2605\u2713\u2717]$/;

/** Characters among them that no font of labels has: some currencies, and places without a letter. */
const lacking =
  /^[\u0378\u0379\u0380-\u0383\u038b\u038d\u03a2\u0557\u0558\u0560\u0588\u058b-\u058f\u10c6-\u10cf\u10fd-\u10ff\u1efc-\u1eff\u2072\u2073\u208f\u20b6\u20b7\u20bb\u20bc\u20be]$/;

/**
 * Returns whether the fonts of captions have a character.
 * A combining mark has no place of its own.
 */
export function hasGlyphInCaptions(character: string): boolean {
  return covered.test(character) && !lacking.test(character) && !/\p{M}/u.test(character);
}
