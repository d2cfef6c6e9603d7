import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  labelCorner,
  placeCode,
  type SheetOptions,
  sheetDpis,
  sheetLayout,
} from '../../src/core/codes/print/sheet-layout.ts';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { symbolSide } from '../../src/render/print-image.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { addAccount, storesOn } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { acting } from '../stores/rows.ts';
import { isInstalled } from '../support/installed.ts';
import { pngSize } from '../support/png.ts';
import { programCommand, programEnv } from '../support/program.ts';

/**
 * Prints sheets as their users do, rasterizes them with Poppler at the resolutions of printers, measures where each
 * code lies, and has it read by two decoders: in greys, and in black and white by a threshold and by error diffusion.
 */

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
  const designId = await storesOn(store).designs.add(acting(accountId), design, 0);
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
  const { maxRSS = 0, cpuTime } = child.resourceUsage() ?? {};
  return {
    json: JSON.parse(stdout),
    peakBytes: maxRSS,
    cpuSeconds: Number(cpuTime?.total ?? 0) / 1e6,
  };
}

/** A picture in greys. */
interface Greys {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Uint8Array;
}

/** Rasterizes a page. */
async function rasterize(file: string, page: number, dpi: number): Promise<Greys> {
  const number = String(page);
  const args = ['-gray', '-r', String(dpi), '-singlefile', '-f', number, '-l', number, file];
  const child = Bun.spawn(['pdftoppm', ...args], { stdout: 'pipe' });
  const pgm = await new Response(child.stdout).bytes();
  const header = /^P5\s(\d+)\s(\d+)\s255\s/.exec(
    Buffer.from(pgm.subarray(0, 32)).toString('latin1'),
  );
  if (header === null) throw new Error('pdftoppm wrote no PGM');
  const values = pgm.subarray(header[0].length);
  return { widthPx: Number(header[1]), heightPx: Number(header[2]), values };
}

