import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { decodeRgbaPng, type Pixels } from '../../src/render/png/rgba.ts';
import { sharedBrowser, withoutBrowser } from '../panel/browser.ts';
import { sampleOf } from '../support/sample.ts';

/** One picture for each way in which a file says what its colours are. */
const folder = join(import.meta.dir, 'colors');
const files = readdirSync(folder).filter((file) => file.includes('.'));
const read = (file: string) => readFileSync(join(folder, file));

const types: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', webp: 'webp' };

function dataUrl(file: string): string {
  const [, ending = ''] = file.split('.');
  return `data:image/${types[ending]};base64,${read(file).toString('base64')}`;
}

/** An SVG of 512 pixels that shows a picture. */
function svgWith(url: string, { widthPx, heightPx }: Pixels): string {
  const scale = 512 / Math.max(widthPx, heightPx);
  const size = `width="${widthPx * scale}" height="${heightPx * scale}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${url}"/></svg>`;
}

/** Root mean square of the differences of all colours on a ground, 0 to 1. */
function distance(one: Uint8Array, other: Uint8Array, ground: number): number {
  let sum = 0;
  const onGround = (rgba: Uint8Array, at: number) => {
    const alpha = (rgba[at | 3] ?? 0) / 255;
    return ((rgba[at] ?? 0) * alpha) / 255 + (ground / 255) * (1 - alpha);
  };
  for (let at = 0; at < one.length; at++)
    if (at % 4 !== 3) sum += (onGround(one, at) - onGround(other, at)) ** 2;
  return Math.sqrt(sum / (one.length * 0.75));
}

describe.skipIf(withoutBrowser)('a logo has the colours that a browser shows', () => {
  let page: Page;
  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
  });
  afterAll(() => page.close());

  /** Returns a picture as Chromium draws it. */
  async function shown(url: string): Promise<Uint8Array> {
    const text = await page.evaluate(drawnPixels, url);
    return Buffer.from(text, 'base64');
  }

  test.each(files)('%s', async (file) => {
    const { rgba } = await pixelsOf(read(file));
    const expected = await shown(dataUrl(file));
    expect(expected.length).toBe(rgba.length);
    for (const ground of [0, 255]) expect(distance(rgba, expected, ground)).toBeLessThan(0.005);
  });

  test.each(sampleOf(files, 3))('%s inside an SVG', async (file) => {
    const svg = Buffer.from(svgWith(dataUrl(file), await pixelsOf(read(file))));
    const { rgba } = await pixelsOf(svg);
    const expected = await shown(`data:image/svg+xml;base64,${svg.toString('base64')}`);
    expect(expected.length).toBe(rgba.length);
    expect(distance(rgba, expected, 255)).toBeLessThan(0.03);
  });
});

async function pixelsOf(file: Uint8Array): Promise<Pixels> {
  return decodeRgbaPng((await convertLogo(file)).png);
}

/** Runs in the page: returns the pixels of a picture in base64. */
async function drawnPixels(url: string): Promise<string> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0);
  const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return new Uint8Array(pixels).toBase64();
}
