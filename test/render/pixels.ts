import { expect } from 'bun:test';

type Codes = Uint8Array | Uint8ClampedArray;

/** By how much the channels of two pictures differ at most, in code values. */
export function farthest(one: Codes, other: Codes): number {
  let most = 0;
  for (let at = 0; at < one.length; at++) {
    most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)));
  }
  return most;
}

/** How many colours a picture has in RGBA. */
export function colorsOf({ buffer, byteOffset, length }: Codes): number {
  return new Set(new Int32Array(buffer, byteOffset, length / 4)).size;
}

/** Colours that a palette has no room for may be shown as others that look the same; all else is the same. */
export function expectSamePixels(shown: Codes, wanted: Codes): void {
  expect(shown.length).toBe(wanted.length);
  const apart = farthest(shown, wanted);
  if (apart > 0) expect(apart).toBeLessThanOrEqual(colorsOf(wanted) > 256 ? 3 : 0);
}
