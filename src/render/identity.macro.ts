import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The modules that draw images. What they import belongs to them. */
const drawing = ['path/svg.ts', 'path/png.ts', 'sheet/fonts/outline.ts'];

/** Packages that are read as files, see sheet/fonts/label-fonts.macro.ts. */
const fontPackages = ['@fontsource/ibm-plex-sans-condensed', 'dejavu-fonts-ttf'] as const;

/**
 * Hashes everything that images depend on, while the program is bundled (a Bun macro).
 * The code that draws, without comments and types, and the versions of its packages and of Bun, whose mathematical
 * functions may round differently.
 */
export function digestRenderer(): string {
  const root = join(import.meta.dir, '../..');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const parts = new Map([['bun', Bun.version]]);
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const add = (file: string) => {
    const name = relative(root, file);
    if (parts.has(name)) return;
    // A macro in it is read, and not run.
    const source = readFileSync(file, 'utf8').replaceAll(" with { type: 'macro' }", '');
    const code = transpiler.transformSync(source);
    parts.set(name, code);
    for (const { path } of transpiler.scanImports(code)) {
      if (path.startsWith('.')) add(join(file, '..', path));
      const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (name in dependencies) parts.set(name, dependencies[name]);
    }
  };
  for (const name of fontPackages) parts.set(name, dependencies[name]);
  for (const file of drawing) add(join(import.meta.dir, file));
  const sorted = [...parts].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}
