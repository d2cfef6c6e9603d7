import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCheckout } from './release/checkout.ts';

/**
 * Builds the executable: program, render workers, migrations, panel and Swagger UI in one file that
 * fetches nothing at run time.
 *
 *   bun build.ts                       for this machine, to dist/waymark
 *   bun build.ts --target linux-arm64  for another, to dist/waymark-linux-arm64
 *   bun build.ts --target all          for each of them
 *   bun build.ts --outfile FILE        to another place
 */

const targets = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'darwin-arm64',
  'darwin-x64',
  'windows-x64',
];

const root = import.meta.dir;
const { version, commit } = readCheckout();
const values = readFlags();

function readFlags(): { target?: string; outfile?: string } {
  try {
    return parseArgs({ options: { target: { type: 'string' }, outfile: { type: 'string' } } })
      .values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

/** Prints a usage error and exits with code 2, as the program itself does. */
function misused(problem: string): never {
  const known = [...targets, 'all'].join(', ');
  console.error(
    `${problem}\nUsage: build.ts [--target TARGET] [--outfile FILE]\nTargets: ${known}`,
  );
  process.exit(2);
}

/** Builds for one target, or for this machine when none is named. */
async function build(name: string | undefined): Promise<void> {
  const outfile = values.outfile ?? join(root, 'dist', ['waymark', name].filter(Boolean).join('-'));
  const result = await Bun.build({
    // main.ts starts the worker by its URL, which needs a second entry point.
    entrypoints: [join(root, 'src/main.ts'), join(root, 'src/render/worker/worker.ts')],
    root: join(root, 'src'),
    compile: {
      outfile,
      // A .env or bunfig.toml beside the executable must not change a service unnoticed.
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Bun's own builds have the names of our targets.
      ...(name && { target: `bun-${name}` as Bun.Build.CompileTarget }),
    },
    // Bytecode starts four times as fast. As CommonJS it would contain the path of this checkout.
    bytecode: true,
    // Modules imported on demand are read from the file only then.
    splitting: true,
    format: 'esm',
    // Renaming identifiers breaks Elysia, which reads the source of its handlers.
    minify: { whitespace: true, syntax: true, identifiers: false },
    define: {
      'process.env.NODE_ENV': '"production"',
      // Read by src/lib/version.ts.
      WAYMARK_BUILD: JSON.stringify({ version, commit }),
    },
  });
  for (const message of result.logs) console.error(message);
  console.log(`built ${outfile}`);
}

const chosen = values.target === 'all' ? targets : [values.target];
for (const name of chosen) {
  if (name !== undefined && !targets.includes(name)) misused(`Unknown target ${name}`);
  await build(name);
}
