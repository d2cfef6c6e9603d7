import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { pngOf } from '../../src/render/path/png.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { startServer } from '../support/server.ts';
import { measureAlternately, median, medianRatio, printTable } from './measure.ts';
import { chanceOf } from './readability/chance.ts';
import { logoOf } from './readability/logos.ts';
import { getRequest, startBare, targetOf } from './servers.ts';

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

/** Measures first and repeated PNGs, compared with resvg's encoder and with a bare server. */
export async function benchImages(rounds = 5): Promise<void> {
  await benchDrawing(rounds, widthPx, 10);
  await benchDrawing(rounds, largestPx, 2);
  await benchRepeated(rounds);
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

async function benchRepeated(rounds: number): Promise<void> {
  const server = await startServer();
  const { key, api } = await server.account('bench@example.com');
  const { code } = await api.create();
  const { bytes } = await api.call(`GET /qrs/${code}.png?size=${widthPx}`);
  const file = join(server.folder, 'image.png');
  await Bun.write(file, bytes);
  const bare = await startBare(file);
  const authorized = `Authorization: Bearer ${key}\r\n`;
  const download = targetOf('Waymark, the same PNG again', server, [
    getRequest(`/api/v1/qrs/${code}.png?size=${widthPx}`, authorized),
  ]);
  const [base = [], again = []] = await measureAlternately([bare, download], rounds, {
    seconds: 1,
  });
  printTable(
    ['repeated PNG', 'per second', 'of bare', 'CPU of bare'],
    [base, again].map((results, index) => [
      index === 0 ? 'bare, the same bytes' : download.name,
      median(results.map(({ perSecond }) => perSecond)).toFixed(0),
      medianRatio(results, base, ({ perSecond }) => perSecond).toFixed(2),
      medianRatio(results, base, ({ cpuMicros }) => cpuMicros).toFixed(1),
    ]),
  );
  bare.close();
  await server.close();
}
