import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decoders } from '../support/decoders.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
const email = 'alice@example.org';
await json(`account create ${email}`);

const plain = {
  foreground: '#000000',
  background: '#ffffff',
  module_shape: 'square',
  finder_shape: 'square',
  finder_color: null,
  logo: null,
  logo_size: 22,
  logo_patch: 'square',
  quiet_zone: 4,
};
const shown = () => json(`design show ${email}`);

describe('design set', () => {
  test('changes what is named and leaves the rest, and --reset begins anew', async () => {
    expect(await shown()).toEqual({ email, design: plain });
    await json(`design set ${email} --foreground #123 --quiet-zone 6 --module-shape rounded`);
    const changed = { ...plain, foreground: '#112233', quiet_zone: 6, module_shape: 'rounded' };
    expect(await shown()).toEqual({ email, design: changed });
    const printed = await json(`design set ${email} --background #FFFFEE`);
    expect(printed).toMatchObject({ email, readable: true, advice: null });
    expect(await shown()).toEqual({ email, design: { ...changed, background: '#ffffee' } });
    await json(`design set ${email} --reset --quiet-zone 5`);
    expect(await shown()).toEqual({ email, design: { ...plain, quiet_zone: 5 } });
  });

  test('keeps a logo until it is taken away', async () => {
    const path = join(folder, 'logo.svg');
    const circle = '<circle cx="5" cy="5" r="5" fill="#c00"/>';
    await Bun.write(
      path,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${circle}</svg>`,
    );
    await json(`design set ${email} --logo ${path} --logo-size 15`);
    const inWords = async () => (await waymark(`design show ${email}`)).stdout;
    expect(await inWords()).toContain('a logo at 15 % on a square patch');
    await json(`design set ${email} --logo-patch none`);
    expect(await inWords()).toContain('a logo at 15 % without a patch');
    await json(`design set ${email} --foreground #000080`);
    expect(await shown()).toMatchObject({
      design: {
        foreground: '#000080',
        logo_size: 15,
        logo: { width: expect.any(Number), height: expect.any(Number) },
      },
    });
    await json(`design set ${email} --no-logo`);
    expect(await shown()).toMatchObject({ design: { logo: null } });
    const stdin = await Bun.file(path).text();
    await json(`design set ${email} --logo -`, { stdin });
    expect(await inWords()).toContain('a logo at 15 %');
    await json(`design set ${email} --no-logo`);
    expect(await shown()).toMatchObject({ design: { foreground: '#000080', logo: null } });
  });

  test('stores a design that cannot be read, and warns', async () => {
    const { exitCode, stdout, stderr } = await waymark(
      `design set ${email} --reset --foreground #ffffff --json`,
    );
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Warning: /);
    expect(JSON.parse(stdout)).toMatchObject({ readable: false });
    expect(await shown()).toMatchObject({ design: { foreground: '#ffffff' } });
    await json(`design set ${email} --reset`);
  });

  test.each([
    ['--foreground blue', 2],
    ['--background #12345', 2],
    ['--logo-size 4', 2],
    ['--logo-size 41', 2],
    ['--logo-size 5.5', 2],
    ['--quiet-zone 3', 2],
    ['--quiet-zone 9', 2],
    ['--module-shape star', 2],
    ['--logo-patch triangle', 2],
  ])('%s is refused with %i', async (flags, code) => {
    const { exitCode, stdout, stderr } = await waymark(`design set ${email} ${flags}`);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(/^(error|waymark): /);
  });

  test.each([
    ['--logo missing.png', 1, 'missing.png cannot be read: no such file or folder (ENOENT).'],
    ['--logo .', 1, '. cannot be read: it is a folder (EISDIR).'],
    ['--no-logo --logo logo.svg', 2, '--logo and --no-logo contradict each other'],
    ['--logo logo.svg --no-logo', 2, '--logo and --no-logo contradict each other'],
    [
      '--finder-color #111111 --no-finder-color',
      2,
      '--finder-color and --no-finder-color contradict each other',
    ],
  ])('%s is refused with %i and the reason', async (flags, code, reason) => {
    const { exitCode, stdout, stderr } = await waymark(`design set ${email} ${flags}`);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(reason);
  });

  test('and none of these changed anything', async () => {
    expect(await shown()).toEqual({ email, design: plain });
  });
});

describe('design check and preview', () => {
  test('check judges the design on the link that preview draws', async () => {
    const out = join(folder, 'preview.png');
    const checked = await json(`design check ${email}`, {
      env: { WAYMARK_SHORT_URL: 'https://s.example' },
    });
    expect(checked).toEqual({
      readable: true,
      score: expect.any(Number),
      reasons: expect.any(Array),
      advice: null,
      link: expect.stringMatching(/^https:\/\/s\.example\/[0-9a-hjkmnp-tv-z]{8}$/),
      modules: expect.any(Number),
      quiet_zone: 4,
    });
    const written = await json(`design preview ${email} --out ${out} --size 300`, {
      env: { WAYMARK_SHORT_URL: 'https://s.example' },
    });
    const { link } = checked as { link: string }; // just matched
    expect(written).toEqual({ file: out, link });
    const png = await Bun.file(out).bytes();
    expect(new DataView(png.buffer, png.byteOffset).getUint32(16)).toBe(300);
    for (const decoder of decoders.slice(0, 1)) expect((await decoder.read(png)).text).toBe(link);
  });

  test('advice has the names of show, and as flags of set it passes', async () => {
    const refused = await json(`design set ${email} --foreground #dddddd --finder-color #eeeeee`);
    const { changes } = (refused as { advice: { changes: Record<string, string | null> } }).advice; // as checked here
    expect(changes).toEqual({ foreground: expect.any(String), finder_color: null });
    for (const name of Object.keys(changes)) expect(plain).toHaveProperty(name);
    const flags = Object.entries(changes).map(([name, value]) => {
      const flag = name.replaceAll('_', '-');
      return value === null ? `--no-${flag}` : `--${flag} ${value}`;
    });
    const advised = await json(`design set ${email} ${flags.join(' ')}`);
    expect(advised).toMatchObject({ readable: true, design: changes });
    await json(`design set ${email} --reset`);
  });

  test('check tells how large to print what can be read, and nothing else', async () => {
    const widths = /at least this wide/;
    expect((await waymark(`design check ${email}`)).stdout).toMatch(widths);
    await waymark(`design set ${email} --foreground #ffffff`);
    const unreadable = await waymark(`design check ${email}`);
    expect(unreadable.stdout).toStartWith('Not readable');
    expect(unreadable.stdout).not.toMatch(widths);
    await json(`design set ${email} --reset`);
  });

  test.each([
    ['design preview alice@example.org', 2],
    ['design preview alice@example.org --out x.png --size 127', 2],
    ['design preview alice@example.org --out x.png --size 4097', 2],
    ['design preview alice@example.org --out data/waymark.db/x.png', 1],
    // As a folder on a disk that is not mounted.
    ['design preview alice@example.org --out unmounted/x.png', 1],
    ['design preview alice@example.org --out -', 1],
    ['backup unmounted/x.db', 1],
    ['backup -', 1],
    ['export --out unmounted/x.csv', 1],
  ])('waymark %s is refused with %i', async (line, code) => {
    const { exitCode, stdout, stderr } = await waymark(line);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(readdirSync(folder).filter((name) => /^-|^unmounted/.test(name))).toEqual([]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
