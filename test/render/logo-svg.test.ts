import { describe, expect, test } from 'bun:test';
import { normalizeLogo } from '../../src/render/logo/logo.ts';
import { paintSvg } from '../../src/render/logo/svg-raster.ts';
import { pixelAt, pixelsOf, svg } from './logo-fixtures.ts';

const text = (source: string) => new TextEncoder().encode(source);
const square = '<rect width="100" height="100" fill="#ff0000"/>';
const red = [255, 0, 0, 255];

/** The same colour, but for what is lost where it is multiplied by its alpha in whole numbers. */
function expectNear(pixel: readonly number[], wanted: readonly number[]): void {
  for (const [at, code] of wanted.entries())
    expect(Math.abs((pixel[at] ?? 0) - code)).toBeLessThanOrEqual(2);
}

describe('a drawing as programs export it', () => {
  test('by Inkscape: editor data, metadata, style attributes, layers', async () => {
    const file = text(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="210mm" height="105mm" viewBox="0 0 210 105" version="1.1" id="svg5"
  inkscape:version="1.2.2" sodipodi:docname="logo.svg"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview>
  <title>Logo</title>
  <metadata><rdf:RDF><dc:title>x</dc:title></rdf:RDF></metadata>
  <defs id="defs2"><marker id="Arrow" orient="auto"><path d="M0 0L5 5"/></marker></defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" transform="translate(5,5)">
    <path style="font-variation-settings:normal;opacity:1;fill:#ff0000;fill-opacity:1;-inkscape-stroke:none;paint-order:stroke"
      sodipodi:nodetypes="ccccc" d="m 0,0 h 200 v 95 H 0 Z" id="path1"/>
  </g></svg>`);
    const pixels = await pixelsOf(file);
    expect([pixels.widthPx, pixels.heightPx]).toEqual([512, 256]);
    expect(pixelAt(pixels, 0.5, 0.5)).toEqual(red);
    expect(pixelAt(pixels, 0.01, 0.01)[3]).toBe(0);
  });

  test('by Illustrator: document type, generator comment, classes in a style sheet', async () => {
    const file = text(`<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
  viewBox="0 0 100 100" style="enable-background:new 0 0 100 100;" xml:space="preserve">
<style type="text/css"><![CDATA[
  .st0,.st1{fill:#00FF00;}
  .st1{fill:url(#SVGID_1_); /* the gradient */}
  path.st2{fill:#FF0000 !important;clip-path:url(#SVGID_2_);}
]]></style>
<linearGradient id="SVGID_1_" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="100" y2="0">
  <stop offset="0" style="stop-color:#0000FF"/><stop offset="1" style="stop-color:#0000FE"/></linearGradient>
<defs><rect id="SVGID_3_" width="100" height="50"/></defs>
<clipPath id="SVGID_2_"><use xlink:href="#SVGID_3_" style="overflow:visible;"/></clipPath>
<rect class="st0 st1" width="100" height="100"/><path class="st2" d="M0,0h100v100H0z"/></svg>`);
    const pixels = await pixelsOf(file);
    expect(pixelAt(pixels, 0.5, 0.25)).toEqual(red);
    expect(pixelAt(pixels, 0.5, 0.75).slice(0, 2)).toEqual([0, 0]);
  });

  test('by Figma: clip path, mask, drop shadow, blend mode', async () => {
    const file =
      text(`<svg width="100" height="100" viewBox="0 0 100 100" fill="none" xmlns="http://www.w3.org/2000/svg">
<g clip-path="url(#clip0_1_2)"><mask id="mask0" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100"><rect width="100" height="100" fill="#D9D9D9"/></mask>
<g mask="url(#mask0)" style="mix-blend-mode:multiply"><g filter="url(#filter0_d)"><path fill-rule="evenodd" clip-rule="evenodd" d="M10 10H90V90H10V10Z" fill="#FF0000"/></g></g></g>
<defs><filter id="filter0_d" x="0" y="0" width="100" height="100" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">
<feFlood flood-opacity="0" result="BackgroundImageFix"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/>
<feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feBlend mode="normal" in2="BackgroundImageFix" result="effect1"/><feBlend mode="normal" in="SourceGraphic" in2="effect1" result="shape"/></filter>
<clipPath id="clip0_1_2"><rect width="100" height="100" fill="white"/></clipPath></defs></svg>`);
    const [strength = 0, ...others] = pixelAt(await pixelsOf(file), 0.5, 0.5);
    expect(strength).toBeGreaterThan(200);
    expect(others.slice(0, 2)).toEqual([0, 0]);
  });

  test('with colours that let the ground through, as they are and not darkened', async () => {
    const left = '<rect width="50" height="100" fill="rgba(16,96,192,.5)"/>';
    const right = '<rect x="50" width="50" height="100" fill="#fff" opacity=".5"/>';
    const halves = await pixelsOf(svg(left + right));
    expectNear(pixelAt(halves, 0.25, 0.5), [16, 96, 192, 128]);
    expectNear(pixelAt(halves, 0.75, 0.5), [255, 255, 255, 128]);
    const { rgba } = await pixelsOf(svg('<circle cx="50" cy="50" r="50" fill="#ffdd00"/>'));
    let edges = 0;
    for (let at = 0; at < rgba.length; at += 4) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
      if (alpha < 64 || alpha === 255) continue;
      edges++;
      expectNear([red, green, blue, alpha], [255, 221, 0, alpha]);
    }
    expect(edges).toBeGreaterThan(500);
  });

  test('without a namespace, with a byte order mark, sized in any unit', async () => {
    const file = text(
      `\ufeff  <svg width="2in" height="48pt">${square.replaceAll('100"', '500"')}</svg>`,
    );
    expect(await normalizeLogo(file)).toMatchObject({ widthPx: 512, heightPx: 171 });
  });

  test('with symbols, nested pictures and references', async () => {
    const file = svg(
      `<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10" fill="red"/></symbol>
       <svg width="50" height="100"><use href="#s" width="100" height="100"/></svg>`,
    );
    const pixels = await pixelsOf(file);
    expect(pixelAt(pixels, 0.25, 0.5)).toEqual(red);
    expect(pixelAt(pixels, 0.75, 0.5)[3]).toBe(0);
  });

  test('with a dashed line beside a shape of many coordinates', async () => {
    const shape = `<path d="M0 0${'L90 90L10 90'.repeat(1_000)}z" fill="red"/>`;
    const dashes = '<path d="M0 5H100" stroke="red" stroke-width="4" stroke-dasharray="4 2"/>';
    expect(pixelAt(await pixelsOf(svg(shape + dashes)), 0.5, 0.8)).toEqual(red);
  });

  test('with comments of every kind in its styles', async () => {
    const file = svg(
      `<style>/**/.a/* } */{/* ; */fill/*:*/:/* blue */red/***/;}/*/ fill:blue /*/${'/* */'.repeat(50_000)}
       .b{fill:blue}</style><rect class="a" style="/*fill:blue*/opacity:1/*" width="100" height="100"/>`,
    );
    expect(pixelAt(await pixelsOf(file), 0.5, 0.5)).toEqual(red);
  });

  test('gives the same bytes each time', async () => {
    expect(await normalizeLogo(svg(square))).toEqual(await normalizeLogo(svg(square)));
  });

  test('is painted in a size of its own, whatever size it claims', async () => {
    const claims = [
      'width="40000" height="40000"',
      'width="1" height="1"',
      'viewBox="0 0 900000 900000"',
    ];
    for (const claim of claims) {
      const file = svg('<rect width="900000" height="900000"/>', claim);
      expect(await normalizeLogo(file)).toMatchObject({ widthPx: 512, heightPx: 512 });
    }
  });
});

describe('refused, with what is wrong and what would be right', () => {
  const nest = (times: number, before: string, inside: string, after: string) =>
    before.repeat(times) + inside + after.repeat(times);
  const bomb = Array.from(
    { length: 8 },
    (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`,
  ).join('');
  const maskChain = Array.from(
    { length: 40 },
    (_, n) => `<mask id="m${n}"><rect width="99" height="99" mask="url(#m${n + 1})"/></mask>`,
  ).join('');
  const cases: Record<string, [file: Uint8Array, says: RegExp]> = {
    'markup that is not well-formed': [text('<svg><g></svg>'), /not well-formed.*again/],
    'text in Latin-1': [Buffer.from('<svg title="\xe9"/>', 'latin1'), /UTF-8/],
    'XML that is no SVG': [text('<note/>'), /<note>|no SVG/],
    entities: [
      text('<!DOCTYPE svg [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>'),
      /document type/,
    ],
    'an external entity': [
      text('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
      /document type/,
    ],
    'an external document type': [
      text('<!DOCTYPE svg SYSTEM "http://x.example/a.dtd"><svg/>'),
      /document type/,
    ],
    'an unknown entity': [svg('&x;'), /not well-formed/],
    'a style sheet elsewhere': [
      text('<?xml-stylesheet href="http://x.example/a.css"?><svg/>'),
      /processing instruction.*xml-stylesheet/,
    ],
    'an imported style sheet': [
      svg(`<style>@import url(/etc/passwd);</style>${square}`),
      /@import/,
    ],
    'a font from elsewhere': [svg('<style>@font-face{src:url(//x)}</style>'), /@font-face/],
    'a style that loads': [svg('<rect style="fill:url(http://x.example/)"/>'), /points outside/],
    'a style that loads in disguise': [
      svg('<rect style="fill:u\\72l(http://x.example/)"/>'),
      /points outside/,
    ],
    'a property that loads': [svg('<rect cursor="url(/etc/passwd)"/>'), /points outside/],
    'a script': [svg('<script>alert(1)</script>'), /a script.*Remove/],
    'a script attribute': [svg('<rect onload="alert(1)"/>'), /onload/],
    'a foreign object': [svg('<foreignObject><p/></foreignObject>'), /foreign object/],
    'a link': [svg('<a href="https://x.example">x</a>'), /a link.*Remove/],
    animation: [svg('<rect><animate attributeName="x"/></rect>'), /animated.*one picture/],
    'text without its font': [svg('<text y="9">Logo</text>'), /Convert text to paths/],
    'a picture inside': [svg('<image href="/etc/passwd"/>'), /embedded picture.*PNG/],
    'a picture in a filter': [svg('<filter><feImage href="/etc/passwd"/></filter>'), /<feImage>/],
    'a pattern': [svg('<pattern id="p"/>'), /pattern.*PNG/],
    'a turbulence': [svg('<filter><feTurbulence/></filter>'), /<feTurbulence>/],
    'a reference to another file': [svg('<use href="other.svg#a"/>'), /<use>.*outside the file/],
    'an xlink reference to another file': [
      svg('<use xlink:href="file:///etc/passwd#a"/>'),
      /outside the file/,
    ],
    'a reference to itself': [svg('<g id="a"><use href="#a"/></g>'), /refers to itself/],
    'a mask of itself': [svg('<mask id="a"><rect mask="url(#a)"/></mask>'), /refers to itself/],
    'a gradient of itself': [svg('<linearGradient id="a" href="#a"/>'), /refers to itself/],
    'a bomb of references': [
      svg(`<rect id="u0" width="1" height="1"/>${bomb}`),
      /10000 painted elements/,
    ],
    'a chain of masks': [svg(maskChain), /12 transparent or clipped/],
    'deep nesting': [svg(nest(70, '<g>', square, '</g>')), /nested more than 64/],
    'endless depth': [text('<g>'.repeat(200_000)), /nested more than 64/],
    'very many elements': [svg('<g/>'.repeat(5_001)), /5000 elements/],
    'very many attributes': [
      svg(`<g ${Array.from({ length: 500 }, (_, n) => `a${n}=""`).join(' ')}/>`),
      /100 attributes/,
    ],
    'a very long path': [svg(`<path d="M0 0${'L9 9'.repeat(20_000)}"/>`), /10000 segments/],
    'a very long attribute': [svg(`<g transform="${' '.repeat(3_000)}"/>`), /too long/],
    'very many rules': [svg(`<style>${'a{fill:red}'.repeat(600)}</style>`), /500 style rules/],
    'a very long style': [svg(`<g style="${'fill:red;'.repeat(2_000)}"/>`), /“style”.*too long/],
    'a very long style sheet': [
      svg(`<style>a{fill:${'red'.repeat(50_000)}}</style>`),
      /style sheet of more than 100000 characters/,
    ],
    'a font inside': [
      svg(`<style>@font-face{src:url(data:${'A'.repeat(200_000)})}</style>`),
      /@font-face/,
    ],
    'styles that every element repeats': [
      svg(`<style>*{stroke-dasharray:${'1 '.repeat(30_000)}}</style>${'<g/>'.repeat(4_000)}`),
      /written out for every element/,
    ],
    'comments in a style sheet that never end': [
      svg(`<style>${'/* '.repeat(300_000)}</style>${square}`),
      /style sheet of more than/,
    ],
    'comments in a style that never end': [
      svg(`<rect style="${'/* '.repeat(300_000)}"/>`),
      /“style”.*too long/,
    ],
    'a selector that is too clever': [svg('<style>g>path{fill:red}</style>'), /selector.*g>path/],
    'very fine dashes': [
      svg('<path d="M0 0H100" stroke="red" stroke-dasharray="0.0001"/>'),
      /too many dashes/,
    ],
    'very fine dashes on all that a reference paints': [
      svg(
        '<defs><path id="p" d="M0 0H100"/></defs><g stroke-dasharray="0.001"><use href="#p"/></g>',
      ),
      /too many dashes/,
    ],
    'no size': [text(`<svg xmlns="http://www.w3.org/2000/svg">${square}</svg>`), /viewBox/],
    'a size of nothing': [svg(square, 'viewBox="0 0 0 10"'), /zero/],
    'a huge size': [svg(square, 'viewBox="0 0 1e30 1e30"'), /million/],
    'coordinates beyond sense': [
      svg('<path d="M1e38 0A1 1e30 0 0 1 5 5"/>'),
      /beyond a million.*“d”/,
    ],
    'a box of words': [svg(square, 'viewBox="a b c d"'), /four usable numbers/],
    'a hair': [svg(square, 'viewBox="0 0 1000 1"'), /20 times/],
    'nothing to see': [svg('<rect width="9" height="9" fill="none"/>'), /nothing to see/],
    'very many blurs': [
      svg(
        `<filter id="f"><feGaussianBlur stdDeviation="4"/></filter>${'<g filter="url(#f)"/>'.repeat(300)}`,
      ),
      /too many filter effects/,
    ],
    'very many layers': [svg('<g opacity=".5"/>'.repeat(600)), /500 transparent/],
    'too much work': [
      svg(
        `<filter id="f"><feGaussianBlur stdDeviation="40"/></filter>${`<rect x="-900" y="-900" width="2000" height="2000" filter="url(#f)"/>`.repeat(190)}`,
      ),
      /too long to paint.*PNG/,
    ],
  };
  for (const [name, [file, says]] of Object.entries(cases)) {
    test(name, async () => {
      const refusal = await normalizeLogo(file).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: 'InvalidLogo', message: expect.stringMatching(says) });
    });
  }
});

describe('the time that a drawing takes', () => {
  const empty = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

  test('may not grow too far, and full size is not tried then', async () => {
    const sizes: number[] = [];
    const svgAt = (sidePx: number) => {
      sizes.push(sidePx);
      return empty;
    };
    // With each reading the time of one painting has passed: four times as long at twice the size,
    // and a little too long at 128 pixels.
    let spentMs = 0;
    const spent = () => {
      spentMs += 31 * ((sizes.at(-1) ?? 0) / 64) ** 2;
      return spentMs;
    };
    await expect(paintSvg(svgAt, 512, spent)).rejects.toThrow('too long to paint');
    expect(sizes).toEqual([16, 32, 64, 128]);
  });

  test('may be long once, because the process had just begun', async () => {
    const readings = [0, 0, 400];
    const pixels = await paintSvg(
      () => empty,
      512,
      () => readings.shift() ?? 400,
    );
    expect([pixels.widthPx, pixels.heightPx]).toEqual([9, 9]);
  });

  test('may not be long in all', async () => {
    let readings = 0;
    const spent = () => (readings++ > 3 ? 501 : 0);
    await expect(paintSvg(() => empty, 512, spent)).rejects.toThrow('too long to paint');
  });
});
