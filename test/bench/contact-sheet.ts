import { Resvg } from '@resvg/resvg-js';
import {
  type Design,
  finderShapes,
  type Logo,
  logoPatches,
  moduleShapes,
  plainDesign,
} from '../../src/core/designs/design.ts';
import { pictureOf, svgOf } from '../../src/render/draw/svg.ts';

/**
 * Draws every design option into one PNG, to be looked at by a person:
 * `bun test/bench/contact-sheet.ts OUT.png`. One row a theme, named on standard output.
 */
const link = 'https://go.example.com/k3m9x2pq';
const tilePx = 320;
const gapPx = 20;

const round = drawnLogo(
  240,
  240,
  '<circle cx="120" cy="120" r="120" fill="#e4572e"/><path d="M70 130l35 35 70-80" stroke="#fff" stroke-width="26" fill="none"/>',
);
const square = drawnLogo(
  240,
  240,
  '<rect width="240" height="240" rx="48" fill="#17324d"/><path d="M60 180V60l60 70 60-70v120" stroke="#ffd166" stroke-width="28" fill="none"/>',
);
const wide = drawnLogo(
  360,
  150,
  '<g fill="#1b7f5c"><rect x="10" y="30" width="28" height="90"/><rect x="60" y="30" width="90" height="28"/><rect x="60" y="92" width="90" height="28"/><circle cx="215" cy="75" r="45"/><path d="M280 120l35-95 35 95z"/></g>',
);

const rows: readonly (readonly [string, readonly Partial<Design>[]])[] = [
  [
    'module shape by finder shape',
    moduleShapes.flatMap((moduleShape) =>
      finderShapes.map((finderShape) => ({ moduleShape, finderShape })),
    ),
  ],
  [
    'logo by patch: square, round, wide',
    [square, round, wide].flatMap((logo) => logoPatches.map((logoPatch) => ({ logo, logoPatch }))),
  ],
  [
    'logo by patch on dots and rounded modules',
    [round, wide, square].flatMap((logo, index) =>
      logoPatches.map((logoPatch) => ({
        logo,
        logoPatch,
        moduleShape: index === 1 ? ('rounded' as const) : ('dots' as const),
        finderShape: index === 1 ? ('rounded' as const) : ('circle' as const),
      })),
    ),
  ],
  [
    'logo of 10, 14, 18, 22, 26, 30, 34, 38, 40 percent',
    [10, 14, 18, 22, 26, 30, 34, 38, 40].map((logoSizePercent) => ({
      logo: round,
      logoPatch: 'circle' as const,
      logoSizePercent,
    })),
  ],
  [
    'colours, finder colours, quiet zones of 4 to 8',
    [
      {
        foreground: '#17324d',
        background: '#fffdf5',
        moduleShape: 'rounded',
        finderShape: 'rounded',
      },
      { foreground: '#1b7f5c', finderColor: '#0b3d2c', moduleShape: 'dots', finderShape: 'circle' },
      { foreground: '#6f2da8', finderColor: '#e60023', background: '#f0f4ff' },
      { foreground: '#b5121b', finderColor: '#2d2926', moduleShape: 'rounded' },
      { quietZoneModules: 4 },
      { quietZoneModules: 5 },
      { quietZoneModules: 6 },
      { quietZoneModules: 7 },
      { quietZoneModules: 8 },
    ],
  ],
];

const out = process.argv[2];
if (out === undefined) throw new Error('usage: bun test/bench/contact-sheet.ts OUT.png');
const tiles = rows.flatMap(([, changes], row) =>
  changes.map((change, place) => tile(change, place, row)),
);
const columns = Math.max(...rows.map(([, changes]) => changes.length));
const step = tilePx + gapPx;
const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${columns * step + gapPx}" height="${rows.length * step + gapPx}"><rect width="100%" height="100%" fill="#c8ccd0"/>${tiles.join('')}</svg>`;
await Bun.write(out, new Resvg(sheet, { font: { loadSystemFonts: false } }).render().asPng());
for (const [name] of rows) console.log(name);

function tile(change: Partial<Design>, place: number, row: number): string {
  const svg = svgOf(pictureOf(link, { ...plainDesign, ...change }));
  const [x, y] = [gapPx + place * (tilePx + gapPx), gapPx + row * (tilePx + gapPx)];
  return svg.replace(
    /<svg ([^>]*)width="\d+" height="\d+"/,
    `<svg $1x="${x}" y="${y}" width="${tilePx}" height="${tilePx}"`,
  );
}

function drawnLogo(widthPx: number, heightPx: number, content: string): Logo {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${content}</svg>`;
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { png: image.asPng(), widthPx, heightPx };
}
