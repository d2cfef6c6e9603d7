/** Sorts codes without a name after the others. */
const unnamed = '2';

/**
 * Returns a key by which names sort as people count when keys are compared by code points:
 * "Table 2" comes before "Table 10", in the digits of any script, and accents and case do not matter. Codes without a
 * name come last.
 */
export function nameSortKey(name: string | null): string {
  if (name === null) return unnamed;
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, '');
  // A number is preceded by the length of its digits, so that longer ones are greater.
  const counted = folded.replaceAll(/\p{Nd}+/gu, (number) => {
    const digits = Array.from(number, digitOf).join('').replace(/^0+/, '') || '0';
    return `0${String(digits.length).padStart(3, '0')}${digits}`;
  });
  return `1${counted}`;
}

/** Returns the value of a digit. Unicode has the digits of each script in a row. */
function digitOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return value;
}

/** Compares keys as databases do: by code points, not by UTF-16. */
export function compareKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Surrogates are halves of the largest code points. */
function rankOf(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit < 0xe000 ? codeUnit + 0x10000 : codeUnit;
}
