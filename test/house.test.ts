import { describe, expect, test } from 'bun:test';
import { join, normalize } from 'node:path';
import { Glob } from 'bun';

/** What the files of one place may import beside their own folder. */
interface Rules {
  /** Files and folders of src/. */
  readonly ours: readonly string[];
  /** Packages, by the name under which they are installed. */
  readonly packages: readonly string[];
  /** Whether the modules of the runtime (`node:…`) are open to it. */
  readonly runtime: boolean;
}

const adapter = (...packages: string[]): Rules => ({
  ours: ['core', 'lib'],
  packages,
  runtime: true,
});

const adapters = ['http', 'panel', 'render', 'sqlite', 'memory', 'reputation', 'export'];
const layers = ['lib', 'core', ...adapters];

/** Imports run main → cli → compose → adapters → core → lib; adapters never import each other. */
const house: Readonly<Record<string, Rules>> = {
  main: { ours: ['cli', 'compose', 'config', ...layers], packages: [], runtime: true },
  // A command may work on an adapter's files without a server around them; libraries stay theirs.
  cli: {
    ours: ['compose', 'config', ...layers],
    packages: ['commander', 'qrcode-generator'],
    runtime: true,
  },
  compose: {
    ours: ['config', ...layers],
    packages: [],
    runtime: true,
  },
  config: { ours: [], packages: [], runtime: false },
  core: { ours: ['lib'], packages: [], runtime: false },
  lib: { ours: [], packages: [], runtime: true },
  http: adapter(
    'elysia',
    '@elysiajs/swagger',
    'swagger-ui-dist',
    '@sinclair/typebox',
    '@prometheus-io/client',
  ),
  panel: adapter('elysia', 'preact', 'preact-render-to-string'),
  render: adapter('qrcode-generator', '@resvg/resvg-wasm', 'jsqr', 'saxes'),
  sqlite: adapter('drizzle-orm', 'bun:sqlite'),
  memory: adapter(),
  reputation: adapter(),
  export: adapter(),
};

// The program's own version, which is no code.
const openToAll = ['../package.json'];
const packages = '../node_modules/';

/** The place a path under src/ belongs to: its folder, or the name of a file beside main.ts. */
function placeOf(path: string): string {
  if (path.includes('/')) return path.slice(0, path.indexOf('/'));
  return path.replace(/\.\w+$/, '');
}

function packageOf(specifier: string): string {
  const [scope = '', name] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** The code without the lines that are comments, which may speak of what code must not do. */
function withoutComments(source: string): string {
  return source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .join('\n');
}

function importsOf(code: string): string[] {
  const quoted = /\b(?:from\s*|import\s*\(?\s*)(['"])([^'"\n]+)\1/g;
  return [...code.matchAll(quoted)].map(([, , specifier = '']) => specifier);
}

function mayImport(path: string, specifier: string): boolean {
  const place = placeOf(path);
  const rules = house[place];
  if (rules === undefined) return false;
  if (specifier.startsWith('.')) {
    const target = normalize(join(path, '..', specifier));
    // A file that a package holds without exporting it is still that package's.
    if (target.startsWith(packages)) return mayImport(path, target.slice(packages.length));
    if (openToAll.includes(target)) return true;
    return placeOf(target) === place || rules.ours.includes(placeOf(target));
  }
  if (specifier.startsWith('node:')) return rules.runtime;
  return rules.packages.includes(packageOf(specifier));
}

/**
 * What a source file does that the house does not allow.
 *
 * @param path from src/, such as `http/api.ts`
 */
function violations(path: string, source: string): string[] {
  const found: string[] = [];
  const say = (problem: string) => found.push(`src/${path} ${problem}`);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const code = withoutComments(source);

  if (house[placeOf(path)] === undefined) say('stands in a place that the house does not have');
  for (const specifier of importsOf(code))
    if (!mayImport(path, specifier)) say(`imports ${specifier}`);
  if (/^index\.tsx?$/.test(name)) say('is a barrel by its name');
  if (/^(utils?|helpers?|misc|common)\b/.test(name)) say('is named after nothing');
  if (/\bnew Worker\s*\(/.test(code) && path !== 'main.ts') say('spawns a worker');
  // Declarations describe what others export.
  if (name.endsWith('.d.ts')) return found;
  if (/\bexport default\b|\bas default\b/.test(code)) say('has a default export');
  if (/\bexport\s+(type\s+)?(\*|\{[^}]*\})[^;'"]*\bfrom\b/.test(code)) say('re-exports');
  return found;
}

describe('the house rules', () => {
  test.each([
    ['core/code.ts', "import { z } from 'zod';", 'imports zod'],
    ['core/code.ts', "import { isIP } from 'node:net';", 'imports node:net'],
    ['core/code.ts', "import { open } from '../sqlite/open.ts';", 'imports ../sqlite/open.ts'],
    ['core/code.ts', "import type { Config } from '../config.ts';", 'imports ../config.ts'],
    ['http/api.ts', "import { Database } from 'bun:sqlite';", 'imports bun:sqlite'],
    ['http/api.ts', "await import('../panel/routes.ts')", 'imports ../panel/routes.ts'],
    ['panel/views/page.tsx', "import { a } from '../../http/pages.ts';", '../../http/pages.ts'],
    ['reputation/list.ts', "import { Elysia } from 'elysia';", 'imports elysia'],
    ['cli/key.ts', "import { eq } from 'drizzle-orm';", 'imports drizzle-orm'],
    ['memory/sliding-window.ts', "import '../sqlite/open.ts';", 'imports ../sqlite/open.ts'],
    ['compose/app.ts', "import { run } from '../cli/command.ts';", 'imports ../cli/command.ts'],
    ['config.ts', "import 'node:fs';", 'imports node:fs'],
    ['render/pool.ts', 'const worker = new Worker(url);', 'spawns a worker'],
    ['core/index.ts', '', 'is a barrel'],
    ['core/qr.ts', "export { a } from './code.ts';", 're-exports'],
    ['core/qr.ts', "export * from './code.ts';", 're-exports'],
    ['core/qr.ts', 'export default function qr() {}', 'has a default export'],
    ['lib/cache.ts', "import { qr } from '../core/codes/qr.ts';", '../core/codes/qr.ts'],
    ['http/utils.ts', '', 'is named after nothing'],
    ['postgres/open.ts', '', 'stands in a place'],
  ])('%s with %p is caught: %s', (path, source, problem) => {
    expect(violations(path, source).join('\n')).toContain(problem);
  });

  test.each([
    ['core/qr.ts', "import { a } from './code.ts';\nexport interface Qr { from: string }"],
    ['http/api.ts', "import { Elysia } from 'elysia';\nimport { qr } from '../core/qr.ts';"],
    ['render/gate/trial.ts', "import { a } from '../png.ts';\nimport jsqr from 'jsqr';"],
    ['sqlite/open.ts', "import { drizzle } from 'drizzle-orm/bun-sqlite';"],
    ['render/pool.ts', '// only main.ts calls new Worker()\nexport const a = 1;'],
    ['cli/program.ts', "import { version } from '../../package.json';"],
    ['main.ts', 'new Worker(url)'],
  ])('%s with %p is right', (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });

  test('every file of src/ keeps them', async () => {
    const root = join(import.meta.dir, '../src');
    const paths = await Array.fromAsync(new Glob('**/*.{ts,tsx}').scan(root));
    expect(paths).toContain('main.ts');
    const found = await Promise.all(
      paths.sort().map(async (path) => violations(path, await Bun.file(join(root, path)).text())),
    );
    expect(found.flat()).toEqual([]);
  });
});
