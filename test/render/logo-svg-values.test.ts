import { describe, expect, test } from 'bun:test';
import { normalizeLogo } from '../../src/render/logo/logo.ts';
import { pixelAt, pixelsOf, svg } from './logo-fixtures.ts';

const brand = [16, 96, 192, 255];
const refusalOf = (file: Uint8Array) => normalizeLogo(file).catch((error: unknown) => error);
const refused = (says: RegExp) => ({
  name: 'InvalidLogo',
  message: expect.stringMatching(says),
});
const square = (attributes: string) => `<rect width="100" height="100" ${attributes}/>`;

describe('a colour', () => {
  const middle = async (body: string) => pixelAt(await pixelsOf(svg(body)), 0.5, 0.5);

  test.each([
    '#1060c0',
    '#1060C0ff',
    'rgb(16,96,192)',
    'RGB( 16 , 96 , 192 )',
    'rgb(16 96 192)',
    'rgba(16,96,192,1)',
    'rgb(6.2745%,37.647%,75.294%)',
    'currentColor',
    'currentcolor',
    'inherit',
    'url(#none) #1060c0',
    'url("#gradient")',
    "URL( '#gradient' ) none",
  ])('%s is drawn, as attribute and as style', async (color) => {
    const text = color.replaceAll('"', '&quot;');
    const gradient = '<linearGradient id="gradient"><stop stop-color="#1060c0"/></linearGradient>';
    const within = (body: string) => `${gradient}<g fill="#1060c0" color="#1060c0">${body}</g>`;
    expect(await middle(within(square(`fill="${text}"`)))).toEqual(brand);
    expect(await middle(within(square(`style="fill:red;fill:${text}"`)))).toEqual(brand);
  });

  test('in hsl() and by name is drawn', async () => {
    expect(await middle(square('fill="hsl(240, 100%, 50%)"'))).toEqual([0, 0, 255, 255]);
    expect(await middle(square('fill="RoyalBlue"'))).toEqual([65, 105, 225, 255]);
  });

  test('in Display P3 as Figma writes it is drawn from the sRGB before it', async () => {
    const p3 = 'color(display-p3 0.1255 0.3725 0.7294)';
    const fill = `style="fill:#1060c0;fill:${p3};fill-opacity:1"`;
    expect(await middle(square(`fill="#1060C0" ${fill}`))).toEqual(brand);
    const stop = `<stop stop-color="#1060C0" style="stop-color:#1060c0;stop-color:${p3}"/>`;
    const gradient = `<linearGradient id="g">${stop}</linearGradient>`;
    expect(await middle(gradient + square('fill="url(#g)"'))).toEqual(brand);
  });

  test('set back to the initial one is black, or none for a stroke', async () => {
    const inside = square('fill="red" style="fill:initial;stroke:initial"');
    const stroke = 'stroke="red" stroke-width="150"';
    expect(await middle(`<g fill="red" ${stroke}>${inside}</g>`)).toEqual([0, 0, 0, 255]);
  });

  test('that nobody knows leaves the plainer one beside it, before or behind', async () => {
    for (const style of ['fill:#1060c0;fill:notacolor', 'fill:oklch(0.5 0.17 255);fill:#1060c0'])
      expect(await middle(square(`style="${style}"`))).toEqual(brand);
  });

  test.each(['', 'null', 'undefined'])('of nothing, “%s”, is left out', async (nothing) => {
    const inside = square(`fill="${nothing}" style="fill:${nothing}" stroke="${nothing}"`);
    expect(await middle(`<g fill="#1060c0">${inside}</g>`)).toEqual(brand);
  });

  test.each([
    'rgb(16 96 192 / 50%)',
    'rgba(16,96,192,50%)',
    'rgb(16.5,96,192)',
    'rgb(16,96,192',
    'hsl(213deg,85%,41%)',
    'hwb(213 6% 25%)',
    'oklch(0.5 0.17 255)',
    'rebeccapurple',
    'light-dark(#1060c0,#fff)',
    'unset',
    'notacolor',
    '#12345',
    '#1060c0 icc-color(acme,0.1)',
  ])('%s is refused by name', async (color) => {
    const says = new RegExp(`fill: ${RegExp.escape(color)}.*#rrggbb`);
    const files = [
      square(`fill="${color}"`),
      square(`fill="#1060c0" style="fill:${color}"`),
      `<style>rect{fill:${color}}</style>${square('')}`,
    ];
    for (const file of files) expect(await refusalOf(svg(file))).toMatchObject(refused(says));
  });

  test('is refused wherever it would be painted black', async () => {
    for (const property of ['stroke', 'stop-color', 'flood-color', 'color'])
      expect(await refusalOf(svg(`<g ${property}="oklch(0.5 0.17 255)"/>`))).toMatchObject(
        refused(new RegExp(`${property}: oklch`)),
      );
    expect(await refusalOf(svg('<g flood-color="currentColor"/>'))).toMatchObject(
      refused(/flood-color: currentColor/),
    );
    expect(await refusalOf(svg(square('style="fill:red;fill:unset"')))).toMatchObject(
      refused(/fill: unset/),
    );
  });
});