interface BoxPx {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function crop({ widthPx, values }: Greys, { left, top, right, bottom }: BoxPx): Greys {
  const cut = new Uint8Array((right - left) * (bottom - top));
  for (let y = top; y < bottom; y++)
    cut.set(values.subarray(y * widthPx + left, y * widthPx + right), (y - top) * (right - left));
  return { widthPx: right - left, heightPx: bottom - top, values: cut };
}

/** Returns the edges of the dark modules of a code, in pixels from the corner of its picture. */
function darkEdges({ widthPx, values }: Greys): [number, number, number, number] {
  let [left, top, right, bottom] = [widthPx, values.length, 0, 0];
  for (const [at, value] of values.entries()) {
    if (value > 128) continue;
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  return [left, top, right, bottom];
}

/** How printers make dots of greys. Those of a pattern blur into each other for a camera. */
const dithers: Readonly<Record<string, (picture: Greys, dpi: number) => Uint8Array>> = {
  grey: ({ values }) => values,
  threshold: ({ values }) => values.map((value) => (value < 128 ? 0 : 255)),
  diffusion: (picture, dpi) => blur({ ...picture, values: diffuseErrors(picture) }, dpi),
};

/** Makes dots by Floyd and Steinberg's error diffusion. */
function diffuseErrors({ widthPx, values }: Greys): Uint8Array {
  const wanted = Float32Array.from(values);
  for (let at = 0; at < wanted.length; at++) {
    const value = wanted[at] ?? 0;
    const dot = value < 128 ? 0 : 255;
    wanted[at] = dot;
    for (const [step, share] of [
      [1, 7],
      [widthPx - 1, 3],
      [widthPx, 5],
      [widthPx + 1, 1],
    ] as const)
      if (at + step < wanted.length)
        wanted[at + step] = (wanted[at + step] ?? 0) + ((value - dot) * share) / 16;
  }
  return Uint8Array.from(wanted);
}

// A camera's pixel 20 cm away.
const cameraPxMm = 0.13;

/** Blurs by the standard deviation of a camera's pixel, with the filter 1-2-1. */
function blur({ widthPx, values }: Greys, dpi: number): Uint8Array {
  const passes = Math.max(1, Math.round(2 * ((cameraPxMm * dpi) / 25.4) ** 2));
  let from = Float32Array.from(values);
  for (let pass = 0; pass < 2 * passes; pass++) {
    const step = pass % 2 === 0 ? 1 : widthPx;
    const source = from;
    from = source.map(
      (value, at) => (2 * value + (source[at - step] ?? 255) + (source[at + step] ?? 255)) / 4,
    );
  }
  return Uint8Array.from(from);
}

/** What decoders print of files, one line a code. */
const readers = [
  { command: ['zbarimg', '--quiet', '--raw', '--nodbus'], text: /^(.+)$/gm },
  { command: ['ZXingReader', '-1'], text: /"(.*)"$/gm },
];

/** Reads codes that are cut out of pages. */
async function read(codes: readonly Greys[], dither: (picture: Greys) => Uint8Array) {
  const files = await Promise.all(
    codes.map(async (code, at) => {
      const file = join(folder, `code-${at}.pgm`);
      const header = Buffer.from(`P5 ${code.widthPx} ${code.heightPx} 255\n`);
      await Bun.write(file, Buffer.concat([header, dither(code)]));
      return file;
    }),
  );
  return Promise.all(
    readers.map(async ({ command, text }) => {
      const child = Bun.spawn([...command, ...files], { stdout: 'pipe', stderr: 'ignore' });
      const printed = await new Response(child.stdout).text();
      return Array.from(printed.matchAll(text), ([, one]) => one);
    }),
  );
}

// First: the peak memory of a child counts that of its parent at the start.
test('5,000 codes take at most 20 s and 300 MB', async () => {
  const { data } = await addCodes('many', designs['branded'] ?? plainDesign, 5000);
  const { json, peakBytes, cpuSeconds } = await print(data, join(folder, 'many.pdf'), [
    '--layout',
    'L7160',
  ]);
  console.log(`5,000 codes: ${cpuSeconds.toFixed(1)} s of CPU, ${Math.round(peakBytes / 1e6)} MB`);
  expect(json).toMatchObject({ codes: 5000, pages: 239 });
  // The machine may be busy.
  expect(cpuSeconds).toBeLessThan(20);
  expect(peakBytes).toBeLessThan(300_000_000);
});

const isPresent = ['pdftoppm', 'zbarimg', 'ZXingReader'].every(isInstalled);

interface SheetCase {
  readonly layout: string;
  readonly look: keyof typeof designs;
  readonly flags: readonly string[];
  readonly options?: SheetOptions;
}

const sheets: readonly SheetCase[] = [
  { layout: 'a4-grid', look: 'branded', flags: ['--cut-marks'] },
  {
    layout: 'letter-grid',
    look: 'plain',
    flags: ['--no-captions', '--columns', '4', '--rows', '6', '--gap-mm', '0'],
    options: { columns: 4, rows: 6, gapMm: '0', hasCaptions: false },
  },
  { layout: 'roll', look: 'dots', flags: ['--page', '62x29'], options: { page: '62x29' } },
  { layout: 'L7160', look: 'branded', flags: [] },
  { layout: 'L7163', look: 'dots', flags: ['--size-mm', '30'], options: { sizeMm: 30 } },
  { layout: '5160', look: 'plain', flags: ['--cut-marks'] },
  { layout: '22806', look: 'dots', flags: [] },
  {
    layout: 'roll',
    look: 'branded',
    flags: ['--page', '2x1in', '--black', '--dpi', '203'],
    options: { page: '2x1in', form: 'black', dpi: 203 },
  },
  {
    layout: 'DK-11221',
    look: 'branded',
    flags: ['--compact', '--dpi', '300', '--no-captions'],
    options: { form: 'compact', dpi: 300, hasCaptions: false },
  },
];

describe.skipIf(!isPresent)('each code can be read and lies where it belongs', () => {
  test.each(sheets)(
    '$layout, $look, $flags',
    async ({ layout: name, look, flags, options = {} }) => {
      const design = designs[look] ?? plainDesign;
      const layout = sheetLayout(name, options);
      const perPage = layout.columns * layout.rows;
      // One code on a second page.
      const key = `${name}-${look}`;
      const { data, links } = await addCodes(key, design, perPage + 1);
      const file = join(folder, `${key}.pdf`);
      const { json } = await print(data, file, ['--layout', name, ...flags]);
      expect(json).toMatchObject({ codes: perPage + 1, pages: 2 });
      const isCompact = layout.form === 'compact';
      const quietModules = layout.form === 'design' ? design.quietZoneModules : 4;

      for (const dpi of options.dpi === undefined ? sheetDpis : [options.dpi]) {
        const mmPerPx = 25.4 / dpi;
        // A sample, except at the resolution of most printers.
        const isSample = dpi !== 300 && options.dpi === undefined;
        const pages = await Promise.all(
          (isSample ? [1] : [1, 2]).map((page) => rasterize(file, page, dpi)),
        );
        const shown = [...links.entries()].filter(
          ([index]) => !isSample || (index < perPage && index % 7 === 0),
        );
        const codes = shown.map(([index, link]) => {
          const page = pages[Math.floor(index / perPage)];
          if (page === undefined) throw new Error('There is no such page');
          const modules = symbolSide(link, isCompact) + 2 * quietModules;
          const corner = labelCorner(layout, index % perPage);
          const { leftMm, topMm, sideMm } = placeCode(layout, corner, modules);
          const [left, top] = [
            Math.ceil(leftMm / mmPerPx - 1e-6),
            Math.ceil(topMm / mmPerPx - 1e-6),
          ];
          const right = Math.floor((leftMm + sideMm) / mmPerPx + 1e-6);
          const bottom = Math.floor((topMm + sideMm) / mmPerPx + 1e-6);
          const code = crop(page, { left, top, right, bottom });
          const quietMm = (sideMm * quietModules) / modules;
          const expected = [leftMm, topMm, leftMm + sideMm, topMm + sideMm];
          for (const [at, edgePx] of darkEdges(code).entries()) {
            const edgeMm = ((at % 2 === 0 ? left : top) + edgePx) * mmPerPx;
            const expectedMm = (expected[at] ?? 0) + (at < 2 ? quietMm : -quietMm);
            expect(Math.abs(edgeMm - expectedMm)).toBeLessThan(toleranceMm);
          }
          return code;
        });
        const texts = shown.map(([, link]) => link);
        for (const [dither, make] of Object.entries(dithers))
          expect({ dpi, dither, read: await read(codes, (code) => make(code, dpi)) }).toEqual({
            dpi,
            dither,
            read: [texts, texts],
          });
      }
    },
  );
});
