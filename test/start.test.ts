import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';

const src = join(import.meta.dir, '../src');

/** What a file takes in before its own first line runs: no types, nothing that is loaded on demand. */
async function staticImports(path: string): Promise<string[]> {
  if (!/\.tsx?$/.test(path)) return [];
  const code = await Bun.file(path).text();
  return new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' })
    .scanImports(code)
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path: specifier }) => specifier);
}

/** Everything that is loaded with a file: our own files from src/, and packages by their names. */
async function loadedWith(entry: string): Promise<Set<string>> {
  const loaded = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    const name = relative(src, path);
    if (loaded.has(name)) return;
    loaded.add(name);
    // A macro runs while the program is bundled, and leaves nothing but its result.
    if (path.endsWith('.macro.ts')) return;
    for (const specifier of await staticImports(path)) {
      if (specifier.startsWith('.')) await visit(join(dirname(path), specifier));
      else loaded.add(specifier);
    }
  };
  await visit(join(src, entry));
  return loaded;
}

// Each package and each of these modules of the runtime takes milliseconds to load. While a server
// starts, printed codes lead nowhere.
test('a server starts to answer short links without a package, and with little of the runtime', async () => {
  const loaded = [...(await loadedWith('main.ts'))];
  expect(loaded).toContain('http/redirect.ts');
  expect(loaded).toContain('sqlite/scans/log.ts');
  const foreign = loaded.filter((name) => !/\.(tsx?|json)$/.test(name)).sort();
  expect(foreign).toEqual(['bun:sqlite', 'node:fs', 'node:path']);
});
