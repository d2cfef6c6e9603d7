import { beforeAll, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';

/** Texts that nobody translates, with two words or a capital letter: names, and what only programs read. */
const untranslated: ReadonlySet<string> = new Set([
  // Names of products, formats and keys.
  ...['Waymark', 'Waymark (x)', 'CSV', 'SVG', 'N', 'Ctrl K', 'Esc', 'Browser', 'x on x'],
  ...['Edge', 'Opera', 'Samsung Internet', 'Firefox', 'Chrome', 'Safari'],
  ...['Android', 'Windows', 'Mac', 'Linux', 'Cookie', 'Authorization: Bearer <API_KEY>'],
  // Commands, and examples of code.
  'WAYMARK_PUBLIC_URL=https://qr.example.com waymark serve',
  ...['waymark account link EMAIL', 'waymark account x x'],
  // Values of buttons, keys of caches and signatures.
  ...['remove logo', 'panel x', 'preset x', 'message x', 'selection x', 'destination x'],
  ...['back x', 'leave x', 'nothing chosen', 'code blocked', 'code unblocked'],
  // Kinds, and what the log says of them.
  ...['without password', 'no address', 'no answer', 'slow answer', 'bad certificate'],
  ...['other server', 'wrong answer', 'the state is of another sign-in', 'an error page'],
  ...['a text was rejected', 'a form was rejected', 'password set with a one-time link'],
  ...['signed in with a one-time link'],
  'the provider names no groups, so nobody is made an operator',
  'the only operator stays one, although the groups say otherwise',
]);

const root = new URL('../..', import.meta.url).pathname;
/** Texts that people may read and that are not in the catalogue. */
const outside: string[] = [];

// Two words, or one that begins with a capital letter.
const isRead = (text: string) =>
  /\p{L}{2}\S*\s+\S*\p{L}|^\p{Lu}\p{Ll}+…?$/u.test(text) &&
  !untranslated.has(text) &&
  !unreadShapes.test(text);
// Paths of pictures, markup, selectors, headers, classes, and programs that call the API.
const unreadShapes =
  /^(?:x*M?x?-?[\d.x]|M|<|\S*[#:[]\S* |(?:private|default-src|font-src|text\/|x; )|(?:button|card|small|icon) |input, |(?:curl|const response|import json)\b)/;
// Names of styles and elements, and kinds of data.
const unreadNames =
  /^(?:class|look|id|name|type|href|rel|for|key|icon|kind|media|content|path|d|viewBox|points|transform|autocomplete|pattern|style|sort|field|headers|data-.*)$/;
// The log, errors of the program, headers, elements of a page.
const unreadCalls =
  /^(?:audit|(?:\w+\.)*log\.\w+|logFailure|new (?:Error|RegExp|TypeError|Headers|Response|URL\w*)|(?:\w+\.)*(?:querySelector\w*|closest|matches|set|get|has|append|startsWith|includes|test|replace\w*|split|join|setAttribute|update)|all|one|require\w*)$/;
const kindsOfText: readonly SyntaxKind[] = [
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
];
const declarations: readonly SyntaxKind[] = [
  SyntaxKind.ImportDeclaration,
  SyntaxKind.LiteralType,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.InterfaceDeclaration,
];
const calls: readonly SyntaxKind[] = [SyntaxKind.CallExpression, SyntaxKind.NewExpression];

beforeAll(async () => {
  const api = new API({ cwd: root });
  const snapshot = await api.updateSnapshot({ openProject: `${root}tsconfig.json` });
  const [project] = snapshot.getProjects();
  for (const file of [...new Glob('src/{panel,sentences}/**/*.{ts,tsx}').scanSync(root)].sort()) {
    const source = await project?.program.getSourceFile(root + file);
    if (source === undefined) throw new Error(`${file} is no part of the project`);
    const textOf = (node: Node) =>
      source.text
        .slice(node.pos, node.end)
        .replace(/^\s*(?:\/\/.*\s+)+/, '')
        .trim();
    const visit = (node: Node, parent: Node): void => {
      if (declarations.includes(node.kind)) return;
      const text = textOf(node);
      const isAttribute = node.kind === SyntaxKind.JsxAttribute;
      if (isAttribute && unreadNames.test(/^[\w-]*/.exec(text)?.[0] ?? '')) return;
      if (node.kind === SyntaxKind.JsxText && /\p{L}/u.test(text) && !untranslated.has(text))
        outside.push(`${file}: ${text}`);
      if (kindsOfText.includes(node.kind) && !isData(text, parent, textOf(parent))) {
        const said = text.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 'x');
        if (isRead(said)) outside.push(`${file}: ${text}`);
      }
      if (calls.includes(node.kind) && unreadCalls.test(text.replace(/[(<][\s\S]*/, ''))) return;
      node.forEachChild((child) => visit(child, node));
    };
    visit(source, source);
  }
  await api.close();
});

/** Returns whether a text is a name, a kind of data, or is compared with one. */
function isData(text: string, parent: Node, parentText: string): boolean {
  switch (parent.kind) {
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.MethodDeclaration:
      return parentText.startsWith(text) || unreadNames.test(/^[\w-]*/.exec(parentText)?.[0] ?? '');
    case SyntaxKind.CaseClause:
    case SyntaxKind.ElementAccessExpression:
      return true;
    case SyntaxKind.BinaryExpression:
      return /[!=]==/.test(parentText);
    default:
      return false;
  }
}

test('every text of the panel is in the catalogue', () => {
  expect(outside).toEqual([]);
});
