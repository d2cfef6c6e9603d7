import { longestMatch, shortestMatch } from './tokens.ts';

/** Bits of a key. */
export const keyBits = 15;

/** Longer runs are not told apart: no match holds one of them and what is behind it. */
export const longestRun = longestMatch - 1;

/**
 * What places are found by: the three bytes that stand there, or in a run of one byte how long it goes on
 * and the byte behind it. Pictures are made of runs, and three bytes of one would find all of its places,
 * few of which go on alike.
 */
export interface Keys {
  /** How many of the byte at a place follow each other there. To be asked for in ascending order. */
  runFrom(at: number): number;
  /** The key of a place with no run. */
  ofThree(at: number): number;
  /** The key of a place with a run of at least three. */
  ofRun(byte: number, run: number, behind: number): number;
}

export function makeKeys(data: Uint8Array): Keys {
  let runEnd = 0;
  return {
    runFrom: (at) => {
      const byte = data[at] ?? 0;
      const most = Math.min(data.length, at + longestRun);
      runEnd = Math.max(runEnd, at + 1);
      while (runEnd < most && data[runEnd] === byte) runEnd++;
      return runEnd - at;
    },
    ofThree: (at) =>
      hashed((data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16)),
    ofRun: (byte, run, behind) => hashed(byte | (behind << 8) | (run << 16) | runMark),
  };
}

/** Tells a run of up to 257 from three bytes. */
const runMark = 1 << 25;

function hashed(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - keyBits);
}

export function isRun(run: number): boolean {
  return run >= shortestMatch;
}
