import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeVisited, makeVisitedAnew } from '../../src/render/gate/visited.ts';

test('holds what a set holds, emptied as often as one likes', () => {
  const place = fc.integer({ min: -40, max: 60 });
  const step = fc.record({ place, empties: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const visited = makeVisited(-40, 60);
      const expected = new Set<number>();
      for (const { place, empties } of steps) {
        if (empties) visited.clear();
        if (empties) expected.clear();
        expect(visited.has(place)).toBe(expected.has(place));
        visited.add(place);
        expected.add(place);
        for (const other of [-40, 0, 60]) expect(visited.has(other)).toBe(expected.has(other));
      }
    }),
  );
});

test('is empty however often it was emptied', () => {
  const visited = makeVisited(0, 2);
  for (let times = 0; times < 600; times++) {
    expect([0, 1, 2].map(visited.has)).toEqual([false, false, false]);
    visited.add(times % 3);
    visited.clear();
  }
});

test('a set in the place of another is empty, for whichever range', () => {
  const range = fc.record({
    first: fc.integer({ min: -50, max: 50 }),
    length: fc.nat({ max: 80 }),
  });
  fc.assert(
    fc.property(fc.array(range), (ranges) => {
      const anew = makeVisitedAnew();
      for (const { first, length } of ranges) {
        const visited = anew(first, first + length);
        for (let place = first; place <= first + length; place++) {
          expect(visited.has(place)).toBe(false);
          visited.add(place);
          expect(visited.has(place)).toBe(true);
        }
      }
    }),
  );
});
