import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsQR from 'jsqr';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { memoize } from '../../src/lib/memoize.ts';
import { isInstalled } from './installed.ts';
import { decodePng } from './png.ts';

/** The result of a decoder. */
export interface Reading {
  readonly text: string | null;
  /** If the decoder reports it. */
  readonly errorCorrectionLevel?: string;
}

export interface Decoder {
  readonly name: string;
  /** Whether the tool is installed, or this is CI, which must have it. */
  readonly present: boolean;
  read(png: Uint8Array): Promise<Reading>;
}

/** Decoders without common code. The first two are development dependencies. */
export const decoders: readonly Decoder[] = [
  { name: 'jsqr', present: true, read: readWithJsqr },
  { name: 'zxing-wasm', present: true, read: readWithZxingWasm },
  { name: 'zbarimg', present: isInstalled('zbarimg'), read: readWithZbar },
  { name: 'ZXingReader', present: isInstalled('ZXingReader'), read: readWithZxing },
];

async function readWithJsqr(png: Uint8Array): Promise<Reading> {
  const { rgba, widthPx, heightPx } = decodePng(png);
  return { text: jsQR(rgba, widthPx, heightPx)?.data ?? null };
}

/** Compiles ZXing. By default the package loads its WebAssembly from a CDN. */
const prepareZxing = memoize(async () => {
  const wasm = Bun.resolveSync('zxing-wasm/reader/zxing_reader.wasm', import.meta.dir);
  const wasmBinary = await Bun.file(wasm).arrayBuffer();
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
});

async function readWithZxingWasm(png: Uint8Array): Promise<Reading> {
  await prepareZxing();
  const [reading] = await readBarcodes(png, { formats: ['QRCode'] });
  if (reading === undefined) return { text: null };
  return { text: reading.text, errorCorrectionLevel: reading.ecLevel };
}

async function readWithZbar(png: Uint8Array): Promise<Reading> {
  const text = await runOn(png, ['zbarimg', '--quiet', '--raw', '--nodbus']);
  return { text: text === '' ? null : text.replace(/\n$/, '') };
}

async function readWithZxing(png: Uint8Array): Promise<Reading> {
  const printed = await runOn(png, ['ZXingReader']);
  const text = /^Text: +"(.*)"$/m.exec(printed)?.[1] ?? null;
  const errorCorrectionLevel = /^EC Level: +(\S+)$/m.exec(printed)?.[1];
  return errorCorrectionLevel === undefined ? { text } : { text, errorCorrectionLevel };
}

async function runOn(png: Uint8Array, command: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-decode-'));
  try {
    const file = join(folder, 'qr.png');
    await Bun.write(file, png);
    const child = Bun.spawn([...command, file], {
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: 30_000,
    });
    return await new Response(child.stdout).text();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
