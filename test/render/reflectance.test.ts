import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { greyThroughFlare, lumaOfColor } from '../../src/render/gate/reflectance.ts';

const code = fc.integer({ min: 0, max: 255 });
const flare = fc.double({ min: 0, max: 0.1, noNaN: true });
const colorOf = (...codes: number[]) =>
  `#${codes.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

test('through flare a grey is itself', () => {
  fc.assert(
    fc.property(code, flare, (level, share) => {
      const grey = colorOf(level, level, level);
      expect(greyThroughFlare(grey, share)).toBeCloseTo(lumaOfColor(grey), 6);
    }),
  );
});

test('through flare a colour looks hardly darker than without, and through more of it hardly darker yet', () => {
  // The straight piece at the dark end of sRGB makes up for half a hundredth.
  const hardly = 0.005;
  fc.assert(
    fc.property(code, code, code, flare, (red, green, blue, share) => {
      const color = colorOf(red, green, blue);
      const looks = greyThroughFlare(color, share);
      expect(looks).toBeGreaterThan(lumaOfColor(color) - hardly);
      expect(greyThroughFlare(color, share * 1.5)).toBeGreaterThan(looks - hardly);
    }),
  );
});

test('turquoise, which has no red, looks paler than the grey of its luma, and than orange of its luma', () => {
  const [turquoise, grey, orange] = ['#00c4cc', '#8a8a8a', '#ff684f'];
  for (const color of [grey, orange]) {
    expect(lumaOfColor(color)).toBeCloseTo(lumaOfColor(turquoise), 1);
    expect(greyThroughFlare(turquoise, 0.06)).toBeGreaterThan(greyThroughFlare(color, 0.06));
  }
  expect(greyThroughFlare(turquoise, 0.06)).toBeGreaterThan(lumaOfColor(turquoise) + 0.04);
});
