import { InvalidInput } from './errors.ts';

// More than any spreadsheet with names and addresses has.
export const maxColumns = 100;

/**
 * Returns the text of a table, without a byte order mark.
 *
 * @param file a file, or pasted text
 * @throws InvalidInput with what kind of file it is instead, as far as that can be seen
 */
export function decodeText(file: Uint8Array | string, maxBytes: number): string {
  if (file.length > maxBytes)
    throw new InvalidInput(
      `The table is larger than ${maxBytes / 1_000_000} MB. Split it into several.`,
    );
  const text = typeof file === 'string' ? file : decodeUtf8(file);
  if (/[^\P{Cc}\n\r\t]/u.test(text) || !text.isWellFormed())
    throw new InvalidInput('The file contains control characters, so it is no table in text form.');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function decodeUtf8(bytes: Uint8Array): string {
  const start = bytes.subarray(0, 4).toHex();
  if (start.startsWith('fffe') || start.startsWith('feff'))
    throw new InvalidInput(
      'The file is in UTF-16. Save it as "CSV UTF-8" or as text in UTF-8, and try again.',
    );
  if (start === '504b0304' || start === 'd0cf11e0')
    throw new InvalidInput(
      'The file is a spreadsheet. Save it as "CSV UTF-8" first, and use that file.',
    );
  if (bytes.includes(0))
    throw new InvalidInput('The file contains NUL bytes, so it is no table in UTF-8 text form.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidInput(
      'The file is not in UTF-8. Save it as "CSV UTF-8" or as text in UTF-8, and try again.',
    );
  }
}
