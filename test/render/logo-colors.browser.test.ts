import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Refused } from '../../src/core/errors.ts';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { decodeRgbaPng } from '../../src/render/png/rgba.ts';
import { sharedBrowser, withoutBrowser } from '../panel/browser.ts';

/** One picture for each way in which a file says what its colours are, and what is wrong with it. */
const folder = join(import.meta.dir, 'colors');
const files = readdirSync(folder).filter((file) => /\.(png|jpg)$/.test(file));

function dataUrl(file: string): string {
  const type = file.endsWith('.jpg') ? 'jpeg' : 'png';
  return `data:image/${type};base64,${readFileSync(join(folder, file)).toString('base64')}`;
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

describe.skipIf(withoutBrowser)(
  'a logo without the panel has the colours that a browser shows',
  () => {
    let page: Page;
    beforeAll(async () => {
      page = await (await sharedBrowser()).newPage();
    });
    afterAll(() => page.close());

    test('unless it is refused', async () => {
      const accepted: string[] = [];
      for (const file of files) {
        const logo = await convertLogo(readFileSync(join(folder, file))).catch(onlyRefused);
        if (logo === null) continue;
        accepted.push(file);
        const { rgba } = decodeRgbaPng(logo.png);
        const expected = Buffer.from(await page.evaluate(drawnPixels, dataUrl(file)), 'base64');
        expect(expected.length).toBe(rgba.length);
        for (const ground of [0, 255])
          expect([file, distance(rgba, expected, ground) < 0.005]).toEqual([file, true]);
      }
      expect(accepted.length).toBe(3);
    });
  },
);

function onlyRefused(error: unknown): null {
  if (!(error instanceof Refused)) throw error;
  return null;
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
