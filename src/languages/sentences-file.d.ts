/** Imported `with { type: 'file' }`: the path of the sentences of a language, also inside a compiled executable. */
declare module '*.sentences' {
  const path: string;
  export default path;
}
