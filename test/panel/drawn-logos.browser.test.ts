import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Logo } from '../../src/core/designs/design.ts';
import { decodeRgbaPng } from '../../src/render/png/rgba.ts';
import { sharedServer } from '../support/server.ts';
import { useBrowser, withoutBrowser } from './browser.ts';

const server = await sharedServer();
const email = 'drawn@example.org';

const red = [192, 32, 32, 255];
const blue = [32, 32, 192, 255];
const none = [0, 0, 0, 0];

/** Colours at places in percent of width and height, as browsers show the file. */
type Colors = readonly (readonly [right: number, down: number, color: readonly number[]])[];

const files: readonly (readonly [file: string, colors: Colors])[] = [
  [
    'logos/css-var.svg',
    [
      [50, 50, red],
      [1, 1, none],
    ],
  ],
  // A wide colour as the nearest one in sRGB.
  ['logos/figma-p3.svg', [[50, 50, [210, 0, 14, 255]]]],
  ['logos/illustrator-entities.svg', [[50, 50, red]]],
  ['logos/illustrator-text.svg', []],
  ['logos/image-svgxml.svg', [[50, 50, red]]],
  [
    'logos/inkscape-lpe.svg',
    [
      [50, 50, red],
      [11, 11, none],
    ],
  ],
  [
    'logos/markers.svg',
    [
      [2, 95, [17, 34, 51, 255]],
      [50, 75, [238, 51, 51, 255]],
    ],
  ],
  ['logos/tiny-scale.svg', [[20, 50, [204, 0, 0, 255]]]],
  ['colors/icc-adobe-rgb.png', []],
  ['colors/orientation.png', []],
  ['colors/photo.avif', []],
  [
    'colors/still.gif',
    [
      [25, 50, red],
      [75, 50, blue],
    ],
  ],
];

describe.skipIf(withoutBrowser)('a logo that the browser draws', () => {
  const browser = useBrowser(server);
  let page: Page;
  let consoleErrors: readonly string[];
  beforeAll(async () => {
    ({ page, consoleErrors } = await browser.openSignedIn(email));
  });

  /** Returns the logo of new codes. */
  async function storedLogo(): Promise<Logo> {
    const { logo } = await server.onStores(async ({ accounts, designs }) => {
      const account = await accounts.findByEmail(email);
      return (await designs.findDefault(account?.id ?? 0)).design;
    });
    if (logo === null) throw new Error('the design has no logo');
    return logo;
  }

  test.each(files)('%s', async (file, colors) => {
    const path = join(import.meta.dir, '../render', file);
    const name = file.split('/').at(-1) ?? '';
    await page.goto(`${server.origin}/account/design`);
    await page.locator('#logo').setInputFiles(path);
    await page.locator('#logo-shown b', { hasText: name }).waitFor();
    expect(await page.textContent('#logo-shown')).toContain('Drawn by this browser');
    await page.getByRole('button', { name: 'Save as default' }).click();
    await page.getByText('Design saved.').waitFor();
    const { widthPx, heightPx, rgba } = decodeRgbaPng((await storedLogo()).png);
    const base64 = await page.evaluate(drawn, {
      url: `data:${typeOf(name)};base64,${readFileSync(path).toString('base64')}`,
      ...{ widthPx, heightPx },
    });
    const shown = Buffer.from(base64, 'base64');
    // As large as it is drawn, and everywhere as the browser shows it.
    const difference = rgba.reduce((sum, value, at) => sum + Math.abs(value - (shown[at] ?? 0)), 0);
    expect([shown.length, difference / rgba.length < 1.5]).toEqual([rgba.length, true]);
    if (name.endsWith('.svg')) expect(Math.max(widthPx, heightPx)).toBe(512);
    for (const [right, down, color] of colors) {
      const x = Math.floor((right / 100) * widthPx);
      const y = Math.floor((down / 100) * heightPx);
      const pixel = [...rgba.subarray((y * widthPx + x) * 4, (y * widthPx + x) * 4 + 4)];
      for (const [channel, value] of color.entries())
        expect([right, down, pixel, Math.abs((pixel[channel] ?? 0) - value) <= 3]).toEqual([
          right,
          down,
          pixel,
          true,
        ]);
    }
    expect(consoleErrors).toEqual([]);
  });

  test('is refused in words where the browser reads SVG as UTF-8 only', async () => {
    await page.goto(`${server.origin}/account/design`);
    const path = join(import.meta.dir, '../render/logos/illustrator-latin1.svg');
    await page.locator('#logo').setInputFiles(path);
    const problem = '“illustrator-latin1.svg” isn’t a picture that this browser can draw.';
    await page.locator('#logo-problem', { hasText: problem }).waitFor();
  });
});

function typeOf(name: string): string {
  const ending = name.split('.').at(-1) ?? '';
  return `image/${ending === 'svg' ? 'svg+xml' : ending}`;
}

/** Runs in the page: returns the pixels of a picture in a size, in base64. */
async function drawn({
  url,
  widthPx,
  heightPx,
}: {
  url: string;
  widthPx: number;
  heightPx: number;
}) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = widthPx;
  canvas.height = heightPx;
  const context = canvas.getContext('2d');
  if (context === null) return '';
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, widthPx, heightPx);
  return new Uint8Array(context.getImageData(0, 0, widthPx, heightPx).data).toBase64();
}
