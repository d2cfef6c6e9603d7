import { longestMatch, shortestMatch } from './tokens.ts';

/**
 * What places are found by: the three bytes that stand there, or in a run of one byte how long it goes on
 * and the byte behind it. Pictures are made of runs, and three bytes of one would find all of its places,
 * few of which go on alike.
 */

/** Bits of a key. */
export const keyBits = 15;

/** Longer runs are not told apart: no match holds one of them and what is behind it. */
export const longestRun = longestMatch - 1;

export function isRun(run: number): boolean {
  return run >= shortestMatch;
}

/** The hash of a place with no run. */
export function hashOfThree(data: Uint8Array, at: number): number {
  return hashed((data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16));
}

/** The hash of a place with a run of at least three. */
export function hashOfRun(byte: number, run: number, behind: number): number {
  return hashed(byte | (behind << 8) | (run << runShift) | runMark);
}

/** The hash of the place after one with a run: the run is shorter by one. */
export function hashOfShorter(hashOfLonger: number): number {
  return (hashOfLonger - shorterBy) | 0;
}

/** What a hash is found under. */
export function keyOf(hash: number): number {
  return hash >>> (32 - keyBits);
}

const factor = 0x9e3779b1;
const runShift = 16;
/** Tells a run of up to 257 from three bytes. */
const runMark = 1 << 25;
const shorterBy = Math.imul(1 << runShift, factor);

function hashed(content: number): number {
  return Math.imul(content, factor);
}