describe('a length', () => {
  const stroked = (attributes: string) =>
    svg(`<path d="M0 50H100" stroke="#1060c0" ${attributes}/>`);

  test.each(['40', '40px', '40PX', '30pt', '40%', '+4e1'])('of %s is drawn', async (width) => {
    const pixels = await pixelsOf(stroked(`stroke-width="${width}"`));
    expect([0.28, 0.32, 0.68, 0.72].map((down) => pixelAt(pixels, 0.5, down)[3])).toEqual([
      0, 255, 255, 0,
    ]);
  });

  test.each(['calc(2px*4)', '.25rem', '1vw', '1Q', '2em', 'thick'])(
    'of %s is refused, unless a plainer one stands beside it',
    async (width) => {
      const says = refused(/stroke-(width|dasharray): .*plain numbers/);
      expect(await refusalOf(stroked(`stroke-width="${width}"`))).toMatchObject(says);
      expect(await refusalOf(stroked(`style="stroke-width:${width}"`))).toMatchObject(says);
      expect(await refusalOf(stroked(`stroke-dasharray="4, ${width}"`))).toMatchObject(says);
      const pixels = await pixelsOf(stroked(`style="stroke-width:40;stroke-width:${width}"`));
      expect(pixelAt(pixels, 0.5, 0.35)).toEqual(brand);
    },
  );

  test('of an opacity that has to be calculated is refused', async () => {
    expect(await refusalOf(svg(square('opacity="calc(1/2)"')))).toMatchObject(
      refused(/opacity: calc/),
    );
  });
});

test('a clip path is found with quotes around its name, and in capitals', async () => {
  for (const reference of ["url('#c')", 'url(&quot;#c&quot;)', 'URL(#c)', 'url( #c )']) {
    const clip = '<clipPath id="c"><rect width="50" height="100"/></clipPath>';
    const pixels = await pixelsOf(svg(clip + square(`clip-path="${reference}"`)));
    expect([0.25, 0.75].map((right) => pixelAt(pixels, right, 0.5)[3])).toEqual([255, 0]);
  }
});

describe('shapes that are blended', () => {
  const blended = (attributes: string, group = '') =>
    svg(`${square('fill="#fa0"')}<g ${group}>${square(`fill="#1060c0" ${attributes}`)}</g>`);
  const middle = async (file: Uint8Array) => pixelAt(await pixelsOf(file), 0.5, 0.5);

  test('are mixed with what lies below them, unless their group is isolated', async () => {
    const multiply = 'style="mix-blend-mode:multiply"';
    expect(await middle(blended(multiply))).toEqual([16, 64, 0, 255]);
    expect(await middle(blended(multiply, 'style="isolation:isolate"'))).toEqual(brand);
  });

  test('are named by a style, in any case; an attribute says nothing', async () => {
    const sheet = '<style>.m{mix-blend-mode:MULTIPLY}</style>';
    const file = svg(`${sheet}${square('fill="#fa0"')}${square('class="m" fill="#1060c0"')}`);
    expect(await middle(file)).toEqual([16, 64, 0, 255]);
    expect(await middle(blended('mix-blend-mode="multiply"'))).toEqual(brand);
  });

  test('in a way that cannot be drawn are refused', async () => {
    for (const value of ['mix-blend-mode: plus-lighter', 'isolation: a b'])
      expect(await refusalOf(blended(`style="${value}"`))).toMatchObject(
        refused(new RegExp(`${value}”, which cannot be drawn here\\.`)),
      );
  });
});

describe('dashes on a shape whose size is a share of the picture', () => {
  const circle = (attributes: string, radius = '40%') =>
    `<circle cx="50%" cy="50%" r="${radius}" fill="none" stroke="#1060c0" stroke-width="10" ${attributes}/>`;
  const tooMany = refused(/too many dashes/);

  test('are drawn', async () => {
    const pixels = await pixelsOf(svg(circle('stroke-dasharray="400 1"')));
    expect(pixelAt(pixels, 0.5, 0.1)).toEqual(brand);
  });

  test('are refused where there are too many', async () => {
    const large = 'viewBox="0 0 10000 10000"';
    const file = svg(circle('stroke-dasharray="0.5"'), large);
    expect(await refusalOf(file)).toMatchObject(tooMany);
    const within = `<svg ${large}>${circle('stroke-dasharray="0.5"')}</svg>`;
    expect(await refusalOf(svg(within))).toMatchObject(tooMany);
    const growing = `<svg width="900%"><svg width="900%">${circle('stroke-dasharray="0.1"')}</svg></svg>`;
    expect(await refusalOf(svg(growing))).toMatchObject(tooMany);
    const odd = svg(circle('stroke-dasharray="0.5"'), `${large} width="1constructor"`);
    expect(await refusalOf(odd)).toMatchObject(tooMany);
  });

  test('are counted in the unit of the shape', async () => {
    const file = svg(circle('stroke-dasharray="0.02"', '1in'));
    expect(await refusalOf(file)).toMatchObject(tooMany);
  });

  test('are refused when they are shares themselves', async () => {
    expect(await refusalOf(svg(circle('stroke-dasharray="5% 2"')))).toMatchObject(
      refused(/stroke-dasharray: 5% 2/),
    );
  });
});
