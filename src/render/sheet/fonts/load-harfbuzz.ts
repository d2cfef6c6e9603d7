import createHarfBuzz from 'harfbuzzjs/hb.js';
import wasmPath from 'harfbuzzjs/hb.wasm' with { type: 'file' };
import bind from 'harfbuzzjs/hbjs.js';
import { readEmbedded } from '../../../lib/build/embedded.ts';
import { memoize } from '../../../lib/memoize.ts';

/** Loads HarfBuzz, which joins and places the letters of all scripts, and reads their outlines. */
export const loadHarfBuzz = memoize(async () =>
  bind(await createHarfBuzz({ wasmBinary: await readEmbedded(wasmPath) })),
);
