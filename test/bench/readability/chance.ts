/**
 * Seeded random numbers: sfc32 (Chris Doty-Humphrey's PractRand), seeded through splitmix32, so that
 * neighbouring seeds are independent.
 */
export interface Chance {
  /** From 0 to 1, 1 excluded. */
  unit(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  one<T>(choices: readonly [T, ...T[]]): T;
  /** One of several names, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  true(probability: number): boolean;
  /** Normally distributed, mean 0, standard deviation 1. */
  normal(): number;
}

/** Creates an independent stream for each list of numbers, such as a seed and the index of a design. */
export function chanceOf(...seeds: number[]): Chance {
  const unit = unitsOf(seeds);
  const between = (low: number, high: number) => low + (high - low) * unit();
  const whole = (low: number, high: number) => low + Math.floor((high - low + 1) * unit());
  return {
    unit,
    between,
    whole,
    // The list is not empty and the index lies inside it, so the fallback is never taken.
    one: (choices) => choices[whole(0, choices.length - 1)] ?? choices[0],
    weighted: (weights) => weightedOf(weights, unit()),
    true: (probability) => unit() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  };
}

function unitsOf(seeds: readonly number[]): () => number {
  let state = 0x9e3779b9;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  for (const seed of seeds) {
    state ^= Math.imul(seed | 0, 0x85ebca6b);
    state = next();
  }

  let [a, b, c, counter] = [next(), next(), next(), 1];
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

function weightedOf<K extends string>(weights: Readonly<Record<K, number>>, unit: number): K {
  // Object.keys widens to string; the record's keys are K by its type.
  const names = Object.keys(weights) as K[];
  const sum = names.reduce((total, name) => total + weights[name], 0);
  let left = unit * sum;
  for (const name of names) {
    left -= weights[name];
    if (left < 0) return name;
  }
  throw new Error('weights must hold at least one positive number');
}
