import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelCorner, sheetLayout } from '../../src/core/codes/print/sheet-layout.ts';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { encodeRgbaPng } from '../../src/render/png/rgba.ts';
import { matrixOf } from '../../src/render/symbol/matrix.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { addAccount, storesOn } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { decoders } from '../support/decoders.ts';
import { isInstalled } from '../support/installed.ts';
import { type Bitmap, pngSize } from '../support/png.ts';
import { programCommand, programEnv } from '../support/program.ts';

/**
 * Prints sheets as their users do, rasterizes them with Poppler at 300 dpi, reads each code with two
 * decoders and measures where it lies.
 */

const dpi = 300;
const mmPerPx = 25.4 / dpi;
const toleranceMm = 0.2;

const folder = await mkdtemp(join(tmpdir(), 'waymark-sheets-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const png = await Bun.file(join(import.meta.dir, '../golden/logo.png')).bytes();
const designs: Readonly<Record<string, Design>> = {
  plain: plainDesign,
  branded: {
    ...plainDesign,
    moduleShape: 'rounded',
    finderShape: 'circle',
    foreground: '#102a5c',
    finderColor: '#8a1020',
    logo: { png, ...pngSize(png) },
  },
  dots: {
    ...plainDesign,
    moduleShape: 'dots',
    finderShape: 'rounded',
    background: '#fff2cc',
    quietZoneModules: 6,
  },
};

/** Creates a database with codes of one account in a design. */
async function addCodes(name: string, design: Design, count: number) {
  const data = join(folder, name);
  const store = openWithDrizzle(data, { durability: 'process', busyTimeoutMs: 0 });
  const { accountId } = await addAccount(store, 'a@example.org');
  const designId = await storesOn(store).designs.add(accountId, design, 0);
  addManyQrs(store.$client, { accountId, designId }, count);
  store.$client.run("UPDATE qrs SET name = 'Tür ' || id");
  const links = store.$client
    .query<{ link: string }, []>('SELECT short_link AS link FROM qrs ORDER BY id')
    .all()
    .map(({ link }) => link);
  store.$client.close();
  return { data, links };
}

/** Runs `waymark code sheet`. */
async function print(data: string, file: string, flags: readonly string[]) {
  const args = ['code', 'sheet', '--account', 'a@example.org', '--out', file, '--json', ...flags];
  const child = Bun.spawn([...programCommand(), ...args], {
    env: programEnv({ WAYMARK_DATA: data, WAYMARK_PUBLIC_URL: 'https://qr.example.com' }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return { json: JSON.parse(stdout), peakBytes: child.resourceUsage()?.maxRSS ?? 0 };
}

/** Rasterizes a page. Poppler writes three bytes a pixel, much faster than a PNG. */
async function rasterize(file: string, page: number): Promise<Bitmap> {
  const number = String(page);
  const args = ['-r', String(dpi), '-singlefile', '-f', number, '-l', number, file];
  const child = Bun.spawn(['pdftoppm', ...args], { stdout: 'pipe' });
  const ppm = await new Response(child.stdout).bytes();
  const header = /^P6\s(\d+)\s(\d+)\s255\s/.exec(
    Buffer.from(ppm.subarray(0, 32)).toString('latin1'),
  );
  if (header === null) throw new Error('pdftoppm wrote no PPM');
  const [widthPx, heightPx] = [Number(header[1]), Number(header[2])];
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4).fill(255);
  for (let pixel = 0, at = header[0].length; pixel < rgba.length; pixel += 4, at += 3)
    for (let channel = 0; channel < 3; channel++) rgba[pixel + channel] = ppm[at + channel] ?? 0;
  return { widthPx, heightPx, rgba };
}

interface BoxPx {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function crop({ widthPx, rgba }: Bitmap, { left, top, right, bottom }: BoxPx) {
  const cut = new Uint8Array((right - left) * (bottom - top) * 4);
  for (let y = top; y < bottom; y++)
    cut.set(
      rgba.subarray((y * widthPx + left) * 4, (y * widthPx + right) * 4),
      (y - top) * (right - left) * 4,
    );
  return { widthPx: right - left, heightPx: bottom - top, rgba: cut };
}

/** Returns the edges of the dark modules in a box, in millimetres from the corner of the page. */
function darkEdges(page: Bitmap, box: BoxPx) {
  let [left, top, right, bottom] = [box.right, box.bottom, 0, 0];
  for (let y = box.top; y < box.bottom; y++)
    for (let x = box.left; x < box.right; x++) {
      const at = (y * page.widthPx + x) * 4;
      if ((page.rgba[at + 1] ?? 255) > 128) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  return [left, top, right, bottom].map((px) => px * mmPerPx);
}

// First: the peak memory of a child counts that of its parent at the start.
test('5,000 codes take at most 20 s and 300 MB', async () => {
  const { data } = await addCodes('many', designs['branded'] ?? plainDesign, 5000);
  const startMs = performance.now();
  const { json, peakBytes } = await print(data, join(folder, 'many.pdf'), ['--layout', 'L7160']);
  const seconds = (performance.now() - startMs) / 1000;
  console.log(`5,000 codes: ${seconds.toFixed(1)} s, ${Math.round(peakBytes / 1e6)} MB`);
  expect(json).toMatchObject({ codes: 5000, pages: 239 });
  expect(seconds).toBeLessThan(20);
  expect(peakBytes).toBeLessThan(300_000_000);
}, 120_000);

const [zbar, zxing] = ['zbarimg', 'ZXingReader'].map((tool) =>
  decoders.find(({ name }) => name === tool),
);
const isPresent = isInstalled('pdftoppm') && zbar?.present === true && zxing?.present === true;

const sheets: [string, keyof typeof designs, string[]][] = [
  ['a4-grid', 'branded', ['--cut-marks']],
  ['letter-grid', 'plain', ['--no-captions', '--columns', '4', '--rows', '6', '--gap-mm', '0']],
  ['roll', 'dots', ['--page', '62x29']],
  ['L7160', 'branded', []],
  ['L7163', 'dots', ['--size-mm', '30']],
  ['5160', 'plain', ['--cut-marks']],
  ['22806', 'dots', []],
  ['roll', 'branded', ['--page', '62x29', '--black']],
];

describe.skipIf(!isPresent)('each code can be read and lies where it belongs', () => {
  test.each(sheets)(
    '%s, %s, %j',
    async (name, look, flags) => {
      const design = designs[look] ?? plainDesign;
      const option = (flag: string) => flags[flags.indexOf(flag) + 1];
      const layout = sheetLayout(name, {
        ...(flags.includes('--page') && { page: option('--page') ?? '' }),
        ...(flags.includes('--columns') && { columns: 4, rows: 6, gapMm: '0' }),
        ...(flags.includes('--size-mm') && { sizeMm: Number(option('--size-mm')) }),
        hasCaptions: !flags.includes('--no-captions'),
      });
      const perPage = layout.columns * layout.rows;
      // One code on a second page.
      const { data, links } = await addCodes(`${name}-${look}`, design, perPage + 1);
      const file = join(folder, `${name}.pdf`);
      const { json } = await print(data, file, ['--layout', name, ...flags]);
      expect(json).toMatchObject({ codes: perPage + 1, pages: 2, size_mm: layout.code.widthMm });

      const pages = [await rasterize(file, 1), await rasterize(file, 2)];
      for (const [index, link] of links.entries()) {
        const page = pages[Math.floor(index / perPage)];
        if (page === undefined) throw new Error('There is no such page');
        const corner = labelCorner(layout, index % perPage);
        const leftMm = corner.leftMm + layout.code.leftMm;
        const topMm = corner.topMm + layout.code.topMm;
        const sideMm = layout.code.widthMm;
        const box = {
          left: Math.ceil(leftMm / mmPerPx),
          top: Math.ceil(topMm / mmPerPx),
          right: Math.floor((leftMm + sideMm) / mmPerPx),
          bottom: Math.floor((topMm + sideMm) / mmPerPx),
        };
        const { side } = matrixOf(link);
        const quietMm = (sideMm * design.quietZoneModules) / (side + 2 * design.quietZoneModules);
        const expected = [
          leftMm + quietMm,
          topMm + quietMm,
          leftMm + sideMm - quietMm,
          topMm + sideMm - quietMm,
        ];
        for (const [at, edgeMm] of darkEdges(page, box).entries())
          expect(Math.abs(edgeMm - (expected[at] ?? 0))).toBeLessThan(toleranceMm);

        const code = encodeRgbaPng(crop(page, box));
        expect((await zbar?.read(code))?.text).toBe(link);
        expect((await zxing?.read(code))?.text).toBe(link);
      }
    },
    120_000,
  );
});
