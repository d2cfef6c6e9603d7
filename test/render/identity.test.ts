import { afterAll, expect, test } from 'bun:test';
import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');
const copy = mkdtempSync(join(tmpdir(), 'waymark-identity-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a change of the drawing code, or of the core that it uses, changes the identity of the renderer', async () => {
  for (const path of ['src/render', 'src/core', 'package.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  const { digestRenderer }: typeof import('../../src/render/identity.macro.ts') = await import(
    join(copy, 'src/render/identity.macro.ts')
  );
  const identities = new Set([digestRenderer()]);
  for (const path of [
    'src/render/path/svg.ts',
    'src/render/png/encode.ts',
    'src/core/designs/design.ts',
  ]) {
    expect(existsSync(join(copy, path))).toBe(true);
    appendFileSync(join(copy, path), '\n');
    identities.add(digestRenderer());
  }
  expect(identities.size).toBe(4);
  appendFileSync(join(copy, 'src/core/accounts/session.ts'), '\n');
  expect(identities).toContain(digestRenderer());
});
