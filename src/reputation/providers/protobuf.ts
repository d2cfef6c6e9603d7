/**
 * Reads the Protocol Buffers wire format, as far as the response of Safe Browsing v5 needs it.
 *
 * @see https://protobuf.dev/programming-guides/encoding/
 */

/** A number (wire type 0) or bytes (wire type 2). Fields of other types are skipped. */
export interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The bytes are not a valid message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** @throws MalformedMessage */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    const { value, end } = readVarint(message, at);
    at = end;
    return value;
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

/** Returns the numbers of a repeated field, packed or not. */
export function numbersIn(fields: readonly Field[], number: number): bigint[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ value }) => (typeof value === 'bigint' ? [value] : unpack(value)));
}

/** Returns the byte strings or nested messages of a field. */
export function bytesIn(fields: readonly Field[], number: number): Uint8Array[] {
  return fields
    .filter((field) => field.number === number)
    .map(({ value }) => value)
    .filter((value) => typeof value !== 'bigint');
}

function unpack(packed: Uint8Array): bigint[] {
  const numbers: bigint[] = [];
  for (let at = 0; at < packed.length; ) {
    const { value, end } = readVarint(packed, at);
    numbers.push(value);
    at = end;
  }
  return numbers;
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n;
  for (let at = start; at < start + 10; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) throw new MalformedMessage('It ends within a number.');
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + 1 };
  }
  throw new MalformedMessage('A number is longer than ten bytes.');
}
