/** Imported `with { type: 'file' }`: the path of the module, also inside a compiled executable. */
declare module '*.wasm' {
  const path: string;
  export default path;
}
