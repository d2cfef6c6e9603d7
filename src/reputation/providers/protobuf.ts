/**
 * Just as much of the Protocol Buffers wire format as one answer of Safe Browsing v5 needs: reading
 * the fields of a message. Three nested messages with five fields do not carry a library.
 *
 * @see https://protobuf.dev/programming-guides/encoding/
 */

/** A field: a whole number (wire type 0) or bytes (wire type 2). Fields of other types are skipped. */
export interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The bytes are no message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** @throws MalformedMessage */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at];
      at += 1;
      if (byte === undefined) throw new MalformedMessage('It ends within a number.');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new MalformedMessage('A number is longer than ten bytes.');
  };
  const take = (length: number) => {
    if (length > message.length - at) throw new MalformedMessage('It ends within a field.');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number === 0) throw new MalformedMessage('A field has the number 0.');
    if (wireType === 0) fields.push({ number, value: varint() });
    else if (wireType === 1) take(8);
    else if (wireType === 2) fields.push({ number, value: take(Number(varint())) });
    else if (wireType === 5) take(4);
    else throw new MalformedMessage(`A field has the wire type ${wireType}.`);
  }
  return fields;
}

/** The whole numbers of a repeated field, written singly or packed. */
export function numbersIn(fields: readonly Field[], number: number): bigint[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ value }) => (typeof value === 'bigint' ? [value] : unpack(value)));
}

/** The byte strings or nested messages of a field. */
export function bytesIn(fields: readonly Field[], number: number): Uint8Array[] {
  return fields
    .filter((field) => field.number === number)
    .map(({ value }) => value)
    .filter((value) => typeof value !== 'bigint');
}

function unpack(packed: Uint8Array): bigint[] {
  const numbers: bigint[] = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of packed) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (shift > 70n) throw new MalformedMessage('A number is longer than ten bytes.');
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0n;
    shift = 0n;
  }
  if (shift !== 0n) throw new MalformedMessage('It ends within a number.');
  return numbers;
}
