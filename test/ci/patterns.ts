import { beforeAll, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';

/** Regular expressions that recheck cannot decide, by their source, with the bound of their input. */
const undecided = [
  { start: '/"(?:[^"]|"")*"?|', bound: 'a formula of a cell, 32,767 characters' },
  { start: '/^Viber', bound: 'a user agent, cut to 512 characters' },
  { start: '/monitor|uptime', bound: 'a user agent, cut to 512 characters' },
  { start: '/^[ \\t]*(?:INSERT', bound: 'the first 20,000 characters of an export of links' },
  {
    start: '/^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})',
    bound: 'a line of a threat list, 10,000 characters',
  },
] as const;

// The main module of recheck starts a process. This one is plain JavaScript and has the same exports.
const { checkSync }: typeof import('recheck') = await import('recheck/lib/browser.js' as string);

const root = new URL('../..', import.meta.url).pathname;
const files = new Map<string, string>();
const constructed: string[] = [];

beforeAll(async () => {
  const api = new API({ cwd: root });
  const snapshot = await api.updateSnapshot({ openProject: `${root}tsconfig.json` });
  const [project] = snapshot.getProjects();
  for (const file of new Glob('src/**/*.{ts,tsx}').scanSync(root)) {
    const source = await project?.program.getSourceFile(root + file);
    if (source === undefined) throw new Error(`${file} is no part of the project`);
    const visit = (node: Node): void => {
      const text = withoutComments(source.text.slice(node.pos, node.end));
      if (node.kind === SyntaxKind.RegularExpressionLiteral) files.set(text, file);
      if (/^(?:new )?RegExp\(/.test(text)) constructed.push(`${file}: ${text}`);
      node.forEachChild(visit);
    };
    visit(source);
  }
  await api.close();
});

/** Removes the comments and white space before a node. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\s+|\/\/.*\n|\/\*[\s\S]*?\*\/)*/, '');
}

/** Returns whether a static analysis shows that a pattern takes linear time. Without repetition it does. */
function isLinear(text: string): boolean {
  const end = text.lastIndexOf('/');
  const source = text.slice(1, end);
  if (!/[*+]|\{\d+,\}/.test(source)) return true;
  const limits = { maxRepeatCount: 2000, maxSimpleRepeatCount: 2000, timeout: 120_000 };
  const { status, checker } = checkSync(source, text.slice(end + 1), limits);
  // The other checker tries some inputs only.
  return status === 'safe' && checker === 'automaton';
}

test('regular expressions take linear time', () => {
  expect(files.size).toBeGreaterThan(400);
  const isListed = (text: string) => undecided.some(({ start }) => text.startsWith(start));
  const found = [...files].filter(([text]) => !isListed(text) && !isLinear(text));
  expect(found).toEqual([]);
});

test('every listed exception is still there', () => {
  const texts = [...files.keys()];
  const gone = undecided.filter(({ start }) => !texts.some((text) => text.startsWith(start)));
  expect(gone).toEqual([]);
});

test('no regular expression is made of a text, where nothing could analyse it', () => {
  // Lists of names, for a user agent, which is cut to 512 characters.
  // Writing systems: one class of characters, for a label of a host and for a path.
  const known = [
    'src/redirect/hits/classify.ts',
    'src/lib/text/readable-url.ts',
    'src/core/codes/urls/new-path.ts',
  ];
  const others = constructed.filter((text) => !known.some((file) => text.startsWith(file)));
  expect(others).toEqual([]);
});
