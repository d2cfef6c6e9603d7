import { beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { decoders } from '../support/decoders.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
// Each test has an account of its own, with the plain design.
let accounts = 0;
let email = '';
beforeEach(async () => {
  email = `anna${accounts++}@example.org`;
  await json(`account create ${email}`);
});

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
  test('changes the options that are named, and --reset starts from the plain design', async () => {
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

  test('keeps a logo until it is removed', async () => {
    const circle = '<circle cx="5" cy="5" r="5" fill="#c00"/>';
    const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${circle}</svg>`;
    await json(`design set ${email} --logo - --logo-size 15`, { stdin: logo });
    await json(`design set ${email} --logo-patch none`);
    expect((await waymark(`design show ${email}`)).stdout).toContain('logo: 15 %,');
    expect(await shown()).toMatchObject({
      design: { logo_size: 15, logo: { width: expect.any(Number), height: expect.any(Number) } },
    });
    expect(await json(`design set ${email} --no-logo`)).toMatchObject({ design: { logo: null } });
  });

  test('draws SVG logos as browsers do, or says what to do where they were made', async () => {
    const logos = join(import.meta.dir, '../render/logos');
    expect(await json(`design set ${email} --logo ${logos}/figma-p3.svg`)).toMatchObject({
      design: { logo: expect.anything() },
    });
    const { exitCode, stderr } = await waymark(
      `design set ${email} --logo ${logos}/figma-p3-only.svg`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain('In Figma: export with sRGB.');
  });

  test('stores a design that cannot be read, with a warning', async () => {
    const { exitCode, stdout, stderr } = await waymark(
      `design set ${email} --foreground #ffffff --json`,
    );
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Warning: /);
    const unreadable = { readable: false, reasons: expect.arrayContaining([expect.any(String)]) };
    expect(JSON.parse(stdout)).toMatchObject(unreadable);
    expect(await shown()).toMatchObject({ design: { foreground: '#ffffff' } });
    const checked = await waymark(`design check ${email}`);
    expect(checked.stdout).toStartWith('Not readable');
    expect(checked.stdout).not.toContain('Minimum print width');
    await json(`design preview ${email} --out unreadable.png`);
    expect(Bun.file(join(folder, 'unreadable.png')).size).toBeGreaterThan(100);
  });

  test('rejects wrong values, with exit code 1 for files and 2 for all others', async () => {
    for (const [flags, exitCode, reason] of [
      ['--foreground blue', 2, 'written #RRGGBB'],
      ['--logo-size 41', 2, 'from 5 to 40'],
      ['--logo-size 5.5', 2, 'a whole number'],
      ['--quiet-zone 3', 2, 'from 4 to 8'],
      ['--module-shape star', 2, 'Allowed choices'],
      ['--logo missing.png', 1, 'missing.png cannot be read: no such file or folder (ENOENT).'],
      ['--logo .', 1, '. cannot be read: it is a folder (EISDIR).'],
    ] as const)
      expect({ flags, ...(await waymark(`design set ${email} ${flags}`)) }).toEqual({
        flags,
        exitCode,
        stdout: '',
        stderr: expect.stringContaining(reason),
      });
    expect(await shown()).toEqual({ email, design: plain });
  });
});

describe('design check and preview', () => {
  test('check reports on the link that preview draws', async () => {
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

  test('advice names options of set, which make the design readable', async () => {
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
  });

  test('check prints how large to print a readable design', async () => {
    expect((await waymark(`design check ${email}`)).stdout).toContain('Minimum print width');
  });
});

test('design save keeps the default design under a name, which other commands take', async () => {
  const saved = await waymark(`design save ${email} Spring --json`);
  expect([saved.exitCode, JSON.parse(saved.stdout)]).toMatchObject([0, { email, name: 'Spring' }]);
  const created = await waymark(
    `code create https://example.org/ --account ${email} --design Spring`,
  );
  expect(created).toMatchObject({ exitCode: 0 });
  expect((await waymark('design save nobody@example.org Spring')).exitCode).toBe(1);
});
