import { beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { plainDesign } from '../../src/core/designs/design.ts';
import { acting, addOwner } from '../stores/rows.ts';
import { decoders } from '../support/decoders.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json, onStores } = createCommands();
const smallLogo = join(import.meta.dir, '../golden/logo.png');
// Each test has an account of its own, with the plain design.
let accounts = 0;
let email = '';
let accountId = 0;
beforeEach(async () => {
  email = `anna${accounts++}@example.org`;
  ({ accountId } = await onStores((stores) => addOwner(stores, { email })));
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
    const look = { foreground: '#112233', quietZoneModules: 6, moduleShape: 'rounded' } as const;
    await onStores(({ designs }) => designs.add(acting(accountId), { ...plainDesign, ...look }, 0));
    const background = '#ffffee';
    expect(await json(`design set ${email} --background #FFE --module-shape dots`)).toMatchObject({
      email,
      readable: true,
      advice: null,
      design: { ...plain, foreground: '#112233', quiet_zone: 6, module_shape: 'dots', background },
    });
    await json(`design set ${email} --reset --quiet-zone 5`);
    expect(await shown()).toEqual({ email, design: { ...plain, quiet_zone: 5 } });
  });

  test('keeps a logo until it is removed', async () => {
    await json(`design set ${email} --logo ${smallLogo} --logo-size 15`);
    await json(`design set ${email} --logo-patch none`);
    expect((await waymark(`design show ${email}`)).stdout).toContain('logo: 15 %,');
    expect(await shown()).toMatchObject({
      design: { logo_size: 15, logo: { width: expect.any(Number), height: expect.any(Number) } },
    });
    expect(await json(`design set ${email} --no-logo`)).toMatchObject({ design: { logo: null } });
  });

  test.each(['logos/figma-p3.svg', 'colors/photo.avif', 'colors/icc-adobe-rgb.png'])(
    'names the panel, or PNG, for a logo that a browser has to draw: %s',
    async (file) => {
      const logo = join(import.meta.dir, '../render', file);
      const { exitCode, stderr } = await waymark(`design set ${email} --logo ${logo}`);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/panel with JavaScript on, where your browser.*, or save it as PNG/);
    },
  );

  test('adds a caption, moves it, keeps it, and takes it away', async () => {
    const caption = 'Scan for the menu';
    const set = async (...more: string[]) => waymark(['design', 'set', email, '--json', ...more]);
    const added = JSON.parse((await set('--caption', `  ${caption} `)).stdout);
    expect(added).toMatchObject({
      readable: true,
      caption_modules: 8,
      design: { caption, caption_place: 'below' },
    });
    await set('--caption-place', 'above');
    await set('--foreground', '#123456');
    expect(await shown()).toMatchObject({ design: { caption, caption_place: 'above' } });
    const { stdout } = await waymark(`design show ${email}`);
    expect(stdout).toContain(`caption above the code: ${caption}`);
    const widths = async () => (await waymark(`design check ${email}`)).stdout;
    expect(await widths()).toContain('25 mm in the hand');
    await set('--caption', '');
    expect(await shown()).toEqual({ email, design: { ...plain, foreground: '#123456' } });
    expect(await widths()).toContain('21 mm in the hand');
    expect((await set('--caption-place', 'above')).stderr).toContain('no caption to place');
  });

  test.each([
    ['Scan this code for the menu', 1, 'up to 24 characters'],
    ['扫码看菜单', 1, 'The print face lacks these characters: 扫 码 看 菜 单.'],
  ])('refuses the caption %s in words', async (caption, code, message) => {
    const { exitCode, stderr } = await waymark(['design', 'set', email, '--caption', caption]);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(await shown()).toEqual({ email, design: plain });
  });

  test('stores a design that cannot be read, with a warning and advice that makes it readable', async () => {
    const { exitCode, stdout, stderr } = await waymark(
      `design set ${email} --foreground #dddddd --finder-color #eeeeee --json`,
    );
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Warning: /);
    const refused = JSON.parse(stdout);
    const reasons = expect.arrayContaining([expect.any(String)]);
    expect(refused).toMatchObject({ readable: false, reasons, design: { foreground: '#dddddd' } });
    const checked = await waymark(`design check ${email}`);
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toStartWith('Not readable');
    const forMachines = await waymark(`design check ${email} --json`);
    expect(forMachines.exitCode).toBe(1);
    expect(JSON.parse(forMachines.stdout)).toMatchObject({ readable: false, reasons });
    expect(checked.stdout).not.toContain('Minimum print width');
    await json(`design preview ${email} --out unreadable.png`);
    expect(Bun.file(join(folder, 'unreadable.png')).size).toBeGreaterThan(100);

    const changes: Record<string, string | null> = refused.advice.changes;
    expect(changes).toEqual({ foreground: expect.any(String), finder_color: null });
    const flags = Object.entries(changes).map(([name, value]) => {
      const flag = name.replaceAll('_', '-');
      return value === null ? `--no-${flag}` : `--${flag} ${value}`;
    });
    const advised = await json(`design set ${email} ${flags.join(' ')}`);
    expect(advised).toMatchObject({ readable: true, design: changes });
    expect(await waymark(`design check ${email}`)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Minimum print width'),
    });
  });

  test('rejects wrong values, with exit code 1 for files and 2 for all others', async () => {
    for (const [flags, exitCode, reason] of [
      ['--foreground blue', 2, 'written #RRGGBB'],
      ['--logo-size 41', 2, 'from 5 to 40'],
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

test('design check reports on the link that design preview draws', async () => {
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

test('design save keeps the default design under a name, which other commands take', async () => {
  const saved = await waymark(`design save ${email} Spring --json`);
  expect([saved.exitCode, JSON.parse(saved.stdout)]).toMatchObject([0, { email, name: 'Spring' }]);
  const created = await waymark(
    `code create https://example.org/ --account ${email} --design Spring`,
  );
  expect(created).toMatchObject({ exitCode: 0 });
  expect((await waymark('design save nobody@example.org Spring')).exitCode).toBe(1);
});
