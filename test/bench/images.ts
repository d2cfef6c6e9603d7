import { Resvg } from '@resvg/resvg-js';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { pngOf } from '../../src/render/path/png.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { median, printTable } from './measure.ts';
import { chanceOf } from './readability/chance.ts';
import { logoOf } from './readability/logos.ts';

const link = 'https://go.example.com/k3m9x2pq';
const widthPx = 1024;
const largestPx = 4096;
const logo = logoOf('disc', chanceOf(5));
const designs: Readonly<Record<string, Design>> = {
  plain: plainDesign,
  'two colours': { ...plainDesign, foreground: '#1b3a57', finderColor: '#b3261e' },
  'round finders': { ...plainDesign, finderShape: 'circle' },
  'logo on a patch': { ...plainDesign, logo, logoPatch: 'circle' },
  rounded: { ...plainDesign, moduleShape: 'rounded', finderShape: 'rounded' },
  dots: { ...plainDesign, moduleShape: 'dots', finderShape: 'circle' },
  'rounded, a logo': {
    ...plainDesign,
    moduleShape: 'rounded',
    finderShape: 'rounded',
    logo,
    logoPatch: 'circle',
  },
};

/** Measures PNGs, compared with resvg's encoder. */
export async function benchImages(rounds = 5): Promise<void> {
  await benchDrawing(rounds, widthPx, 10);
  await benchDrawing(rounds, largestPx, 2);
}

async function benchDrawing(rounds: number, widthPx: number, times: number): Promise<void> {
  const draw = (design: Design) => pngOf(pictureOf(link, design), widthPx);
  for (const design of Object.values(designs)) await cpuMs(() => draw(design), times);
  const rows: string[][] = [];
  for (const [name, design] of Object.entries(designs)) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours.push(await cpuMs(() => draw(design), times));
      theirs.push(await cpuMs(() => resvgPng(design, widthPx), times));
    }
    const figures = [median(ours), median(theirs)];
    const ratios = ours.map((ms, round) => ms / (theirs[round] ?? Number.NaN));
    const sizes = [draw(design), resvgPng(design, widthPx)].map(({ length }) => length);
    rows.push([
      name,
      ...figures.map((ms) => ms.toFixed(1)),
      median(ratios).toFixed(2),
      ...sizes.map((bytes) => bytes.toLocaleString('en')),
    ]);
  }
  const head = ['CPU ms', 'resvg, CPU ms', 'of resvg', 'bytes', 'resvg, bytes'];
  printTable([`first PNG at ${widthPx} px`, ...head], rows);
}

function resvgPng(design: Design, widthPx: number): Uint8Array {
  const fitTo = { mode: 'width', value: widthPx } as const;
  const options = { fitTo, font: { loadSystemFonts: false } };
  return new Resvg(svgOf(pictureOf(link, design)), options).render().asPng();
}

async function cpuMs(draw: () => unknown, times: number): Promise<number> {
  draw();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    draw();
    // The native rasterizer frees its pixels between event-loop ticks.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
