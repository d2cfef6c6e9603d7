import { beforeAll, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';

/**
 * How many texts of a room are not in the catalogue (`src/languages/en.json`), at most.
 * A number only falls. A few of them are names that nobody translates.
 */
const atMost: Readonly<Record<string, number>> = {
  'src/panel/accounts': 110,
  'src/panel/client': 50,
  'src/panel/codes': 425,
  'src/panel/designs': 125,
  'src/panel/domains': 100,
  'src/panel/find': 25,
  'src/panel/print': 125,
  'src/panel/request': 15,
  'src/panel/routing': 75,
  'src/panel/safety': 3,
  'src/panel/selection': 125,
  'src/panel/settings': 225,
  'src/panel/tables': 175,
  'src/panel/ui': 325,
  'src/sentences': 350,
};

const root = new URL('../..', import.meta.url).pathname;
/** Texts that people may read and that are not in the catalogue, by room. */
const outside = new Map<string, string[]>();

// Two words, or one that begins with a capital letter.
const isRead = (text: string) => /\p{L}{2}\S*\s+\S*\p{L}|^\p{Lu}\p{Ll}+…?$/u.test(text);
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
    const [room = ''] = /^src\/(?:panel\/)?[^/]+/.exec(file) ?? [];
    const found = outside.getOrInsertComputed(room, () => []);
    const textOf = (node: Node) => source.text.slice(node.pos, node.end).trim();
    const visit = (node: Node, parent: Node): void => {
      if (declarations.includes(node.kind)) return;
      const text = textOf(node);
      const isAttribute = node.kind === SyntaxKind.JsxAttribute;
      if (isAttribute && unreadNames.test(/^[\w-]*/.exec(text)?.[0] ?? '')) return;
      if (node.kind === SyntaxKind.JsxText && /\p{L}/u.test(text)) found.push(`${file}: ${text}`);
      if (kindsOfText.includes(node.kind) && !isData(text, parent, textOf(parent))) {
        const said = text.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 'x');
        if (isRead(said)) found.push(`${file}: ${text}`);
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

test('no room has more texts outside of the catalogue than before', () => {
  const more = [...outside].filter(([room, texts]) => texts.length > (atMost[room] ?? 0));
  expect(more.map(([room, texts]) => ({ room, count: texts.length, texts }))).toEqual([]);
});
