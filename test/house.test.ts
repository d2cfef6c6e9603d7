import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

/** What the files of a layer may import, besides their own layer. */
interface Rules {
  /** Files and folders of src/. */
  readonly layers: readonly string[];
  readonly packages: readonly string[];
  /** Whether modules of the runtime (`node:…`) are allowed. */
  readonly runtime: boolean;
}

const adapter = (...packages: string[]): Rules => ({
  layers: ['core', 'lib'],
  packages,
  runtime: true,
});
/** An adapter that people read. */
const surface = (...packages: string[]): Rules => ({
  layers: ['languages', 'sentences', 'redirect', 'core', 'lib'],
  packages,
  runtime: true,
});
const storage = (...packages: string[]): Rules => ({
  layers: ['sql', 'redirect', 'core', 'lib'],
  packages: ['drizzle-orm', ...packages],
  runtime: true,
});
const adapters = [
  ...['http', 'panel', 'render', 'workers', 'sqlite', 'postgres'],
  ...['limits', 'oidc', 'reputation'],
];
const below = ['lib', 'core', 'redirect', 'languages', 'sentences', ...adapters];

/**
 * Imports run main → cli → compose → adapters → sql → core → lib. Adapters never import each other, but for workers,
 * which run render; only the two of storage import sql. The redirect server imports core alone, and start.test.ts names the files.
 */
const rulesByLayer: Readonly<Record<string, Rules>> = {
  main: { layers: ['cli', 'compose', 'config', ...below], packages: [], runtime: true },
  // Commands may use adapters without a server. Libraries stay with their adapter.
  cli: {
    layers: ['compose', 'config', ...below],
    packages: ['commander', 'qrcode-generator'],
    runtime: true,
  },
  compose: { layers: ['config', ...below], packages: [], runtime: true },
  config: { layers: ['core', 'lib'], packages: [], runtime: false },
  // The first process, whole. Adapters of the app may use what it has: responses, files of the database.
  redirect: {
    layers: ['config', 'core', 'lib'],
    packages: ['bun', 'bun:ffi', 'bun:sqlite'],
    runtime: true,
  },
  sql: { layers: ['core', 'lib'], packages: ['drizzle-orm'], runtime: false },
  // What surfaces say alike. Core has reasons only.
  sentences: { layers: ['languages', 'core', 'lib'], packages: [], runtime: false },
  // The sentences of the panel in each language.
  languages: { layers: ['lib'], packages: [], runtime: false },
  core: { layers: ['lib'], packages: [], runtime: false },
  lib: {
    layers: [],
    packages: [
      '@zxcvbn-ts/language-common',
      'crawler-user-agents',
      'isbot',
      'numfmt',
      'otpauth',
      'saxes',
      'tlds',
      'yauzl',
    ],
    runtime: true,
  },
  http: surface('elysia', '@elysiajs/swagger', 'swagger-ui-dist', '@sinclair/typebox'),
  panel: surface(
    'elysia',
    'preact',
    'preact-render-to-string',
    '@fontsource-variable/inter',
    '@fontsource/ibm-plex-sans-condensed',
  ),
  render: adapter('qrcode-generator', '@resvg/resvg-wasm', 'bidi-js', 'harfbuzzjs', 'jsqr'),
  // What draws and reads in threads and processes of their own.
  workers: { layers: ['render', 'core', 'lib'], packages: [], runtime: true },
  sqlite: storage('bun:sqlite'),
  postgres: storage('bun'),
  limits: adapter(),
  oidc: adapter('openid-client'),
  reputation: adapter(),
};

/** Returns the layer of a path in src/: its folder, or the name of a file beside main.ts. */
function layerOf(path: string): string {
  return path.split('/')[0]?.replace(/\.\w+$/, '') ?? '';
}

function packageOf(specifier: string): string {
  const [scope = '', name] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** Returns the source without comments, which may contain examples of code. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
}

