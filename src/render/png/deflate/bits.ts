/** Writes numbers bit by bit, the lowest bit first (RFC 1951, 3.1.1). */
export interface BitWriter {
  /** @param length 0 to 16 bits */
  put(value: number, length: number): void;
  /** Everything that was put, filled up with zeros to whole bytes. */
  finish(): Uint8Array;
}

export function createBitWriter(): BitWriter {
  let bytes = new Uint8Array(1 << 14);
  let [size, pending, pendingBits] = [0, 0, 0];

  /** Writes two bytes of what is pending, behind those that are finished. */
  const flush = () => {
    if (size + 2 > bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    bytes[size] = pending;
    bytes[size + 1] = pending >>> 8;
  };

  return {
    put: (value, length) => {
      pending |= value << pendingBits;
      pendingBits += length;
      if (pendingBits < 16) return;
      flush();
      size += 2;
      pending >>>= 16;
      pendingBits -= 16;
    },
    finish: () => {
      flush();
      return bytes.slice(0, size + Math.ceil(pendingBits / 8));
    },
  };
}
