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

/** What the redirect server may load before it answers short links, by folder or file. */
const redirectServer = [
  ...['config.ts', 'cli/errors/command-error.ts', 'cli/output.ts', 'cli/serve/'],
  ...['compose/app/app-off.ts', 'compose/health.ts', 'compose/runtime.ts'],
  ...['compose/server.ts', 'compose/storage.ts'],
  ...['core/accounts/account.ts', 'core/codes/', 'core/errors.ts', 'core/health.ts'],
  ...['core/labels.ts', 'core/reasons.ts', 'core/scans/'],
  ...['http/forwarding/', 'http/ops/', 'http/pages/', 'http/pass-on.ts'],
  ...['http/protocol.ts', 'http/redirect.ts', 'http/request-ids.ts', 'http/responses.ts'],
  ...['http/sentences/', 'http/site.ts'],
  ...['lib/', 'sentences/'],
  ...['sql/codes/paused-page.ts', 'sql/codes/redirect-steps.ts'],
  ...['sql/database/startup-queries.ts', 'sqlite/'],
];

// Each module takes time, short links are down during a start, and what is loaded is what can fail.
test('the redirect server loads no package, few modules of the runtime, and little else', async () => {
  const loaded = [...(await loadedWith('cli/serve/server.ts'))].filter(
    (name) => name !== '../package.json',
  );
  for (const needed of ['http/redirect.ts', 'http/forwarding/forward.ts', 'sqlite/hits/hit-log.ts'])
    expect(loaded).toContain(needed);
  const isOwn = (name: string) => /\.tsx?$/.test(name);
  expect(loaded.filter((name) => !isOwn(name)).sort()).toEqual([
    'bun:sqlite',
    'node:fs',
    'node:os',
    'node:path',
  ]);
  const isAllowed = (name: string) => redirectServer.some((allowed) => name.startsWith(allowed));
  expect(loaded.filter((name) => isOwn(name) && !isAllowed(name))).toEqual([]);
});

test('what every command, worker and process needs is small', async () => {
  expect([...(await loadedWith('main.ts'))].sort()).toEqual([
    'lib/build/program-command.ts',
    'lib/errors.ts',
    'main.ts',
    'node:fs',
  ]);
});
