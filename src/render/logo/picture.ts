/** A picture in a raster format whose container was walked to its end and found sound. */
export interface Picture {
  /** The same picture with everything removed that is not needed to paint it. */
  readonly bytes: Uint8Array;
  /** False when every pixel is opaque for sure. */
  readonly transparent: boolean;
  /** How to turn it to be upright: the values 1 (as it is) to 8 of the EXIF tag `Orientation`. */
  readonly orientation: number;
  /** The embedded ICC profile, if there is one. */
  readonly profile: Uint8Array | null;
}

/** Big-endian and little-endian reads over a part of a file. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The bytes at an offset as one character each; shorter than `length` at the end of the file. */
export function latin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

/** Puts pieces behind each other. */
export function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
