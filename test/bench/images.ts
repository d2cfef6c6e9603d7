import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf, svgOf } from '../../src/render/draw/svg.ts';
import { pngOf } from '../../src/render/png/encode.ts';
import { startServer } from '../support/server.ts';
import { getRequest } from './load.ts';
import { inTurn, ratio } from './measure.ts';
import { chanceOf } from './readability/chance.ts';
import { logoOf } from './readability/logos.ts';
import { startBare, targetOf } from './servers.ts';
import { median, printTable } from './table.ts';

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

/** Drawing a PNG beside the rasterizer's own, its size beside other encoders', and downloading it again. */
export async function benchImages(rounds = 5): Promise<void> {
  await benchDrawing(rounds, widthPx, 10);
  await benchDrawing(rounds, largestPx, 2);
  await benchSizes();
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
    rows.push([name, ...figures.map((ms) => ms.toFixed(1)), median(ratios).toFixed(2)]);
  }
  printTable([`first PNG at ${widthPx} px`, 'CPU ms', 'resvg, CPU ms', 'of resvg'], rows);
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
    // The native rasterizer lets go of its pixels between turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/** Commands that write `in.png` anew as `out.png`, without loss unless it has too many colours. */
const encoders: Readonly<Record<string, readonly string[]>> = {
  'optipng -o7': ['optipng', '-quiet', '-o7', '-out', 'out.png', 'in.png'],
  pngquant: ['pngquant', '--output', 'out.png', '256', 'in.png'],
  zopflipng: ['zopflipng', 'in.png', 'out.png'],
};

async function benchSizes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-sizes-'));
  const installed = Object.entries(encoders).filter(([, [tool = '']]) => Bun.which(tool) !== null);
  const rows: string[][] = [];
  for (const [name, design] of Object.entries(designs)) {
    const theirs = resvgPng(design, widthPx);
    await Bun.write(join(folder, 'in.png'), theirs);
    const sizes = [pngOf(pictureOf(link, design), widthPx).length, theirs.length];
    for (const [, command] of installed) {
      await rm(join(folder, 'out.png'), { force: true });
      await Bun.spawn([...command], { cwd: folder, stdout: 'ignore', stderr: 'ignore' }).exited;
      sizes.push(Bun.file(join(folder, 'out.png')).size);
    }
    rows.push([name, ...sizes.map((bytes) => bytes.toLocaleString('en'))]);
  }
  await rm(folder, { recursive: true });
  const names = ['Waymark', 'resvg', ...installed.map(([name]) => name)];
  printTable([`bytes at ${widthPx} px`, ...names], rows);
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
  const [base = [], again = []] = await inTurn([bare, download], rounds, { seconds: 1 });
  printTable(
    ['repeated PNG', 'per second', 'of bare', 'CPU of bare'],
    [base, again].map((results, index) => [
      index === 0 ? 'bare, the same bytes' : download.name,
      median(results.map(({ perSecond }) => perSecond)).toFixed(0),
      ratio(results, base, ({ perSecond }) => perSecond).toFixed(2),
      ratio(results, base, ({ cpuMicros }) => cpuMicros).toFixed(1),
    ]),
  );
  bare.close();
  await server.close();
}
