import { describe, expect, test } from 'bun:test';
import { parseNewPath } from '../../src/core/codes/urls/new-path.ts';
import { Refused } from '../../src/core/errors.ts';

const kindOf = (text: string): string | null => {
  try {
    parseNewPath(text);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.reason.kind;
    throw error;
  }
};

describe('a new path', () => {
  test.each([
    ...['menu', 'Menu', 'summer 2026', 'Über/uns', 'café', 'wi-fi', 'a_b.c~d', 'x', '7', 'table-7'],
    ...[
      'admission',
      'administration',
      'docking',
      'apricot',
      'api-menu',
      'accountant',
      'log',
      'sign',
    ],
    ...['меню', 'Меню/обед', 'μενού', '菜单', 'メニュー表', 'お品書き', '메뉴', '메뉴板', 'قائمة'],
    ...['תפריט', 'เมนู', 'मेन्यू', 'क्\u200dष', 'می\u200cخواهم', 'մենյու', 'მენიუ', 'Thực-đơn', 'menü'],
    ...[
      '🍕',
      '🇩🇪',
      'menu🇫🇷',
      '❤\ufe0f',
      '👨\u200d👩\u200d👧',
      'pizza🍕',
      '100€',
      'ﬁle',
      'menü²',
      '１階',
      'l0l',
      'm1',
      'modern',
    ],
  ])('may be %j', (path) => expect(kindOf(path)).toBeNull());

  test.each([
    // Case, endings, blanks and punctuation.
    ...[
      'ACCOUNT/sign-in',
      'API/v1/qrs',
      'Docs',
      'HealthZ',
      'METRICS',
      'Admin',
      'LOGIN',
      'login.php',
    ],
    ...[
      'log-in',
      'log_in',
      'Log In',
      'sign-in',
      'signin',
      'a.p.i',
      'account.',
      'account;x',
      'api&x',
    ],
    // Behind a slash, or what looks like one.
    ...[
      'menu/account',
      'x/LOGIN',
      'menu%2Flogin',
      'menu\u2215login',
      'menu\uff0flogin',
      'x/admin/y',
    ],
    // Confusables: Cyrillic, Greek, Armenian, capitals, digits, two letters for one.
    ...[
      'аccount',
      'accоunt',
      'АРІ',
      'арі',
      'АPI',
      'αccount',
      'ΑΡΙ',
      'dοcs',
      'Iogin',
      'logln',
      'l0gin',
    ],
    ...[
      '1ogin',
      'adrnin',
      'acc0unt',
      'rnetrics',
      'aрi',
      '|ogin',
      'ɑccount',
      'ᴀᴄᴄᴏᴜɴᴛ',
      'ａｃｃｏｕｎｔ',
      '𝐚𝐝𝐦𝐢𝐧',
      'ⓛⓞⓖⓘⓝ',
      'do¢s',
      'login🔒',
      '★admin★',
      '🅐🅓🅜🅘🅝',
      '🅻🅾🅶🅸🅽',
      '🇦🇵🇮',
    ],
    // Accents, and what is not seen.
    ...[
      'áccount',
      'ạccount',
      'lógin',
      'a\u0301\u0323pi',
      'acc\u200dount',
      'a\u200cpi',
      'lo\u034fgin',
      'ap\ufe0fi',
      'do\u3164cs',
    ],
    // Percent-encoding.
    ...[
      '%61ccount',
      'acc%6Funt',
      '%D0%B0ccount',
      'a%E2%80%8Dpi',
      '%41PI',
      '/account',
      '//account',
      '/%61pi',
    ],
    ...['account', 'api/v1', 'docs/x', 'metrics', 'healthz'],
  ])('cannot be %j', (path) => {
    expect(kindOf(path)).toMatch(/^path (?:like own page|of Waymark|with an empty segment)$/);
  });

  test.each([
    ['mеnu', 'path of several scripts'],
    ['menu/μενού', 'path of several scripts'],
    ['ᎠᎪ', 'path of several scripts'],
    ['me\u200dnu', 'path with invisible characters'],
    ['me\u034fnu', 'path with invisible characters'],
    ['me\ufe0fnu', 'path with invisible characters'],
    ['me\u3164nu', 'path with invisible characters'],
    ['%20menu', 'path with a blank at an end'],
    ['menu%20', 'path with a blank at an end'],
    ['menu%C2%A0', 'path with a blank at an end'],
    ['menu\u2800', 'path with a blank at an end'],
    ['menu /lunch', 'path with a blank at an end'],
    ['menu%E2%80%8D', 'path with a blank at an end'],
    ['menu\u3164', 'path with a blank at an end'],
    ['%2561pi', 'path with control characters'],
    ['robots.txt', 'path that programs ask for'],
  ])('%j is refused: %s', (path, kind) => expect(kindOf(path)).toBe(kind));
});
