import { expect, test } from 'bun:test';
import {
  allKeysOf,
  decodeAsked,
  foldImported,
  foldPath,
  formsOf,
  linkMeant,
} from '../../src/core/codes/urls/resolve.ts';

const codes = ['7h3k9m20', '01111111'];
const imported = [
  'menu',
  'Menu-7',
  'menu-7',
  'CAFÉ',
  'slash/',
  'R&D',
  'wow!',
  'Straße/Öl',
  'OILabcde',
];
const links = [
  ...codes.map((code) => ({ code, path: null, foldedCode: null, foldedPath: null })),
  ...imported.map((code) => ({
    code,
    path: null,
    foldedCode: foldImported(code),
    foldedPath: null,
  })),
  { code: '7h3k9m2x', path: 'Bücher', foldedCode: null, foldedPath: foldPath('Bücher') },
];

/** Returns the code or path that a request means. */
function meant(raw: string): string | null {
  const path = decodeAsked(raw);
  if (path === null) return null;
  const link = linkMeant(allKeysOf(path), links);
  return link === null ? null : (link.path ?? link.code);
}

test.each([
  // By the letter.
  ['7h3k9m20', '7h3k9m20'],
  ['7H3K9M20/', '7h3k9m20'],
  ['menu', 'menu'],
  ['menu/', 'menu'],
  ['Menu-7', 'Menu-7'],
  ['menu-7', 'menu-7'],
  ['slash/', 'slash/'],
  ['R&D', 'R&D'],
  ['wow!', 'wow!'],
  ['7h3k9m2x', 'Bücher'],
  // Without regard to case, if one link alone has it.
  ['MENU', 'menu'],
  ['MENU-7', null],
  ['caf%C3%A9', 'CAFÉ'],
  ['cafe%CC%81', 'CAFÉ'],
  ['BU%CC%88CHER', 'Bücher'],
  ['stra%C3%9Fe/%C3%B6l/', 'Straße/Öl'],
  ['r&d', 'R&D'],
  ['slash', null],
  // Letters that codes do not have.
  ['7h3k9m2o', '7h3k9m20'],
  ['7H3K9M2O/', '7h3k9m20'],
  ['oILilLI1', '01111111'],
  ['OILabcde', 'OILabcde'],
  ['oilabcde', 'OILabcde'],
  ['7h3k9m2u', null],
  // Encoded letters.
  ['%37h3k9m20', '7h3k9m20'],
  ['m%65nu', 'menu'],
  ['%2537h3k9m20', null],
  // What stands behind a link.
  ...['.', ',', ')', '!', '%22', "'", '%E2%80%9D', '%C2%BB', '%3E', '%20', '%C2%A0', '%0A'].flatMap(
    (tail): [string, string][] => [
      [`menu${tail}`, 'menu'],
      [`7h3k9m20${tail}`, '7h3k9m20'],
    ],
  ),
  ['menu.).', 'menu'],
  ['menu./', 'menu'],
  ['menu/.', 'menu'],
  ['MENU!', 'menu'],
  ['7h3k9m2o.', '7h3k9m20'],
  ['menu&utm_source=x&y', 'menu'],
  ['menu.&utm_source=x/', 'menu'],
  [`7h3k9m20&${'x'.repeat(1000)}`, '7h3k9m20'],
  ['wow', null],
  ['wow!!', null],
  ['.menu', null],
  ['menu;', null],
  ['menu..................', null],
  // Nothing.
  ['', null],
  ['&', null],
  ['.', null],
  ['men', null],
  ['menus', null],
  ['menu//', null],
  ['slash//', null],
  ['menu&x=https://example.org', 'menu'],
  ['%2Fmenu', null],
  ['menu%2F', null],
  ['menu%00', null],
  ['menu%3Fx', null],
  ['%ff', null],
  // Pages of Waymark.
  ['docs', null],
  ['account/menu', null],
])('/%s means %p', (raw, link) => {
  expect(meant(raw)).toBe(link);
});

test('a request asks for few forms, however long it is', () => {
  for (const raw of [
    'é'.repeat(250),
    `${'x'.repeat(200)}..../`,
    'oilo1oi0.',
    '7h3k9m2o/',
    'x'.repeat(4000),
  ]) {
    const { exact, folded } = formsOf(allKeysOf(raw));
    expect(exact.length + folded.length).toBeLessThanOrEqual(10);
  }
});
