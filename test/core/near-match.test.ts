import { expect, test } from 'bun:test';
import { nearMatcher } from '../../src/core/codes/lists/near-match.ts';
import { sampleQr } from './sample-qr.ts';

const near = (sought: string, name: string) =>
  nearMatcher(sought)({ ...sampleQr, name })?.text ?? null;

test.each([
  ['shutle', 'Airport shuttle 2', 'shuttle'],
  ['shuttel', 'Airport Shuttle 2', 'Shuttle'],
  ['SHUTTLLE', 'Airport shuttle 2', 'shuttle'],
  ['airpotr shutle', 'Airport  shuttle 2', 'Airport  shuttle'],
  ['resturaunt', 'The Restaurant', 'Restaurant'],
  ['kaffe', 'Kaffee', 'Kaffee'],
  ['ｓｈｕｔｌｅ', 'Shuttle', 'Shuttle'],
  ['меню1', 'Меню', 'Меню'],
  ['terace', 'Terraces of the hotel', 'Terraces'],
])('“%s” is near “%s”', (sought, name, found) => {
  expect(near(sought, name)).toBe(found);
});

test.each([
  // Short words would be near to any other.
  ['bat', 'Bar'],
  ['tabel 12', 'Table 13'],
  ['shuttle', 'Shuttle'],
  ['hotel', 'Motto'],
  ['', 'Shuttle'],
  ['!?', 'Shuttle'],
  ['a b c d e f g h shutle', 'a b c d e f g h shuttle'],
  ['x'.repeat(5000), 'x'.repeat(4999)],
])('“%s” is not near “%s”', (sought, name) => {
  expect(near(sought, name)).toBeNull();
});

test('the nearest part of all texts is taken', () => {
  const code = { ...sampleQr, name: 'Restorants', note: 'Restaurants', folder: 'Rest' };
  expect(nearMatcher('restaurantz')(code)).toEqual({ text: 'Restaurants', distance: 1 });
});
