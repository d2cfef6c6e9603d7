import { expect, test } from 'bun:test';
import { cliSentence } from '../../src/cli/sentences/sentences.ts';
import { encodePath, parseImportedPath } from '../../src/core/codes/path.ts';

test.each([
  ['menu-7', 'menu-7'],
  ['Menu-7/', 'Menu-7/'],
  ['a/b/c', 'a/b/c'],
  ['men%C3%BC', 'menü'],
  ['men%c3%bc', 'menü'],
  ['menü', 'menü'],
  ['accounts', 'accounts'],
  ['Docs', 'Docs'],
  ['x/docs', 'x/docs'],
  ['100%25', '100%'],
  ['a.b', 'a.b'],
  ['...', '...'],
  ['x'.repeat(255), 'x'.repeat(255)],
])('%s is stored as %s', (raw, path) => {
  expect(parseImportedPath(raw)).toEqual({ path });
});

test.each([
  ['', 'has no path'],
  ['x'.repeat(256), 'longer than 255 characters'],
  ['account', '/account is a page of Waymark'],
  ['api/v1/qrs', '/api is a page of Waymark'],
  ['docs/json', '/docs is'],
  ['healthz', '/healthz is'],
  ['healthz/live', '/healthz is'],
  ['metrics', '/metrics is'],
  ['%64ocs', '/docs is'],
  ['a//b', 'empty segment'],
  ['/a', 'empty segment'],
  ['a/../b', '".."'],
  ['..', '".."'],
  ['.', '"."'],
  ['bad%', 'badly encoded'],
  ['%ff', 'badly encoded'],
  ['a\u0000b', 'control character'],
  ['a%0Ab', 'control character'],
  ['a?b', 'question mark'],
  ['a\\b', 'backslash'],
])('%s cannot be imported: %s', (raw, reason) => {
  const parsed = parseImportedPath(raw);
  expect('reason' in parsed && cliSentence(parsed.reason)).toContain(reason);
});

test('an encoded path is parsed to the path', () => {
  for (const path of ['menü 7', 'a/b', '100%', 'x+y=z&w'])
    expect(parseImportedPath(encodePath(path))).toEqual({ path });
});
