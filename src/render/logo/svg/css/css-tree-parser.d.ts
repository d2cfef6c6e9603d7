/** The parser alone, without the tables of CSS syntax. */
declare module 'css-tree/parser' {
  export { parse as default } from 'css-tree';
}
