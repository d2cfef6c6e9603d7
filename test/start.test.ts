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

/** Returns all imports of a file: static, dynamic and of types. */
async function allImports(path: string): Promise<string[]> {
  const code = (await Bun.file(path).text()).replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const quoted = /\b(?:from\s*|import\s*\(?\s*)(['"])([^'"\n]+)\1/g;
  return [...code.matchAll(quoted)].map(([, , specifier = '']) => specifier);
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

/**
 * What src/redirect/ imports from outside, types included: a change of these files is one of the redirect server.
 * The files of core are used by both processes, and say what a code, a path, a hit and a condition are.
 */
const outside = [
  // The one table of settings, which both processes read.
  'config.ts',
  'core/codes/code.ts',
  'core/codes/path.ts',
  'core/codes/qr.ts',
  'core/codes/urls/host.ts',
  'core/codes/urls/pass-query.ts',
  'core/codes/urls/resolve.ts',
  'core/errors.ts',
  'core/health.ts',
  'core/lost-changes.ts',
  'core/scans/hit-counts.ts',
  'core/scans/hit-entries.ts',
  'core/scans/hit.ts',
  'lib/accept-language.ts',
  'lib/build/agent-names.macro.ts',
  'lib/build/migrations.macro.ts',
  'lib/build/program-command.ts',
  'lib/build/version.ts',
  'lib/cache.ts',
  'lib/deadline.ts',
  'lib/errors.ts',
  'lib/event-loop.ts',
  'lib/files/durable.ts',
  'lib/logger.ts',
  'lib/numbers.ts',
  'lib/shared-clock.ts',
  'lib/text/addresses.ts',
  'lib/text/agent-shapes.ts',
  'lib/text/readable-url.ts',
  'lib/trim.ts',
];
/** What these files load themselves. */
const beyond = ['core/accounts/email.ts'];

test('the redirect server imports its own room, and a short list of files', async () => {
  const imported = new Set<string>();
  for (const path of new Bun.Glob('**/*.ts').scanSync(join(src, 'redirect')))
    for (const specifier of await allImports(join(src, 'redirect', path))) {
      const name = relative(src, join(src, 'redirect', dirname(path), specifier));
      if (specifier.startsWith('.') && !name.startsWith('redirect/')) imported.add(name);
    }
  expect([...imported].sort()).toEqual([...outside].sort());
});

// Each module takes time, short links are down during a start, and what is loaded is what can fail.
test('the redirect server loads no package, few modules of the runtime, and nothing else', async () => {
  const loaded = [...(await loadedWith('redirect/server.ts'))].filter(
    (name) => name !== '../package.json',
  );
  const isOwn = (name: string) => /\.tsx?$/.test(name);
  expect(loaded.filter((name) => !isOwn(name)).sort()).toEqual([
    'bun:sqlite',
    'node:fs',
    'node:os',
    'node:path',
  ]);
  const isAllowed = (name: string) =>
    name.startsWith('redirect/') || outside.includes(name) || beyond.includes(name);
  expect(loaded.filter((name) => isOwn(name) && !isAllowed(name))).toEqual([]);
  // Loaded when they are needed: pages and metrics, the service manager, PostgreSQL.
  const onDemand =
    /^redirect\/(?:pages\/(?!link-pages)|metrics\/metrics|listening\/systemd|postgres\/)/;
  expect(loaded.filter((name) => onDemand.test(name))).toEqual([]);
});

test('what every command, worker and process needs is small', async () => {
  expect([...(await loadedWith('main.ts'))].sort()).toEqual([
    'lib/build/program-command.ts',
    'lib/errors.ts',
    'main.ts',
    'node:fs',
  ]);
});
