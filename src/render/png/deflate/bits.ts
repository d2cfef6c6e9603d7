/** Writes numbers bit by bit, the lowest bit first (RFC 1951, 3.1.1). */
export interface BitWriter {
  /** @param length 0 to 16 bits */
  put(value: number, length: number): void;
  /** Everything that was put, filled up with zeros to whole bytes. */
  finish(): Uint8Array;
}

export function makeBitWriter(): BitWriter {
  let bytes = new Uint8Array(1 << 14);
  let [size, pending, pendingBits] = [0, 0, 0];

  const flushByte = () => {
    if (size === bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    bytes[size++] = pending & 255;
    pending >>>= 8;
    pendingBits -= 8;
  };

  return {
    put: (value, length) => {
      pending |= value << pendingBits;
      pendingBits += length;
      while (pendingBits >= 8) flushByte();
    },
    finish: () => {
      if (pendingBits > 0) flushByte();
      return bytes.slice(0, size);
    },
  };
}
