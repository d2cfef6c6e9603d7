import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import {
  type Design,
  finderShapes,
  type Logo,
  logoPatches,
  moduleShapes,
} from '../../src/core/designs/design.ts';
import { chanceOf } from '../bench/readability/chance.ts';
import { logoOf } from '../bench/readability/logos.ts';

export const sampleLink = 'https://go.example.com/k3m9x2pq';

/** Creates a normalized logo from SVG content. */
export function logoFrom(content: string, widthPx = 120, heightPx = 120): Logo {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${content}</svg>`;
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { png: image.asPng(), widthPx, heightPx };
}

export const whiteLogo = logoFrom('<rect width="120" height="120" fill="#fff"/>');
export const blackLogo = logoFrom('<rect width="120" height="120"/>');
export const discLogo = logoFrom('<circle cx="60" cy="60" r="60" fill="#c2410c"/>');
export const wideLogo = logoFrom('<rect width="180" height="60" rx="20" fill="#1d4ed8"/>', 180, 60);

/** A logo that is a QR code for another URL. */
export const codeLogo = logoOf('qrCode', chanceOf(1));

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** Any design within the bounds; most are unreadable. */
export const anyDesign: fc.Arbitrary<Design> = fc.record({
  foreground: anyColor,
  background: anyColor,
  moduleShape: fc.constantFrom(...moduleShapes),
  finderShape: fc.constantFrom(...finderShapes),
  finderColor: fc.option(anyColor),
  logo: fc.constantFrom(null, whiteLogo, blackLogo, discLogo, wideLogo),
  logoSizePercent: fc.integer({ min: 5, max: 40 }),
  logoPatch: fc.constantFrom(...logoPatches),
  quietZoneModules: fc.integer({ min: 4, max: 8 }),
});

/** Short links of all lengths, in lower and upper case. */
export const anyLink = fc
  .tuple(
    fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'abcdefghjkm23456789-.') }),
    fc.boolean(),
  )
  .map(([host, dense]) => `https://x${host}y.ex/k3m9x2pq`[dense ? 'toUpperCase' : 'toString']());
