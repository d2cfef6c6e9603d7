import { beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, inflateSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { addAccount } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { decoders } from '../support/decoders.ts';
import { isInstalled } from '../support/installed.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
// A folder without fonts, so that the fonts of the machine don't matter.
const env = { WAYMARK_FONTS: folder };
const sheet = 'code sheet --account a@example.org --layout';

beforeAll(async () => {
  const store = openWithDrizzle(join(folder, 'data'), { durability: 'process', busyTimeoutMs: 0 });
  const owner = await addAccount(store, 'a@example.org');
  await addAccount(store, 'empty@example.org');
  addManyQrs(store.$client, owner, 3);
  store.$client.run("UPDATE qrs SET name = '卓 ' || id WHERE id <= 2");
  store.$client.run("UPDATE qrs SET name = 'Table ' || id WHERE id > 2");
  store.$client.close();
});

test('"code sheet" writes a PDF, and says how large the codes are', async () => {
  const line = `${sheet} L7160 --black --start 20 --out sheet.pdf`;
  expect(await json(line, { env })).toEqual({
    file: 'sheet.pdf',
    codes: 3,
    pages: 2,
    size_mm: 36.1,
    readable_from_mm: 200,
    captions_with_code: 2,
    not_drawn: ['卓 1', '卓 2'],
    cut: [],
    without_image: 0,
  });
  expect(await Bun.file(join(folder, 'sheet.pdf')).text()).toStartWith('%PDF-');
  const { stdout, stderr } = await waymark(line, { env });
  expect(stdout).toBe(
    'Wrote 3 codes on 2 pages to sheet.pdf. Each has a side of 36.1 mm and can be read in the hand. Print at 100 %, without fitting to the page.\n',
  );
  expect(stderr).toBe(
    'Warning: No font has all characters of "卓 1", "卓 2": the code is printed instead of a name, and other lines are left out. Install fonts (on Debian and Ubuntu: fonts-noto-cjk), or set WAYMARK_FONTS to a folder with fonts.\n' +
      "Warning: phones can't open 127.0.0.1, so a printed code leads nowhere. Set WAYMARK_PUBLIC_URL to the public address of the server, such as https://qr.example.com.\n",
  );
});

test('"code sheet --search" prints some of the codes', async () => {
  const line = `${sheet} roll --search 卓 --no-captions --out roll.pdf`;
  expect(await json(line)).toMatchObject({ codes: 2, pages: 2, captions_with_code: 0 });
});

/** Returns the files of an archive by name. */
async function unpack(file: string): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(readFileSync(join(folder, file)));
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    expect(crc32(content)).toBe(entry.crc32);
    files.set(entry.fileName, content);
  }
  return files;
}

/** Downloads the codes, and returns what the archive has for one of them. */
async function download(format: string, flags = ''): Promise<Buffer> {
  const file = `codes-${format}.zip`;
  const line = `code download --account a@example.org --format ${format} --out ${file}${flags}`;
  const size_mm = flags === '' ? 86.7 : 30.5;
  expect(await json(line)).toEqual({ file, codes: 3, size_mm, without_image: 0 });
  const files = await unpack(file);
  expect([...files.keys()]).toContain('codes.csv');
  expect(files.size).toBe(4);
  return files.get(`Table 3 - 3c6ef362.${format}`) ?? Buffer.alloc(0);
}

/** Expects that all decoders read a PNG as the link of that code. */
async function expectReadable(png: Uint8Array): Promise<void> {
  for (const { name, present, read } of decoders)
    if (present)
      expect({ name, text: (await read(png)).text }).toEqual({
        name,
        text: expect.stringMatching(/\/3c6ef362$/),
      });
}

test('SVGs of "code download" have their size in millimetres', async () => {
  const svg = (await download('svg')).toString();
  expect(svg).toMatch(/^<svg [^>]* width="86.7mm" height="86.7mm" viewBox="0 0 \d+ \d+">/);
});

test('PNGs of "code download" have their resolution', async () => {
  const png = await download('png', ' --size-mm 30,5');
  expect(resolutionOf(png)).toEqual([33574, 33574, 1]);
  await expectReadable(png);
});

/** Returns the numbers of the chunk pHYs behind the header, and checks its checksum. */
function resolutionOf(png: Uint8Array): number[] {
  const chunk = Buffer.from(png.subarray(33, 54));
  expect(chunk.toString('latin1', 4, 8)).toBe('pHYs');
  expect(chunk.readUInt32BE(17)).toBe(crc32(chunk.subarray(4, 17)));
  return [chunk.readUInt32BE(8), chunk.readUInt32BE(12), chunk[16] ?? 0];
}

