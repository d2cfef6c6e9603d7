import { describe, expect, test } from 'bun:test';
import { normalizeLogo } from '../../src/render/logo/logo.ts';
import { pixelAt, pixelsOf, svg } from './logo-fixtures.ts';

const brand = [16, 96, 192, 255];
const square = '<rect width="100" height="100" fill="#1060c0"/>';
const line = (attributes: string) =>
  `<path d="M0 50H100" stroke="#1060c0" stroke-width="100" ${attributes}/>`;

const middle = async (file: Uint8Array) => pixelAt(await pixelsOf(file), 0.5, 0.5);

/** A picture whose <svg> element has more attributes. */
const rooted = (attributes: string, body = square) =>
  svg(body, `viewBox="0 0 100 100" ${attributes}`);

describe('what would look different is refused by name:', () => {
  const turned = (attributes: string) =>
    svg(`<g transform="rotate(45)" ${attributes}>${square}</g>`);
  const cases: Record<string, [file: Uint8Array, says: RegExp]> = {
    'an origin of a turn': [turned('transform-origin="50 50"'), /transform-origin/],
    'an origin in a style': [turned('style="transform-origin:center"'), /transform-origin/],
    'a box to turn in': [turned('style="transform-box:fill-box"'), /transform-box/],
    'an origin of a gradient': [
      svg('<linearGradient gradientTransform="rotate(45)" transform-origin="9 9"/>'),
      /transform-origin/,
    ],
    'strokes that do not scale': [
      svg(line('vector-effect="non-scaling-stroke"')),
      /vector-effect: non-scaling-stroke/,
    ],
    'dashes in lengths of the path': [
      svg(line('pathLength="100" stroke-dasharray="25 75"')),
      /pathLength/,
    ],
    'dashes in lengths of the path, inherited': [
      svg(`<g stroke-dasharray="25 75">${line('pathLength="100"')}</g>`),
      /pathLength/,
    ],
    'a radius in a style': [svg('<circle style="r:40px"/>'), /“r” as the style of a <circle>/],
    'a place in a sheet': [
      svg('<style>circle{cx:50px}</style><circle r="40"/>'),
      /“cx” as the style of a <circle>/,
    ],
    'a size in a style': [svg('<rect style="width:40px;height:40px"/>'), /“width” as the style/],
    'a path in a style': [svg('<path style="d:path(&quot;M0 0H9V9z&quot;)"/>'), /“d” as the style/],
    'a turned picture': [rooted('transform="rotate(180)"'), /transform on its <svg>/],
    'a flipped picture': [rooted('transform="scale(-1 1)"'), /transform on its <svg>/],
    'a background': [rooted('style="background:#fc8"'), /background: #fc8/],
    'a background in a sheet': [
      rooted('', `<style>svg{background-color:white}</style>${square}`),
      /background-color: white/,
    ],
    'a language': [
      svg(`<switch><g systemLanguage="de"/>${square}</switch>`),
      /on condition.*systemLanguage/,
    ],
    'a program of its own': [
      svg('<g requiredExtensions="http://x.example"/>'),
      /requiredExtensions/,
    ],
    'a sheet for print': [
      svg(`<style media="print">rect{fill:red}</style>${square}`),
      /style sheet for “print”/,
    ],
    'a length in letters': [svg('<rect width="2em" height="9"/>'), /width: 2em/],
    'a length of the page': [svg('<rect width="9" height="1rem"/>'), /height: 1rem/],
    'a length to calculate': [svg('<circle r="calc(1px + 2px)"/>'), /r: calc/],
  };
  test.each(Object.entries(cases))('%s', async (_, [file, says]) => {
    const refusal = await normalizeLogo(file).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'InvalidLogo', message: expect.stringMatching(says) });
  });
});

describe('what changes nothing is left out:', () => {
  const cases: Record<string, Uint8Array> = {
    'an origin without a turn': svg(`<g transform-origin="50 50">${square}</g>`),
    'an origin of a shift': svg(
      `<g transform="translate(0, 0) translate(1)" style="transform-origin:50% 50%;transform-box:fill-box">${square}</g>`,
    ),
    'the usual origin of a turn': svg(
      `<g transform="scale(2)" style="transform-origin:0px 0px;transform-box:view-box">${square}</g>`,
    ),
    'no effect on strokes': svg(line('style="vector-effect:none"')),
    'an effect on no strokes': svg(
      `<g vector-effect="non-scaling-stroke">${square.replace('/>', ' style="stroke:none;vector-effect:non-scaling-stroke"/>')}</g>`,
    ),
    'a length of a path without dashes': svg(line('pathLength="1" stroke-dasharray="none"')),
    'a size of the whole picture': rooted(
      'width="1em" height="1em" style="width:100%;height:auto;max-width:9rem"',
    ),
    'a size of what has none': svg(`<g style="width:9px;x:9px">${square}</g>`),
    'a transform that moves nothing': rooted(
      'transform="rotate(0)matrix(1, 0, 0, 1, 0, 0) scale(1)" transform-origin="9 9"',
    ),
    'no background': rooted(
      'style="background:none;background-color:transparent" background="red"',
    ),
    'a background of a part': svg(`<g style="background:red">${square}</g>`),
    'a sheet for screens': svg(
      `<style media="print, screen">rect{fill:#1060c0}</style>${square.replace(/fill=.*"/, '')}`,
    ),
    'what editors write': rooted(
      'style="enable-background:new 0 0 9 9;-inkscape-stroke:none;font-size:2em;shape-inside:none;paint-order:normal" requiredFeatures="x"',
    ),
  };
  test.each(Object.entries(cases))('%s', async (_, file) => {
    expect(await middle(file)).toEqual(brand);
  });
});

describe('which of two counts', () => {
  test('of references: the one without a namespace, in either order', async () => {
    const shapes = `<defs><g id="p">${square}</g><rect id="q" width="100" height="100" fill="red"/></defs>`;
    for (const use of ['href="#p" xlink:href="#q"', 'xlink:href="#q" href="#p"'])
      expect(await middle(svg(`${shapes}<use ${use}/>`))).toEqual(brand);
  });

  test('of styles: the important one, wherever it stands', async () => {
    const plain = square.replace(/fill=.*"/, 'class="a" style="fill:red"');
    const sheet = (css: string) => `<style>${css}</style>`;
    const files = [
      sheet('rect{fill:#1060c0 !important}') + plain,
      sheet('rect{fill:#1060c0!important}.a{fill:red}') + plain,
      sheet('rect{fill:#1060c0!important;fill:red}') + plain,
      sheet('rect{fill:red!important}') + plain.replace('red', '#1060c0 ! important'),
    ];
    for (const file of files) expect(await middle(svg(file))).toEqual(brand);
  });

  test('of a transform and the style that takes it away: the style', async () => {
    const shifted = '<g transform="translate(90)" style="transform:none">';
    expect(await middle(svg(`${shifted}${square}</g>`))).toEqual(brand);
  });
});

test('a shape with a filter that is not there is drawn without', async () => {
  for (const filter of ['url(#none)', 'url(#shape)']) {
    const shape = square.replace('<rect', `<rect id="shape" filter="${filter}"`);
    expect(await middle(svg(shape))).toEqual(brand);
  }
});
