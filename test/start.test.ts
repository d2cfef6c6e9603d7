import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';

const src = join(import.meta.dir, '../src');

/** Returns the static imports of a file, without types and dynamic imports. */
async function staticImports(path: string): Promise<string[]> {
  if (!/\.tsx?$/.test(path)) return [];
  const code = await Bun.file(path).text();
  return new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' })
    .scanImports(code)
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path: specifier }) => specifier);
}

/** Returns all files of src/ and packages that are loaded with a file. */
async function loadedWith(entry: string): Promise<Set<string>> {
  const loaded = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    const name = relative(src, path);
    if (loaded.has(name)) return;
    loaded.add(name);
    // A macro runs at build time.
    if (path.endsWith('.macro.ts')) return;
    for (const specifier of await staticImports(path)) {
      if (specifier.startsWith('.')) await visit(join(dirname(path), specifier));
      else loaded.add(specifier);
    }
  };
  await visit(join(src, entry));
  return loaded;
}

// Each package and each module of the runtime takes milliseconds, and short links are down during a start.
test('short links need no package and few modules of the runtime', async () => {
  const loaded = [...(await loadedWith('cli/serve/server.ts'))];
  expect(loaded).toContain('http/redirect.ts');
  expect(loaded).toContain('sqlite/hits/hit-log.ts');
  const external = loaded.filter((name) => !/\.(tsx?|json)$/.test(name)).sort();
  expect(external).toEqual(['bun:sqlite', 'node:fs', 'node:os', 'node:path']);
});

test('what every command, worker and process needs is small', async () => {
  const loaded = [...(await loadedWith('main.ts'))].sort();
  expect(loaded).toEqual([
    'cli/serve/app-messages.ts',
    'cli/serve/many-requests.ts',
    'lib/build/program-command.ts',
    'lib/errors.ts',
    'main.ts',
    'render/worker/file-command.ts',
  ]);
});
