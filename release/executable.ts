import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { brotliMark } from '../src/lib/build/embedded.ts';
import { readCheckout } from './checkout.ts';
import { runtimeFor } from './runtime.ts';
import type { Target } from './targets.ts';

const root = join(import.meta.dir, '..');

export interface ExecutableOptions {
  /** Path without `.exe`, which the bundler adds for Windows. */
  readonly outfile: string;
  /** Default: this machine, with the Bun that runs. */
  readonly target?: Target | undefined;
  /** Default: that of the checkout. */
  readonly version?: string;
}

/** Builds the executable: program, render workers, migrations, panel and Swagger UI in one file. */
export async function buildExecutable({ outfile, target, version }: ExecutableOptions) {
  const checkout = readCheckout();
  const build = { version: version ?? checkout.version, commit: checkout.commit };
  await Bun.build({
    ...bundling(build),
    compile: {
      outfile,
      // A .env or bunfig.toml beside the executable must not change a service unnoticed.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target && {
        target: `bun-${target.name}`,
        executablePath: await runtimeFor(target),
      }),
    },
    // Bytecode starts four times as fast. As CommonJS it would contain the path of this checkout.
    bytecode: true,
  });
}

/** Returns how the program is bundled. */
export function bundling(build: { version: string; commit: string }): Bun.BuildConfig {
  return {
    // main.ts starts the worker by its URL, which needs a second entry point.
    entrypoints: [join(root, 'src/main.ts'), join(root, 'src/workers/worker.ts')],
    root: join(root, 'src'),
    // Modules imported on demand are read from the file only then.
    splitting: true,
    format: 'esm',
    // Renaming identifiers breaks Elysia, which reads the source of its handlers.
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [compressFiles, leaveOutThemes],
    define: {
      'process.env.NODE_ENV': '"production"',
      // Read by src/lib/build/version.ts.
      WAYMARK_BUILD: JSON.stringify(build),
      // harfbuzzjs looks for its file beside itself; we pass the file. The path of this checkout would be in the executable.
      __dirname: '""',
      __filename: '""',
    },
  };
}

/** Leaves out the themes of another documentation page than ours, with which 0.4 MB of code and bytecode come. */
const leaveOutThemes: Bun.BunPlugin = {
  name: 'leave out themes',
  setup: (build) => {
    build.onLoad({ filter: /\/@scalar\/themes\/dist\/index\.js$/ }, () => ({
      contents: "export const elysiajsTheme = '';",
      loader: 'js',
    }));
  },
};

/** Compresses files. src/lib/build/embedded.ts reads them. Browsers get those of Swagger UI as they are. */
const compressFiles: Bun.BunPlugin = {
  name: 'compress files',
  setup: (build) => {
    build.onLoad({ filter: /\/(?:swagger-ui-bundle\.js|swagger-ui\.css)$/ }, async ({ path }) => ({
      contents: Bun.gzipSync(await Bun.file(path).bytes(), { level: 9, library: 'libdeflate' }),
      loader: 'file',
    }));
    const forUs =
      /\/(?:index_bg\.wasm|hb\.wasm|passwords\.json|panel\.css|studio\.css|[\w-]+\.sentences)$/;
    build.onLoad({ filter: forUs }, async ({ path }) => ({
      contents: Buffer.concat([
        Uint8Array.from(brotliMark),
        brotliCompressSync(await Bun.file(path).bytes()),
      ]),
      loader: 'file',
    }));
  },
};
