/** From how far away a printed code is meant to be scanned. */
export interface PrintAdvice {
  readonly place: 'hand' | 'poster' | 'billboard';
  readonly distanceMm: number;
  /** Smallest width of the print in millimetres, quiet zone included, rounded up. */
  readonly widthMm: number;
}

/** Arm's length, a poster in a station, a board across a street. */
const places = [
  { place: 'hand', distanceMm: 300 },
  { place: 'poster', distanceMm: 3000 },
  { place: 'billboard', distanceMm: 15_000 },
] as const;

/**
 * A scan needs the symbol to be at least a tenth of the distance wide: the 10:1 rule that DENSO WAVE,
 * who invented the code, and every printer's guide give for the version 2 symbol of 25 modules. Per
 * module that is 1/250 of the distance, so that denser symbols need to be wider. Check: a phone of
 * 12 megapixels and a lens of 65° sees 4,032 pixels over 1.27 times the distance, which puts a module
 * of 1/250 of the distance on 12 pixels; a video frame of 1,280 pixels, which scanners use, on 4.
 */
const distancePerModule = 250;

/**
 * ISO/IEC 18004 leaves the module's size to the application; GS1's General Specifications (5.12.3.1)
 * set 0.396 mm as the least for codes that people scan with phones.
 */
const smallestModuleMm = 0.396;

/**
 * The smallest widths to print a code at.
 *
 * @param modules side of the symbol in modules, quiet zone not counted
 */
export function printAdvice(modules: number, quietZoneModules: number): readonly PrintAdvice[] {
  return places.map(({ place, distanceMm }) => {
    const moduleMm = Math.max(smallestModuleMm, distanceMm / distancePerModule);
    return { place, distanceMm, widthMm: Math.ceil((modules + 2 * quietZoneModules) * moduleMm) };
  });
}
