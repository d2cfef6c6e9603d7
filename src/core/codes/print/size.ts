import { inchMm } from './paper.ts';

/**
 * Where a code is read.
 * In the hand, at arm's length, on a sign, a poster or a billboard, or from close by.
 */
export type PrintUse = (typeof printUses)[number]['use'] | 'close by';

/** Smallest printed width, quiet zone included, at which phones read a code from a distance. */
export interface PrintAdvice {
  readonly use: PrintUse;
  readonly distanceMm: number;
  readonly widthMm: number;
}

// Below this, ink spreads into neighboring modules at 300 dpi (five dots a module).
const minModuleMm = 0.4;
// A phone's camera preview has some 1,920 pixels over 65 degrees, so a pixel covers 1/1,500 of the
// distance. A module of 1/400 covers 3.7 pixels. Decoders need three.
const modulesPerDistance = 400;

const printUses = [
  { use: 'hand', distanceMm: 200 },
  { use: 'arm', distanceMm: 500 },
  { use: 'sign', distanceMm: 1000 },
  { use: 'poster', distanceMm: 3000 },
  { use: 'billboard', distanceMm: 15_000 },
] as const;

// Phones focus from 10 cm. Modules that they read from there are two dots of a printer of 203 dpi.
const closestMm = 100;

/** A symbol with its quiet zone, and the strip of a caption. */
export interface PrintedSymbol {
  readonly modules: number;
  readonly quietZoneModules: number;
  /** What a caption adds to both sides; none when left out. */
  readonly captionModules?: number;
  /** Plain and on a small label, read from close by: see `SheetForm`. */
  readonly isCompact?: boolean;
}

/** Returns the modules along one side of a picture, quiet zones and the strip of a caption included. */
export function totalModules(symbol: PrintedSymbol): number {
  const { modules, quietZoneModules, captionModules = 0 } = symbol;
  return modules + 2 * quietZoneModules + captionModules;
}

/** Returns the smallest printed width for common distances, rounded up to whole millimetres. */
export function printAdvice(symbol: PrintedSymbol): PrintAdvice[] {
  const total = totalModules(symbol);
  return printUses.map(({ use, distanceMm }) => ({
    use,
    distanceMm,
    widthMm: ceilMm(total * moduleMmAt(distanceMm)),
  }));
}

/**
 * Returns the largest distance from which phones read a symbol of a width.
 * Null when it is too small.
 */
export function readableFrom(symbol: PrintedSymbol, widthMm: number): PrintAdvice | null {
  const total = totalModules(symbol);
  const fits = (moduleMm: number) => total * moduleMm <= widthMm + 1e-6;
  if (symbol.isCompact !== true) {
    const use = printUses.findLast(({ distanceMm }) => fits(moduleMmAt(distanceMm)));
    return use === undefined ? null : { ...use, widthMm };
  }
  if (!fits(closestMm / modulesPerDistance)) return null;
  const distanceMm = 10 * Math.floor((widthMm / total) * (modulesPerDistance / 10) + 1e-6);
  return { use: 'close by', distanceMm, widthMm };
}

/** Returns the smallest width at which phones read a symbol. */
export function smallestWidthMm(symbol: PrintedSymbol): number {
  if (symbol.isCompact !== true) return printAdvice(symbol)[0]?.widthMm ?? 0;
  return ceilMm((totalModules(symbol) * closestMm) / modulesPerDistance);
}

// What print shops ask for.
const printDpi = 300;

/** Returns the width of a PNG in print, rounded to a tenth of a millimetre. */
export function printedWidthMm(widthPx: number): number {
  return Math.round((widthPx / printDpi) * inchMm * 10) / 10;
}

function moduleMmAt(distanceMm: number): number {
  return Math.max(minModuleMm, distanceMm / modulesPerDistance);
}

function ceilMm(mm: number): number {
  // Rounded to ten decimals first: 20.500000000000004 becomes 21, and 20.000000000000004 stays 20.
  return Math.ceil(Number(mm.toFixed(10)));
}
