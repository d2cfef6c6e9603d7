/**
 * What DEFLATE writes: a literal byte, or a match, which repeats `length` bytes from `distance` bytes
 * before. Each is one 32-bit number: a literal itself, a match with the highest bit set.
 */
export const shortestMatch = 3;
export const longestMatch = 258;
export const windowBytes = 32_768;

const matchMark = 0x8000_0000;

export function matchToken(length: number, distance: number): number {
  return matchMark | (length << 16) | (distance - 1);
}

export function isMatch(token: number): boolean {
  return (token & matchMark) !== 0;
}

export function lengthOf(token: number): number {
  return (token >>> 16) & 0x1ff;
}

export function distanceOf(token: number): number {
  return (token & 0xffff) + 1;
}

/** Tokens one after another, in as much memory as they take. */
export function createTokenList() {
  let tokens = new Uint32Array(1 << 14);
  let count = 0;
  return {
    push: (token: number): void => {
      if (count === tokens.length) {
        const larger = new Uint32Array(tokens.length * 2);
        larger.set(tokens);
        tokens = larger;
      }
      tokens[count++] = token;
    },
    all: (): Uint32Array => tokens.subarray(0, count),
  };
}
