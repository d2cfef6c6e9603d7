import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { anyDesign, anyLink, discLogo, sampleLink } from './design-arbitraries.ts';

const svg = (change: Partial<Design> = {}) =>
  svgOf(pictureOf(sampleLink, { ...plainDesign, ...change }));

test('measures in modules, quiet zone included', () => {
  expect(svg()).toContain('width="410" height="410" viewBox="0 0 41 41"');
  expect(svg({ quietZoneModules: 8 })).toContain('viewBox="0 0 49 49"');
});

test.each([
  [{}, 2],
  [{ moduleShape: 'dots' }, 2],
  [{ finderColor: '#204080' }, 3],
  [{ finderColor: plainDesign.foreground }, 2],
] as const)('has one path for the background and one per colour: %p has %i', (change, paths) => {
  expect(svg(change).match(/<path /g)).toHaveLength(paths);
});

test('embeds the logo for old programs and for new ones', () => {
  const uri = `data:image/png;base64,${Buffer.from(discLogo.png).toString('base64')}`;
  expect(svg({ logo: discLogo })).toContain(` href="${uri}" xlink:href="${uri}"`);
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
