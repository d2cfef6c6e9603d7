import jsQR from 'jsqr';
import type { Verdict } from '../core/design.ts';
import { type Raster, rasterOf } from './png.ts';
import type { Picture } from './svg.ts';

/**
 * Judges whether a phone would read a picture: it has to give back its own short link at several
 * scales. A logo that is itself a code gives back another text, so it is no use to it.
 */
export function verdictOf(picture: Picture, shortLink: string): Verdict {
  const scales = [4, 5, 7];
  const read = scales.filter((scale) => textOf(rasterOf(picture, scale)) === shortLink).length;
  const readable = read === scales.length;
  return {
    readable,
    score: Math.round((100 * read) / scales.length),
    reasons: readable ? [] : ['The code could not be read back from its own picture.'],
    advice: null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}

/** What a scanner reads; dark on light only, as many scanners do not try the reverse. */
function textOf({ rgba, widthPx }: Raster): string | null {
  const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length);
  return jsQR(pixels, widthPx, widthPx, { inversionAttempts: 'dontInvert' })?.data ?? null;
}
