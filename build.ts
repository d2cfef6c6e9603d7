import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Builds the executable: program, render workers, rasterizer, migrations, panel and Swagger UI in one
 * file that fetches nothing at run time.
 *
 *   bun build.ts                       for this machine, to dist/waymark
 *   bun build.ts --target linux-arm64  for another, to dist/waymark-linux-arm64
 *   bun build.ts --target all          for each of them
 *   bun build.ts --outfile FILE        to another place
 */

interface Target {
  readonly os: string;
  readonly cpu: string;
  readonly libc: string;
}

const targets: Readonly<Record<string, Target>> = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', libc: 'glibc' },
  'darwin-x64': { os: 'darwin', cpu: 'x64', libc: 'glibc' },
  'windows-x64': { os: 'win32', cpu: 'x64', libc: 'glibc' },
};

const root = import.meta.dir;
const values = readFlags();

function readFlags(): { target?: string; outfile?: string } {
  try {
    return parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } })
      .values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

/** Says what is wrong with the flags and ends with 2, as the program itself does. */
function misused(problem: string): never {
  const known = [...Object.keys(targets), 'all'].join(', ');
  console.error(
    `${problem}\nUsage: build.ts [--target TARGET] [--outfile FILE]\nTargets: ${known}`,
  );
  process.exit(2);
}

/** Builds for one target, or for this machine when none is named. */
async function build(name: string | undefined): Promise<void> {
  const target = name === undefined ? undefined : targets[name];
  const outfile = values.outfile ?? join(root, 'dist', ['waymark', name].filter(Boolean).join('-'));
  const packages = target === undefined ? root : await installFor(name ?? '', target);
  const result = await Bun.build({
    // The worker is a second entry point: main.ts starts it by its address beside itself.
    entrypoints: [join(root, 'src/main.ts'), join(root, 'src/render/worker/worker.ts')],
    root: join(root, 'src'),
    compile: {
      outfile,
      // A .env beside the executable must not change a running service behind the operator's back.
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Bun names its own builds just as we name our targets.
      ...(name && { target: `bun-${name}` as Bun.Build.CompileTarget }),
    },
    // Bytecode brings the start from 40 ms to 10; as an ES module, because the other form bakes the
    // folder of this checkout in.
    bytecode: true,
    // What is imported on demand is read from the file only then.
    splitting: true,
    format: 'esm',
    // Renaming identifiers breaks Elysia, which reads the source of its handlers.
    minify: { whitespace: true, syntax: true, identifiers: false },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [nativeRasterizer(await addonIn(packages))],
  });
  for (const message of result.logs) console.error(message);
  console.log(`built ${outfile}`);
}

/**
 * Installs what another platform needs, as bun.lock names it and checked against its hashes there.
 *
 * @returns the folder that holds its node_modules
 */
async function installFor(name: string, { os, cpu, libc }: Target): Promise<string> {
  const folder = join(root, 'dist/.packages', name);
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'bun.lock']) await cp(join(root, file), join(folder, file));
  const fixed = ['install', '--frozen-lockfile', '--production', '--ignore-scripts'];
  const install = Bun.spawn(
    [process.execPath, ...fixed, `--os=${os}`, `--cpu=${cpu}`, `--libc=${libc}`],
    { cwd: folder, stdout: 'ignore', stderr: 'pipe' },
  );
  if ((await install.exited) !== 0) throw new Error(await new Response(install.stderr).text());
  return folder;
}

/** The one native rasterizer that is installed in a folder. */
async function addonIn(folder: string): Promise<string> {
  const files = await Array.fromAsync(
    new Bun.Glob('node_modules/@resvg/resvg-js-*/*.node').scan({ cwd: folder }),
  );
  const [file, ...more] = files;
  if (file === undefined || more.length > 0)
    throw new Error(`expected one native rasterizer in ${folder}, found ${files.length}`);
  return join(folder, file);
}

/**
 * Puts one rasterizer in the place of the loader that looks for the fitting one at run time. Where it
 * cannot be unpacked, the program hears of it when it first draws, and draws with the other one.
 */
function nativeRasterizer(addon: string): Bun.BunPlugin {
  return {
    name: 'native rasterizer',
    setup: (bundler) => {
      bundler.onLoad({ filter: /resvg-js[/\\]js-binding\.js$/ }, () => ({
        contents: `try {
          module.exports = require(${JSON.stringify(addon)});
        } catch (error) {
          module.exports = { Resvg: class { constructor() { throw error; } } };
        }`,
        loader: 'js',
      }));
    },
  };
}

const chosen = values.target === 'all' ? Object.keys(targets) : [values.target];
for (const name of chosen) {
  if (name !== undefined && targets[name] === undefined) misused(`Unknown target ${name}`);
  await build(name);
}
