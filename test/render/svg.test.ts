import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf, svgOf } from '../../src/render/draw/svg.ts';
import { anyDesign, anyLink, discLogo, sampleLink } from './design-arbitraries.ts';

const svg = (change: Partial<Design> = {}, link = sampleLink) =>
  svgOf(pictureOf(link, { ...plainDesign, ...change }));

/** A dot that never changes, so that the digests below do not hang on a PNG encoder. */
const dotLogo = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
  widthPx: 1,
  heightPx: 1,
};

// A code that is printed must look the same for ever: these digests may never change.
test.each<[string, Partial<Design>, string]>([
  ['the plain design', {}, '8585cfb3098985f98747fc066f8d6b6410d2ce7f4fe40b98ad0c8f90ea2d447c'],
  [
    'dots',
    { moduleShape: 'dots', finderShape: 'circle' },
    '8b91493a3aeacd173be04e62915a5401c5adbccf8f61d5cf2759c8079bc6a686',
  ],
  [
    'rounded modules with a logo',
    {
      moduleShape: 'rounded',
      finderShape: 'rounded',
      finderColor: '#204080',
      logo: dotLogo,
      logoPatch: 'circle',
      quietZoneModules: 6,
    },
    'ddeb722fe4ebd7344bcf4bd1f57293a4d887e2a9339ef14636b08c15b83362ba',
  ],
])('%s has the bytes it always had', (_, change, digest) => {
  expect(createHash('sha256').update(svg(change)).digest('hex')).toBe(digest);
});

test('measures in modules, quiet zone included', () => {
  expect(svg()).toContain('width="410" height="410" viewBox="0 0 41 41"');
  expect(svg({ quietZoneModules: 8 })).toContain('viewBox="0 0 49 49"');
});

test('has one path for the ground and one per colour', () => {
  const paths = (change: Partial<Design>) => svg(change).match(/<path /g)?.length;
  expect(paths({})).toBe(2);
  expect(paths({ moduleShape: 'dots' })).toBe(2);
  expect(paths({ finderColor: '#204080' })).toBe(3);
  expect(paths({ finderColor: plainDesign.foreground })).toBe(2);
});

test('names the logo twice, for old programs and for new ones, and the rest not at all', () => {
  const text = svg({ logo: discLogo });
  const uri = `data:image/png;base64,${Buffer.from(discLogo.png).toString('base64')}`;
  expect(text).toContain(` href="${uri}" xlink:href="${uri}"`);
  expect(svg()).not.toContain('<image');
});

test('any design gives plain, finite, repeatable text', () => {
  fc.assert(
    fc.property(anyLink, anyDesign, (link, design) => {
      const text = svgOf(pictureOf(link, design));
      expect(svgOf(pictureOf(link, design))).toBe(text);
      const drawing = text.replaceAll(/data:image[^"]*/g, '');
      expect(drawing).not.toMatch(/NaN|undefined|Infinity|clip|style|id=|\d\.\d{4}|e-\d|-0[^.]/);
    }),
    { numRuns: 50 },
  );
});
