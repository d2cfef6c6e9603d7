/**
 * Characters that look like Latin letters, by these letters.
 *
 * Generated from the skeletons of UTS 39 in ICU 72 (Unicode 15), and the small capitals of Latin. Only what can stand in
 * a path that passes the check of scripts is here, so a twentieth of the data: no package has it alone, and those that
 * have all of it were last written for Unicode 13. Hexadecimal code points, so that no text runs from right to left.
 */
const lookAlikes = {
  a: '251 391 3b1 410 430 1d00 2376 237a 2c6d',
  b: '180 181 182 183 184 243 253 299 392 411 412 42c 432 462 463 48c 48d 1d03 a7b4',
  c: 'a2 23b 23c 421 441 4aa 4ab 1d04 20a1 1f16e 1f74c',
  d: 'd0 110 111 189 18a 18b 18c 256 257 500 501 1d05 20ab',
  e: '246 247 395 415 435 4bc 4bd 4be 4bf 1d07 212e 22ff ab32',
  f: '191 192 3dc 554 584 1d6e 1e9d a730 a798 a799 ab35 1d213',
  g: '18d 193 1e4 1e5 260 261 262 50c 50d 551 581 1d83 a7ac',
  h: '126 127 266 29c 397 40b 41d 43d 45b 4a2 4a3 4ba 4bb 4c7 4c8 4c9 4ca 540 570 2c67 a694 a695 a7aa',
  i: '131 268 269 26a 3b9 456 4cf 1d7b 1d7c 2373 2378 a646 a647 a7ae',
  j: '248 249 37f 3f3 408 458 1d0a a7b2',
  k: '198 199 39a 41a 49a 49e 1d0b 20ad 2c69 a740',
  l: '141 142 196 197 19a 1c0 23d 26b 26d 29f 399 406 4c0 5c0 5d5 5df 627 661 673 6f1 2223 23fd 2c62 1d22a',
  m: '39c 3fa 41c 4cd 1d0d',
  n: '19d 19e 220 273 274 376 377 39d 3b7 418 438 548 54c 578 57c 1d0e 1d70 1018e',
  o: 'd8 f8 19f 275 398 39f 3a3 3b8 3bf 3c3 41e 43e 472 473 4e8 4e9 555 585 5e1 647 665 6be 6c1 6d5 6f5 6ff 966 9e6 a66 ae6 b20 b66 be6 c66 ce6 d20 d66 e50 ed0 1010 101d 1040 10ff 12d0 1cbf 1d0f 1d10 1d11 2296 229d 236c 3007 a74a a74b ab3d ab3e 1d21a 1f714',
  p: '1a4 1a5 3a1 3c1 420 440 1d18 1d29 1d7d 2374 2c63',
  q: '2a0 51a 51b 533 536 563 566 a7af',
  r: '1a6 24c 24d 27c 27d 280 281 413 42f 433 44f 492 493 1d19 1d1a 1d26 1d72 2c64 ab47 ab48 1d216',
  s: '1bc 1bd 282 405 455 54f 1d74 a731 a7c5',
  t: '166 167 1ac 1ad 1ae 23e 3a4 3c4 422 442 4ac 4ad 1d1b 1d75 20ae 22a4 2361 27d9 1f768',
  u: '1b2 244 28b 3c5 54d 57d 1200 1d1c 1d7e 222a 22c3 a79e a79f ab4e ab52',
  v: '3bd 474 475 5d8 667 6f7 1d20 2228 22c1 10197 1d20d 1f708',
  w: '19c 26f 460 461 47c 47d 51c 51d 531 561 1d21 20a9 a760 a761',
  x: 'd7 3a7 425 445 4b2 2573 292b 292c 2a2f 2a30 a7b3 10196',
  y: 'a5 194 1b3 1b4 24e 24f 263 28f 393 3a5 3b3 423 443 4ae 4af 4b0 4b1 10e7 1ca7 1d8c 1efe 1eff ab5a',
  z: '1b5 1b6 224 225 290 396 1d22 1d76 102f5',
  aa: 'a732 a733',
  ae: 'c6 e6 4d4 4d5',
  ao: 'a734 a735',
  ar: '1f707',
  au: 'a736 a737',
  av: 'a738 a739 a73a a73b',
  ay: 'a73c a73d',
  bl: '42b',
  dz: '2a3',
  ll: '1c1 5f0 2016 2225 10199',
  lo: '42e',
  ls: '2aa',
  lt: '20b6',
  lz: '2ab',
  mb: '1f76b',
  oe: '152 153 276',
  oo: '221e a698 a699 a74e a74f',
  qe: '1f700',
  rn: '271 1d6f 20a5 2c6e',
  tf: 'a777',
  ts: '2a6',
  ue: '1d6b',
  uo: 'ab63',
  vb: '1f76c',
} as const;

const letters = new Map(
  Object.entries(lookAlikes).flatMap(([letter, points]) =>
    points.split(' ').map((point) => [String.fromCodePoint(Number.parseInt(point, 16)), letter]),
  ),
);

/** The letters A of symbols that have the alphabet and no compatibility mapping: 🅐, 🅰 and 🇦. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6];

for (const first of alphabets)
  for (let index = 0; index < 26; index++)
    letters.set(String.fromCodePoint(first + index), String.fromCodePoint(0x61 + index));

/** Removes accents, and characters that are not seen. */
const bare = (text: string): string =>
  text.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');

const toLetters = (text: string): string =>
  Array.from(text, (character) => letters.get(character) ?? character).join('');

/**
 * Returns a text that two texts share if they look alike (UTS 39, "skeleton").
 * Also without regard to case, accents, and everything that is no letter or digit.
 */
export function skeletonOf(text: string): string {
  // What looks like a capital is found before the change of case, what looks like a small letter after it.
  const small = toLetters(bare(toLetters(bare(text)).toLowerCase()));
  return small
    .replaceAll(/[i1|!]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
