import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A part of the executable and its licence. */
export interface Part {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Address of its source code. */
  readonly source: string;
  /** Licence and notices, verbatim. */
  readonly texts: readonly string[];
}

const root = join(import.meta.dir, '../../../..');

/**
 * Texts of licences that packages lack.
 * They are licences of the packages, or of libraries that these contain in compiled form.
 */
const missingTexts: Readonly<Record<string, readonly string[]>> = {
  '@resvg/resvg-wasm': [
    'src/cli/help/licenses/mpl-2.0.txt',
    'src/cli/help/licenses/resvg-crates.txt',
  ],
  // The text of Apache-2.0 is the same in every package.
  'drizzle-orm': ['node_modules/jsqr/LICENSE'],
  'qrcode-generator': ['src/cli/help/licenses/qrcode-generator.txt'],
  saxes: ['src/cli/help/licenses/saxes.txt'],
  // Of the libraries in the one file that we use.
  'swagger-ui-dist': ['node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'],
};

/** SPDX identifiers of packages whose manifest names a file instead. */
const namedLicenses: Readonly<Record<string, string>> = { 'dejavu-fonts-ttf': 'Bitstream-Vera' };

/** The packages in the bundle; a test compares them with those that the bundler lists. */
const packages = [
  '@borewit/text-codec',
  '@elysiajs/swagger',
  '@fontsource-variable/inter',
  '@fontsource/ibm-plex-sans-condensed',
  '@resvg/resvg-wasm',
  '@scalar/themes',
  '@sinclair/typebox',
  '@tokenizer/inflate',
  '@zxcvbn-ts/language-common',
  'bidi-js',
  'commander',
  'cookie',
  'crawler-user-agents',
  'debug',
  'dejavu-fonts-ttf',
  'drizzle-orm',
  'elysia',
  'exact-mirror',
  'fast-decode-uri-component',
  'file-type',
  'harfbuzzjs',
  'ieee754',
  'isbot',
  'jsqr',
  'memoirist',
  'ms',
  'numfmt',
  'oauth4webapi',
  'openid-client',
  'otpauth',
  'pend',
  'preact',
  'preact-render-to-string',
  'qrcode-generator',
  'saxes',
  'strtok3',
  'swagger-ui-dist',
  'tlds',
  'token-types',
  'uint8array-extras',
  'xmlchars',
  'yauzl',
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly repository?: string | { readonly url: string };
}

/** Licences of the executable. */
export interface Licenses {
  /** The licence of Waymark, verbatim. */
  readonly own: string;
  /** Bun, and the packages in the bundle. */
  readonly parts: readonly Part[];
}

/**
 * Reads the licences at build time (a Bun macro), so that the executable contains them.
 * Returns JSON, as gzip in base64.
 *
 * @throws Error when a package has no licence text
 */
export function readCompressedLicenses(): string {
  const json = JSON.stringify(readLicenses());
  return Buffer.from(Bun.gzipSync(json, { level: 9, library: 'libdeflate' })).toString('base64');
}

function readLicenses(): Licenses {
  const texts = [textOf('src/cli/help/licenses/bun.txt')];
  const source = 'https://github.com/oven-sh/bun';
  const bun = { name: 'bun', version: Bun.version, license: 'MIT', source, texts };
  return { own: textOf('LICENSE'), parts: [bun, ...packages.map(partOf)] };
}

function partOf(name: string): Part {
  const folder = join(root, 'node_modules', name);
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version, license } = manifest;
  const own = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = [
    ...own.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim()),
    ...(missingTexts[name] ?? []).map(textOf),
  ];
  if (texts.length === 0)
    throw new Error(`The package ${name} has no licence text: add one to missingTexts.`);
  const spdx = namedLicenses[name] ?? license;
  return { name, version, license: spdx, source: sourceOf(manifest), texts };
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8').trim();
}

/** Normalizes the repository fields of npm. All packages are at GitHub. */
function sourceOf({ repository }: Manifest): string {
  const written = typeof repository === 'string' ? repository : (repository?.url ?? '');
  return `https://github.com/${written.replace(/^.*github(?:\.com)?[/:]|\.git$/g, '')}`;
}
