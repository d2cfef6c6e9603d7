import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCheckout } from './checkout.ts';
import { buildExecutable, bundling } from './executable.ts';

/** Prints what the megabytes of the executable for this machine are: bun release/size.ts */

const folder = await mkdtemp(join(tmpdir(), 'waymark-size-'));
try {
  const outfile = join(folder, 'waymark');
  await buildExecutable({ outfile });
  const total = Bun.file(outfile).size;
  const runtime = Bun.file(process.execPath).size;

  // The same bundle as files.
  const { outputs, metafile } = await Bun.build({
    ...bundling(readCheckout()),
    target: 'bun',
    metafile: true,
  });
  const assets = outputs.filter(({ kind }) => kind === 'asset');
  const code = sum(outputs.filter(({ kind }) => kind !== 'asset').map(({ size }) => size));
  const files = sum(assets.map(({ size }) => size));
  const own = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([path]) => !path.includes('node_modules'))
      .map(([, { bytesInOutput }]) => bytesInOutput),
  );

  const rows: [string, number][] = [
    ["Bun's runtime", runtime],
    ['bytecode of the code below', total - runtime - code - files],
    ["code of Waymark's own", sum(own)],
    ['code of packages', code - sum(own)],
    ...assets.map((asset): [string, number] => [fileName(asset.path), asset.size]),
    ['all', total],
    ['all beyond the runtime', total - runtime],
  ];
  for (const [name, bytes] of rows)
    console.log(`${(bytes / 1_000_000).toFixed(2).padStart(7)} MB  ${name}`);
} finally {
  await rm(folder, { recursive: true });
}

function fileName(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  if (/^hb\b/.test(name)) return 'shaping of captions (HarfBuzz), compressed';
  return /wasm/.test(name) ? 'rasterizer (resvg), compressed' : `${name}, compressed`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
