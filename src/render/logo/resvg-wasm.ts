import wasmPath from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' };
// The package exports its ES module only, which can be loaded just once; see `freshResvg`.
import glue from '../../../node_modules/@resvg/resvg-wasm/index.js' with { type: 'text' };
import { memoize } from '../../lib/memoize.ts';

const compiled = memoize(async () => WebAssembly.compile(await Bun.file(wasmPath).arrayBuffer()));

/**
 * An instance of its own of resvg in WebAssembly, which has no file system at all. A drawing that
 * makes resvg panic leaves its instance broken for all that come after, and memory that an instance
 * took it never gives back; but the glue code keeps its one instance in a variable of its module. So
 * the glue is run anew each time, as the function that a CommonJS module is. This takes 2 ms.
 */
export async function freshResvg() {
  const module = { exports: {} };
  // A string already; TypeScript takes the import for the module itself.
  new Function('module', String(glue))(module);
  // The glue's own declaration says what it exports.
  const { initWasm, Resvg } = module.exports as typeof import('@resvg/resvg-wasm');
  await initWasm(await compiled());
  return Resvg;
}
