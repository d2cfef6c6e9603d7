import { beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { addAccount } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
// A folder without fonts, so that the fonts of the machine don't matter.
const env = { WAYMARK_FONTS: folder };

beforeAll(async () => {
  const store = openWithDrizzle(join(folder, 'data'), { durability: 'process', busyTimeoutMs: 0 });
  const owner = await addAccount(store, 'a@example.org');
  await addAccount(store, 'empty@example.org');
  addManyQrs(store.$client, owner, 40);
  store.$client.run("UPDATE qrs SET name = '卓 ' || id WHERE id <= 2");
  store.$client.run("UPDATE qrs SET name = 'Table ' || id WHERE id > 2");
  store.$client.close();
});

test('"code sheet" writes a PDF, and says how large the codes are', async () => {
  const line = 'code sheet --account a@example.org --layout L7160 --out sheet.pdf';
  expect(await json(line, { env })).toEqual({
    file: 'sheet.pdf',
    codes: 40,
    pages: 2,
    size_mm: 36.1,
    readable_from_mm: 200,
    captions_with_code: 2,
    not_drawn: ['卓 1', '卓 2'],
    without_image: 0,
  });
  expect(await Bun.file(join(folder, 'sheet.pdf')).text()).toStartWith('%PDF-');
  const { stdout, stderr } = await waymark(line, { env });
  expect(stdout).toBe(
    'Wrote 40 codes on 2 pages to sheet.pdf. Each has a side of 36.1 mm and can be read in the hand. Print at 100 %, without fitting to the page.\n',
  );
  expect(stderr).toBe(
    'Warning: No font has all characters of "卓 1", "卓 2": the code is printed instead of a name, and other lines are left out. Install fonts (on Debian and Ubuntu: fonts-noto-cjk), or set WAYMARK_FONTS to a folder with fonts.\n' +
      "Warning: phones can't open 127.0.0.1, so a printed code leads nowhere. Set WAYMARK_PUBLIC_URL to the public address of the server, such as https://qr.example.com.\n",
  );
});

test('"code sheet --search" prints some of the codes', async () => {
  const line =
    'code sheet --account a@example.org --layout roll --search 卓 --no-captions --out roll.pdf';
  expect(await json(line)).toMatchObject({ codes: 2, pages: 2, captions_with_code: 0 });
});

test.each(['svg', 'png'])('"code download" writes an archive of %s', async (format) => {
  const file = `codes-${format}.zip`;
  const line = `code download --account a@example.org --format ${format} --out ${file}`;
  expect(await json(line)).toEqual({ file, codes: 40, without_image: 0 });
  const text = await Bun.file(join(folder, file)).text();
  // Not `toContain`, which would print the archive.
  for (const name of [`Table 7 - b54cda26.${format}`, 'codes.csv'])
    expect({ name, isThere: text.includes(name) }).toEqual({ name, isThere: true });
});

test.each([
  ['code sheet --account a@example.org --layout L7160 --size-mm 60', "don't fit"],
  ['code sheet --account a@example.org --layout L7160 --size-mm 10', 'too small'],
  ['code sheet --account a@example.org --layout L7160 --columns 4', 'fixed dimensions'],
  ['code sheet --account empty@example.org --layout L7160', 'No codes to print'],
  ['code sheet --account none@example.org --layout L7160', 'There is no account'],
  ['code download --account empty@example.org --format svg', 'No codes with an image'],
])('"%s" is refused and writes nothing', async (line, reason) => {
  const { exitCode, stdout, stderr } = await waymark(`${line} --out refused.bin`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(reason);
  expect(existsSync(join(folder, 'refused.bin'))).toBe(false);
});

test.each(['A5', ''])('the layout %p is wrong usage', async (layout) => {
  const { exitCode } = await waymark(`code sheet --account a@b.c --layout ${layout} --out x.pdf`);
  expect(exitCode).toBe(2);
});

test('"code sheet --layouts" lists the layouts, and needs nothing else', async () => {
  const { exitCode, stdout } = await waymark('code sheet --layouts');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^L7160 +Avery L7160: 21 labels of 63.5 × 38.1 mm on A4$/m);
  const listed = await json('code sheet --layouts');
  expect(listed).toContainEqual({ name: 'roll', description: 'Label roll, one label a page' });
});

test('"code sheet" prints small plain codes for a thermal printer, with texts and copies', async () => {
  const flags = '--page 30x20 --compact --dpi 203 --copies 2 --above Menu --below name,link';
  const line = `code sheet --account a@example.org --layout roll --search 卓 ${flags} --out dots.pdf`;
  expect(await json(line)).toMatchObject({ codes: 2, pages: 4, size_mm: 16.516 });
  const black =
    'code sheet --account a@example.org --layout L7160 --black --start 20 --out black.pdf';
  expect(await json(black)).toMatchObject({ codes: 40, pages: 3 });
});

test('no temporary file is left', () => {
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});
