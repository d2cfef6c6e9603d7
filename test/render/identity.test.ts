import { afterAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');
const copy = mkdtempSync(join(tmpdir(), 'waymark-identity-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

for (const path of ['src/render', 'src/core', 'src/lib', 'package.json'])
  cpSync(join(root, path), join(copy, path), { recursive: true });
const { digestRenderer }: typeof import('../../src/render/identity.macro.ts') = await import(
  join(copy, 'src/render/identity.macro.ts')
);

/** Returns whether the identity is another one while a file has another content. */
function isChangedBy(path: string, change: (content: string) => string): boolean {
  const [file, before] = [join(copy, path), digestRenderer()];
  const content = readFileSync(file, 'utf8');
  writeFileSync(file, change(content));
  const after = digestRenderer();
  writeFileSync(file, content);
  expect(digestRenderer()).toBe(before);
  return after !== before;
}

test.each([
  'src/core/designs/design.ts',
  'src/render/path/raster.ts',
  'src/render/path/shapes.ts',
  'src/render/path/caption.ts',
  'src/render/sheet/fonts/label-fonts.macro.ts',
  'src/render/png/deflate/huffman.ts',
])('the code of %s is part of the identity of the renderer, comments are not', (path) => {
  expect(isChangedBy(path, (content) => `${content}console.log();\n`)).toBe(true);
  expect(isChangedBy(path, (content) => `// A comment.\n${content}`)).toBe(false);
});

test.each([
  'src/render/sheet/pdf.ts',
  'src/render/print-image.ts',
  'src/render/readability/limits.ts',
  'src/core/accounts/session.ts',
])('no image depends on %s', (path) => {
  expect(isChangedBy(path, (content) => `${content}// A comment.\nconsole.log();\n`)).toBe(false);
});

test('of the packages, those that encode and have letters are part of the identity', () => {
  const withVersion = (name: string) => (manifest: string) =>
    manifest.replace(new RegExp(`"${name}": ".*?"`), `"${name}": "99.0.0"`);
  for (const name of ['qrcode-generator', 'harfbuzzjs', '@fontsource/ibm-plex-sans-condensed'])
    expect(isChangedBy('package.json', withVersion(name))).toBe(true);
  expect(isChangedBy('package.json', withVersion('elysia'))).toBe(false);
});
