/** Encodes a text in a code page that TextDecoder knows. Throws for a character that the page lacks. */
export function encodeIn(label: string, text: string): Uint8Array {
  const bytesOf = tableOf(label);
  return new Uint8Array(
    Array.from(text).flatMap((character) => {
      const bytes = bytesOf.get(character);
      if (bytes === undefined) throw new Error(`${label} has no ${character}`);
      return bytes;
    }),
  );
}

const tables = new Map<string, Map<string, number[]>>();

function tableOf(label: string): Map<string, number[]> {
  const known = tables.get(label);
  if (known !== undefined) return known;
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(label, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const character = decoder.decode(new Uint8Array(bytes));
      if (Array.from(character).length === 1 && !table.has(character)) table.set(character, bytes);
    } catch {
      // No character has these bytes.
    }
  };
  for (let one = 0; one < 256; one++) add(one);
  if (/^(?:big5|euc-jp|euc-kr|gbk|shift_jis)$/.test(label))
    for (let one = 0x81; one < 0xff; one++) for (let two = 0x40; two < 0xff; two++) add(one, two);
  tables.set(label, table);
  return table;
}
