/** Role of a module (ISO/IEC 18004:2015, 6.3). `functionPattern` are separators and timing patterns. */
export type Role = 'finder' | 'functionPattern' | 'format' | 'version' | 'alignment' | 'data';

/** Position of the codewords of a symbol at error correction level H (ISO/IEC 18004:2015, 7.5 to 7.9). */
export interface CodewordLayout {
  readonly side: number;
  /** Role of each module, row by row. */
  readonly roles: readonly Role[];
  /** Codeword of each module, row by row, or -1. */
  readonly codewordOf: Int16Array;
  /** Reed-Solomon block of each codeword, in the order of placement. */
  readonly blockOf: Uint8Array;
  readonly blocks: number;
  /** Wrong codewords that each block can correct. */
  readonly repairable: number;
}

/** Error correction codewords per block at level H, by version (table 9). */
const correctionByVersion = [
  17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30,
  30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
];

/** Blocks at level H, by version (table 9). */
const blocksByVersion = [
  1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40,
  42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
];

/** By side; there are 40 versions. */
const layouts = new Map<number, CodewordLayout>();

/**
 * Returns the layout of codewords, memoized.
 *
 * @param side modules along one side: 21, 25 … 177
 */
export function codewordLayoutOf(side: number): CodewordLayout {
  return layouts.getOrInsertComputed(side, compute);
}

function compute(side: number): CodewordLayout {
  const version = (side - 17) / 4;
  const roles = rolesOf(side, version);
  const codewordOf = codewordsOf(side, roles);
  const total = Math.floor(roles.filter((role) => role === 'data').length / 8);
  const blocks = blocksByVersion[version - 1] ?? 1;
  const correction = correctionByVersion[version - 1] ?? 0;
  const blockOf = interleave(total, blocks, correction);
  const repairable = Math.floor(correction / 2);
  return { side, roles, codewordOf, blockOf, blocks, repairable };
}

function rolesOf(side: number, version: number): Role[] {
  const roles = new Array<Role>(side * side).fill('data');
  const fill = (role: Role, left: number, top: number, width: number, height: number) => {
    for (let y = Math.max(0, top); y < Math.min(side, top + height); y++) {
      for (let x = Math.max(0, left); x < Math.min(side, left + width); x++) {
        roles[y * side + x] = role;
      }
    }
  };
  fill('functionPattern', 6, 0, 1, side);
  fill('functionPattern', 0, 6, side, 1);
  const centers = alignmentCenters(side, version);
  for (const x of centers) {
    for (const y of centers) {
      const atFinder =
        (x === 6 && y === 6) || (x === 6 && y === side - 7) || (x === side - 7 && y === 6);
      if (!atFinder) fill('alignment', x - 2, y - 2, 5, 5);
    }
  }
  // The format information lies along the separators, and includes a module that is always dark.
  fill('format', 0, 8, 9, 1);
  fill('format', 8, 0, 1, 9);
  fill('format', side - 8, 8, 8, 1);
  fill('format', 8, side - 8, 1, 8);
  fill('functionPattern', 6, 8, 1, 1);
  fill('functionPattern', 8, 6, 1, 1);
  if (version >= 7) {
    fill('version', side - 11, 0, 3, 6);
    fill('version', 0, side - 11, 6, 3);
  }
  for (const [x, y] of finderCorners(side)) {
    fill('functionPattern', x === 0 ? 0 : x - 1, y === 0 ? 0 : y - 1, 8, 8);
    fill('finder', x, y, 7, 7);
  }
  return roles;
}

/** Returns the upper left corners of the finder patterns. */
export function finderCorners(side: number): (readonly [x: number, y: number])[] {
  return [
    [0, 0],
    [side - 7, 0],
    [0, side - 7],
  ];
}

/** Returns columns and rows of the centres of alignment patterns (annex E). */
function alignmentCenters(side: number, version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const later = Array.from({ length: count - 1 }, (_, place) => side - 7 - place * step);
  return [6, ...later.reverse()];
}

/** Returns columns and rows of the centres of alignment patterns that a logo may cover. */
export function innerAlignmentCenters(side: number): number[] {
  // No logo reaches the first ones, in the timing pattern, or the last ones, at the edge.
  return alignmentCenters(side, (side - 17) / 4).slice(1, -1);
}

/**
 * Assigns data modules to codewords, eight each (7.7.3).
 * Goes in pairs of columns from the right, upwards and downwards alternately, without the timing column. The few
 * modules that remain belong to none.
 */
function codewordsOf(side: number, roles: readonly Role[]): Int16Array {
  const codewordOf = new Int16Array(side * side).fill(-1);
  const order: number[] = [];
  let upwards = true;
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < side; step++) {
      const y = upwards ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (roles[y * side + x] === 'data') order.push(y * side + x);
      }
    }
    upwards = !upwards;
  }
  const used = order.length - (order.length % 8);
  for (let bit = 0; bit < used; bit++) codewordOf[order[bit] ?? 0] = bit >> 3;
  return codewordOf;
}

/**
 * Returns the block of each codeword.
 * Data codewords of all blocks alternately (the later blocks may have one more), then error correction codewords
 * likewise (7.6).
 */
function interleave(total: number, blocks: number, correction: number): Uint8Array {
  const blockOf = new Uint8Array(total);
  const data = total - blocks * correction;
  const short = Math.floor(data / blocks);
  const shortBlocks = blocks - (data % blocks);
  for (let place = 0; place < total; place++) {
    if (place < short * blocks) blockOf[place] = place % blocks;
    else if (place < data) blockOf[place] = shortBlocks + (place - short * blocks);
    else blockOf[place] = (place - data) % blocks;
  }
  return blockOf;
}
