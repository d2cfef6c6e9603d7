import { join } from 'node:path';
import {
  type Design,
  finderShapes,
  type Logo,
  logoPatches,
  moduleShapes,
  plainDesign,
} from '../../src/core/designs/design.ts';

/** An image that every later renderer must draw equally. */
export interface Golden {
  readonly name: string;
  readonly link: string;
  readonly design: Design;
  readonly widthPx: number;
}

// 200 × 120 pixels, partly transparent: neither square nor opaque, as logos are.
const logo: Logo = {
  png: new Uint8Array(await Bun.file(join(import.meta.dir, 'logo.png')).arrayBuffer()),
  widthPx: 200,
  heightPx: 120,
};

const link = 'https://qr.example.com/7h3k9m2x';
const widthPx = 256;
const colored: Design = { ...plainDesign, foreground: '#1b3a57', background: '#fff8e7' };

const one = (name: string, changes: Partial<Design>, more: Partial<Golden> = {}): Golden => ({
  name,
  link,
  widthPx,
  design: { ...colored, ...changes },
  ...more,
});

/** All combinations of shapes, finder colour and logo patch. */
const everyShape: Golden[] = moduleShapes.flatMap((moduleShape) =>
  finderShapes.flatMap((finderShape) =>
    [null, '#b3261e'].flatMap((finderColor) => {
      const name = `${moduleShape} modules, ${finderShape} finders${finderColor ? ' in red' : ''}`;
      const shapes = { moduleShape, finderShape, finderColor };
      return [
        one(name, shapes),
        ...logoPatches.map((logoPatch) =>
          one(`${name}, logo on ${logoPatch} patch`, { ...shapes, logo, logoPatch }),
        ),
      ];
    }),
  ),
);

/** Sizes, one at a time, and links of several lengths, which need different versions of the symbol. */
const everyMeasure: Golden[] = [
  ...[5, 12, 30, 40].map((logoSizePercent) =>
    one(`logo of ${logoSizePercent} percent`, { logo, logoSizePercent }),
  ),
  ...[5, 6, 7, 8].map((quietZoneModules) =>
    one(`quiet zone of ${quietZoneModules} modules`, { quietZoneModules }),
  ),
  ...[128, 513, 1024, 4096].map((width) => one(`${width} px wide`, { logo }, { widthPx: width })),
  ...[
    'http://a.example/7h3k9m2x',
    'HTTPS://QR.EXAMPLE.COM/7H3K9M2X',
    `https://qr.example.com/${'path/'.repeat(10)}7h3k9m2x`,
    `https://qr.example.com/${'path/'.repeat(19)}7h3k9m2x`,
  ].map((other) => one(`a link of ${other.length} characters`, {}, { link: other })),
];

/** Images whose digests are stored. */
export const goldens: readonly Golden[] = [
  { name: 'plain', link, design: plainDesign, widthPx },
  ...everyShape,
  ...everyMeasure,
];

/** Images that are stored as files, to be looked at. */
export const shown: readonly string[] = [
  'plain',
  'square modules, square finders in red, logo on square patch',
  'rounded modules, rounded finders',
  'rounded modules, circle finders in red, logo on circle patch',
  'dots modules, circle finders, logo on none patch',
  'a link of 31 characters',
];
