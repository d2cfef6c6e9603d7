/** Bytes of the characters of Windows-1252 beyond ASCII. */
const bytes: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, at) => [
    new TextDecoder('windows-1252').decode(new Uint8Array([128 + at])),
    128 + at,
  ]),
);

// Others are rare, so that a name such as METRÔ™ is meant as it is.
const common =
  /^[\p{ASCII}\u00a0-\u017f\u0370-\u045f\u0590-\u06ff\u0e00-\u0e7f\u2010-\u2122\u3000-\u9fff\uac00-\ud7a3\uff00-\uffef]+$/u;

/**
 * Returns the text that was in UTF-8 and read as Windows-1252, such as `Käse` of `KÃ¤se`.
 * Null for any other.
 */
export function undoMisreading(text: string): string | null {
  if (!/[Â-ô][^\p{ASCII}]/u.test(text)) return null;
  const encoded: number[] = [];
  for (const character of text) {
    const byte = character <= '\x7f' ? character.charCodeAt(0) : bytes.get(character);
    if (byte === undefined) return null;
    encoded.push(byte);
  }
  try {
    const meant = new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(encoded));
    return common.test(meant) ? meant : null;
  } catch {
    return null;
  }
}