function importsOf(code: string): string[] {
  const quoted = /\b(?:from\s*|import\s*\(?\s*)(['"])([^'"\n]+)\1/g;
  return [...code.matchAll(quoted)].map(([, , specifier = '']) => specifier);
}

function mayImport(path: string, specifier: string): boolean {
  const rules = rulesByLayer[layerOf(path)];
  if (rules === undefined) return false;
  if (specifier.startsWith('node:')) return rules.runtime;
  if (!specifier.startsWith('.')) return rules.packages.includes(packageOf(specifier));
  const target = normalize(join(dirname(path), specifier));
  // A file that a package contains but does not export.
  const [, ofPackage] = /^\.\.\/node_modules\/(.*)$/.exec(target) ?? [];
  if (ofPackage !== undefined) return rules.packages.includes(packageOf(ofPackage));
  if (target === '../package.json') return true;
  return layerOf(target) === layerOf(path) || rules.layers.includes(layerOf(target));
}

/**
 * Returns what a source file does against the rules.
 *
 * @param path in src/, such as `http/api/routes.ts`
 */
function violations(path: string, source: string): string[] {
  const code = withoutComments(source);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isDeclaration = name.endsWith('.d.ts');
  const problems = [
    rulesByLayer[layerOf(path)] === undefined && 'is in no layer',
    ...importsOf(code).map((specifier) => !mayImport(path, specifier) && `imports ${specifier}`),
    /^(index|utils?|helpers?|misc|common)\b/.test(name) && 'has a name without meaning',
    /\bnew Worker\s*\(/.test(code) && path !== 'main.ts' && 'starts a worker',
    !isDeclaration && /\bexport default\b|\bas default\s*[,}]/.test(code) && 'has a default export',
    !isDeclaration &&
      /\bexport\s+(type\s+)?(\*|\{[^}]*\})[^;'"]*\bfrom\b/.test(code) &&
      're-exports',
  ];
  return problems.filter((problem) => problem !== false).map((problem) => `src/${path} ${problem}`);
}

/**
 * Returns the declarations of a style sheet that name a side, or give the two sides different values.
 * Rules of pages from right to left may.
 */
function sidesIn(css: string): string[] {
  const rules = css
    .replaceAll(/\/\*[\s\S]*?\*\/|url\("[^"]*"\)/g, '')
    .matchAll(/([^{}]*)\{([^{}]*)\}/g);
  return [...rules]
    .filter(([, selector = '']) => !selector.trim().startsWith('[dir="rtl"]'))
    .flatMap(([, , declarations = '']) => declarations.split(';').map((one) => one.trim()))
    .filter((declaration) => {
      const [property = '', value = ''] = declaration.split(/:\s*/);
      if (property.startsWith('--')) return false;
      if (/(?:^|-)(?:left|right)(?:-|$)/.test(property) || /\b(?:left|right)\b/.test(value))
        return true;
      if (/translateX|rotate\((?!1turn)/.test(value) && !value.includes('var(--way)')) return true;
      // Spaces within functions part nothing.
      const parts = value
        .replaceAll(/\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (one) => one.replaceAll(' ', ''))
        .split(/\s+/);
      const [first, second, third, fourth] = parts;
      if (property === 'border-radius')
        return second !== undefined && (first !== second || third !== (fourth ?? second));
      const hasSides =
        /^(?:padding|margin|inset|scroll-(?:padding|margin)|border-(?:width|color|style))$/;
      return hasSides.test(property) && fourth !== undefined && second !== fourth;
    });
}

/** Returns the targets of relative imports of each file. Type imports count. */
function importsWithin(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  return new Map(
    [...sources].map(([path, source]) => [
      path,
      importsOf(withoutComments(source))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => normalize(join(dirname(path), specifier))),
    ]),
  );
}

/** Returns the imports between the folders of each layer, such as `http/api`. */
function importsOfFolders(imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    const folder = folderOf(path);
    const others = targets
      .map(folderOf)
      .filter((other) => other !== folder && layerOf(other) === layerOf(folder));
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  // Files beside the folders may use them and be used by them.
  for (const folder of folders.keys()) if (!folder.includes('/')) folders.delete(folder);
  return folders;
}

/** Returns the folder of a layer that a path in src/ is in; the layer itself for a file beside the folders. */
function folderOf(path: string): string {
  const [layer = '', folder = '', ...rest] = path.split('/');
  return rest.length === 0 ? layer : `${layer}/${folder}`;
}

/** Returns the files or folders of import circles. */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports);
  for (;;) {
    const imported = new Set([...left.values()].flat());
    const outside = [...left].filter(
      ([path, targets]) => !imported.has(path) || !targets.some((target) => left.has(target)),
    );
    if (outside.length === 0) return [...left.keys()];
    for (const [path] of outside) left.delete(path);
  }
}

describe('the rules', () => {
  test.each([
    ['core/code.ts', "import { isIP } from 'node:net';", 'imports node:net'],
    ['http/api.ts', "await import('../panel/routes.ts')", 'imports ../panel/routes.ts'],
    ['workers/pool.ts', 'const worker = new Worker(url);', 'starts a worker'],
    ['core/qr.ts', "export { a } from './code.ts';", 're-exports'],
    ['core/qr.ts', 'export default function qr() {}', 'has a default export'],
  ])('reject %s with %p: %s', (path, source, problem) => {
    expect(violations(path, source)).toEqual([`src/${path} ${problem}`]);
  });

  test.each([
    ['left: 0', true],
    ['inset-inline-start: 0', false],
    ['border-right-color: red', true],
    ['text-align: right', true],
    ['position-area: top span-left', true],
    ['padding: 1px calc(2px * (1 + 2)) 3px 4px', true],
    ['padding: 1px calc(2px * (1 + 2)) 3px calc(2px * (1 + 2))', false],
    ['padding: 1px 2px 3px', false],
    ['border-radius: 1px 0 0 1px', true],
    ['border-radius: 1px 1px 0 0', false],
    ['transform: translateX(-50%)', true],
    ['transform: translateX(calc(var(--way) * -50%))', false],
  ])('find the sides of %p: %p', (declaration, isFound) => {
    expect(sidesIn(`.a { color: red; ${declaration} }`)).toEqual(isFound ? [declaration] : []);
    expect(sidesIn(`[dir="rtl"] .a { ${declaration}; }`)).toEqual([]);
  });

  test('find circles of folders, and nothing beside them', () => {
    const imports = {
      'http/api/a.ts': ['http/docs/b.ts'],
      'http/docs/c.ts': ['http/api/d.ts', 'core/e.ts'],
      'http/site.ts': ['http/api/a.ts'],
    };
    const folders = importsOfFolders(new Map(Object.entries(imports)));
    expect(findCircles(folders)).toEqual(['http/api', 'http/docs']);
  });
});

describe('src', () => {
  const root = join(import.meta.dir, '../src');
  const paths = [...new Glob('**/*').scanSync(root)].sort();
  const sources = new Map(
    paths
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

  const imports = importsWithin(sources);

  test('has no file against the rules', () => {
    expect([...sources.keys()]).toContain('main.ts');
    expect([...sources].flatMap(([path, source]) => violations(path, source))).toEqual([]);
  });

  test('says nothing to people in core: it has reasons, and the surfaces have the sentences', () => {
    // Default messages of the contract, and what operators read in the log, at /healthz and from commands.
    const isOfOperators = (path: string) =>
      /^core\/(?:backups\/|errors\.ts$|health\.ts$|storage\.ts$)/.test(path);
    // A text of several words with a full stop.
    const sentence = /(['"`])[A-Z][^'"`\n]* [^'"`\n]*\.\1/g;
    const found = [...sources]
      .filter(([path]) => path.startsWith('core/') && !isOfOperators(path))
      .flatMap(([path, source]) =>
        Array.from(withoutComments(source).matchAll(sentence), ([text]) => `${path}: ${text}`),
      );
    expect(found).toEqual([
      "core/batches/batch.ts: 'A code with this name and destination exists already.'",
      "core/batches/batch.ts: 'You left it out.'",
    ]);
  });

  test('names no option of a command in what the panel says', () => {
    const found = [...sources]
      .filter(([path]) => /^(?:panel|sentences)\//.test(path) && !path.startsWith('panel/style/'))
      .flatMap(([path, source]) =>
        Array.from(
          withoutComments(source).matchAll(/(?<![\w(-])--[a-z][\w-]*/g),
          ([option]) => `${path}: ${option}`,
        ),
      );
    expect(found).toEqual([]);
  });

  test('has style sheets that name no side: pages in Arabic go from right to left', () => {
    const found = paths
      .filter((path) => path.endsWith('.css'))
      .flatMap((path) =>
        sidesIn(readFileSync(join(root, path), 'utf8')).map((one) => `${path}: ${one}`),
      );
    // A tick has one shape in every language.
    expect(found).toEqual([
      'panel/style/panel.css: border-width: 0 0 2px 2px',
      'panel/style/panel.css: transform: translateY(-1.5px) rotate(-45deg)',
    ]);
  });

  test('has no import circle', () => {
    expect(findCircles(imports)).toEqual([]);
  });

  test('has no circle of folders in a layer', () => {
    expect(findCircles(importsOfFolders(imports))).toEqual([]);
  });
});