test('PDFs of "code download" are one vector image each, as large as the code', async () => {
  const pdf = await download('pdf', ' --size-mm 30.5');
  const text = pdf.toString('latin1');
  const box = '[0 0 86.4567 86.4567]';
  expect(text).toContain(`/MediaBox ${box} /TrimBox ${box}`);
  expect(text).toMatch(/\/CreationDate \(D:\d{14}Z\)/);
  expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  expect(text).not.toContain('/Image');
  const start = text.indexOf('stream\n') + 'stream\n'.length;
  const content = inflateSync(pdf.subarray(start, text.indexOf('\nendstream'))).toString();
  expect(content).toContain('0 g ');
  expect(content).not.toMatch(/ rg\b/);
  if (!isInstalled('pdftoppm')) return;
  const args = ['-png', '-r', '300', '-singlefile', '-', join(folder, 'page')];
  const child = Bun.spawn(['pdftoppm', ...args], { stdin: pdf });
  expect(await child.exited).toBe(0);
  await expectReadable(readFileSync(join(folder, 'page.png')));
});

test('"--folder" prints and downloads the codes of a folder', async () => {
  expect(await json('code set 3c6ef362 --folder Terrace')).toMatchObject({ folder: 'Terrace' });
  const flags = '--account a@example.org --folder Terrace';
  for (const command of [
    'sheet --layout L7160 --out one.pdf',
    'download --format pdf --out one.zip',
  ])
    expect(await json(`code ${command} ${flags}`)).toMatchObject({ codes: 1 });
  const names = [...(await unpack('one.zip')).keys()];
  expect(names).toEqual(['Table 3 - 3c6ef362.pdf', 'codes.csv']);
});

test.each([
  [`${sheet} L7160 --size-mm 60`, "don't fit"],
  [`${sheet} L7160 --size-mm 10`, 'too small'],
  [`${sheet} L7160 --columns 4`, 'fixed dimensions'],
  ['code sheet --account empty@example.org --layout L7160', 'No codes to print'],
  ['code sheet --account none@example.org --layout L7160', 'There is no account'],
  ['code download --account empty@example.org --format svg', 'No codes with an image'],
  [
    'code download --account a@example.org --format pdf --size-mm 15,5',
    'A side of 15.5 mm is too small for Table 3: phones read it reliably from 21 mm.',
  ],
])('"%s" is refused and writes nothing', async (line, reason) => {
  const { exitCode, stdout, stderr } = await waymark(`${line} --out refused.bin`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(reason);
  expect(existsSync(join(folder, 'refused.bin'))).toBe(false);
});

test.each([
  'code download --format pdf --size-mm 4',
  'code sheet --layout A5',
  'code sheet --layout ',
])('"%s" is wrong usage', async (line) => {
  expect((await waymark(`${line} --account a@b.c --out x`)).exitCode).toBe(2);
});

test('"code sheet --layouts" lists the layouts, and needs nothing else', async () => {
  const { exitCode, stdout } = await waymark('code sheet --layouts');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^L7160 +Avery L7160: 21 labels, 63.5 × 38.1 mm, A4$/m);
  const listed = await json('code sheet --layouts');
  expect(listed).toContainEqual({ name: 'roll', description: 'Label roll, one label a page' });
});

test('"code sheet" prints small plain codes for a thermal printer, with texts and copies', async () => {
  const flags = '--page 30x20 --compact --dpi 203 --copies 2 --above Menu --below name,link';
  const line = `${sheet} roll --search 卓 ${flags} --out dots.pdf`;
  expect(await json(line)).toMatchObject({ codes: 2, pages: 4, size_mm: 16.516 });
});

test('"code sheet" says which codes have texts that are cut, and takes their order', async () => {
  await json(`code set 3c6ef362 --note ${'by-the-door-'.repeat(60)}`);
  const flags = '--compact --below note --order newest --text beside --out cut.pdf';
  const { stdout, stderr } = await waymark(`${sheet} L7651 ${flags} --json`);
  expect(JSON.parse(stdout)).toMatchObject({ cut: ['Table 3'] });
  expect(stderr).toContain(
    'The texts of "Table 3" don’t fit and end with “…”. Use shorter or fewer',
  );
});

test('no temporary file is left', () => {
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});
