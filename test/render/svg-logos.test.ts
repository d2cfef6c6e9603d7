import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { decodeRgbaPng } from '../../src/render/png/rgba.ts';
import { refusalOf } from '../support/refusal.ts';

/** One file for each way in which a drawing program writes something. */
const folder = join(import.meta.dir, 'logos');

/** Colours as #rrggbb or #rrggbbaa, or none, at places given in percent of width and height. */
type Colors = Readonly<Record<string, string>>;

const [red, blue, green, cyan] = ['#c02020', '#2020c0', '#20c020', '#20c0c0'];
const middle: Colors = { '50 50': red, '1 1': 'none' };
const leftDisc: Colors = { '30 50': red };

const drawn: Readonly<Record<string, Colors>> = {
  compressed: middle,
  'css-blend-attribute': { '50 50': red },
  'css-background-inherit': middle,
  'css-gamut': { '25 50': red, '75 50': blue },
  'css-background-none': { '50 50': red, '1 1': blue },
  'css-current-color': { '25 50': red, '75 50': blue },
  'css-media': { '50 50': red },
  'css-root-transform': { '15 50': 'none', '85 50': red },
  'css-transform-attribute': { '25 50': red, '75 50': 'none' },
  'doctype-quotes': { '50 50': red },
  'encoded-reference': { '50 50': red },
  'filter-current-color': { '40 33': red, '40 75': blue },
  // As in sRGB: red and green are averaged.
  'filter-colours-auto': { '50 50': '#804020' },
  'hidden-text': { '50 50': red },
  'image-pixelated': { '47 50': red, '53 50': blue },
  'image-optimize-speed': { '20 50': red, '80 50': blue, '50 50': '#702070' },
  'image-width-mm': { '10 50': red, '33 50': blue, '40 50': 'none', '10 66': 'none' },
  'image-one-side': { '20 33': red, '20 60': 'none' },
  'minified-transform': { '52 50': red, '48 50': 'none' },
  'smil-spinner': { '50 83': red },
  'symbol-size': { '12 20': red, '48 80': red, '52 50': 'none' },
  affinity: { ...leftDisc, '80 50': blue },
  'broken-references': { ...leftDisc, '80 50': blue },
  coreldraw: { ...leftDisc, '80 10': blue },
  'css-alpha': {
    '12 50': `${red}80`,
    '37 50': `${red}80`,
    '62 50': `${red}80`,
    '76 50': `${red}80`,
    '88 50': 'none',
  },
  'css-animation': middle,
  'css-background': { '50 50': red, '1 1': blue },
  'css-colors': { '10 50': red, '30 50': blue, '50 50': green, '70 50': '#702070', '90 50': red },
  'css-earlier': { '25 50': red, '75 50': blue },
  'css-fluid-size': middle,
  'css-geometry': { ...leftDisc, '80 50': blue },
  'css-names': { '12 50': red, '37 50': 'none', '62 50': '#000000', '87 70': blue },
  'css-selectors': { '12 50': blue, '37 50': green, '62 50': red, '87 50': cyan },
  'css-var': middle,
  'css-var-nested': { '20 50': red, '50 50': green, '80 50': cyan },
  'figma-color-matrix': { '50 50': '#3f8040' },
  'figma-drop-shadow': { '50 43': red, '50 77': '#000000f7' },
  'figma-image-pattern': { '50 50': red },
  'figma-mask-alpha': { '25 50': red, '75 50': 'none' },
  'figma-p3': middle,
  'figma-p3-gradient': { '8 50': '#b3202d', '92 50': '#2e20b2' },
  'figma-p3-gray': { '50 50': '#808080' },
  'hidden-parts': middle,
  'illustrator-entities': middle,
  'illustrator-latin1': middle,
  'illustrator-style-entities': { ...leftDisc, '80 50': blue },
  'illustrator-switch': middle,
  // Red with a gamma of exactly 2.2.
  'image-empty': { '50 50': '#c11a1a' },
  'image-jpg': { '50 50': red },
  'image-percent-encoded': { '50 50': red },
  'image-svgxml': { '50 50': red },
  'image-webp': { '50 50': red },
  'image-wrong-type': { '50 50': red },
  'inkscape-context-marker': { '30 50': red, '85 50': red },
  'inkscape-empty-flow-text': middle,
  'inkscape-empty-text': middle,
  'inkscape-lpe': middle,
  'inkscape-unused-filter': middle,
  link: middle,
  markers: { '25 43': '#ffffff', '45 43': '#ffffff', '10 75': '#ee3333', '1 1': '#112233' },
  'no-namespace': middle,
  sketch: { '50 50': red, '50 75': '#0000ff', '50 95': 'none' },
  smil: middle,
  'singular-gradient': { '25 50': 'none', '75 50': red },
  'tiny-scale': { '50 50': '#cc0000', '20 50': '#cc0000', '90 90': '#eeeeee' },
  'utf-16': middle,
  'utf-16-without-mark': middle,
  'utf-8-declared-as-16': middle,
  'windows-1252': middle,
};

const refused: Readonly<Record<string, RegExp>> = {
  'p3-after-reference': /color\(display-p3 1 0 0\).*sRGB/,
  'css-alpha-none': /192 32 32 \/ none.*sRGB/,
  'css-background-gradient': /background-image: linear-gradient/,
  'css-background-image': /background-image: url\(data:/,
  'css-scheme-dark': /color-scheme: dark/,
  'gradient-linear': /<linearGradient> with color-interpolation: linearRGB/,
  'gradient-oklch': /oklch\(0\.6 0\.1 30\).*sRGB/,
  'image-not-turned': /image-orientation: none/,
  'css-color-mix': /color-mix\(in srgb/,
  'css-color-relative': /rgb\(from #c02020/,
  'css-color-system': /ButtonFace/,
  'css-filter-function': /filter effect.*drop-shadow\(/,
  'css-layers': /@layer x/,
  'css-media-size':
    /different sizes \(@media \(max-width:100px\)\)\. Remove these styles, or export/,
  'css-nested': /nested rule in g/,
  'css-nested-plain': /nested rule in g/,
  'css-transform-calc': /transform: translate\(calc/,
  'css-var-use': /root element does not define \(var\(--c, blue\)\)/,
  'filter-lighter': /filter effect.*feComposite/,
  'filter-mirrored': /rotated or mirrored object/,
  'inkscape-reversed-marker': /reversed at the start\)\. Convert it to plain paths/,
  'marker-gradient': /context-stroke/,
  'markers-closed':
    /a marker on an arc, or on a closed or empty line\)\. Convert it to plain paths/,
  'non-scaling-stroke': /vector-effect: non-scaling-stroke.*Convert it to plain paths/,
  'transform-origin': /transform-origin: 30px 20px.*Convert it to plain paths/,
  'mask-linear': /linearRGB/,
  'smil-from-zero': /only its animation shows/,
  'css-animation-hidden': /only its animation shows\. Export a still picture\.$/,
  'css-clip-shape': /clip-path: circle.*Convert it to plain paths/,
  'css-import': /outside the file \(@import/,
  'css-scale-property': /scale, rotate or translate/,
  'css-var-undefined': /does not define \(var\(--brand\)\)\. Write its value/,
  'dashes-path-length': /dashes with pathLength/,
  'figma-background-blur': /HTML.*In Figma: remove background blurs/,
  'figma-p3-only': /color\(display-p3.*In Figma: export with sRGB\.$/,
  'figma-plus-lighter': /mix-blend-mode: plus-lighter.*In Figma: Flatten/,
  'illustrator-doctype-bomb': /DOCTYPE.*In Illustrator: /,
  'illustrator-text': /text.*In Illustrator: Type → Create Outlines\.$/,
  'inkscape-flow-text': /text.*In Inkscape: Path → Object to Path\.$/,
  'inkscape-icc': /icc-color.*In Inkscape: Object → Fill and Stroke → RGB/,
  'inkscape-linked-image': /logo\.png.*In Inkscape: Extensions → Images → Embed Images\.$/,
  'inkscape-mesh': /<meshgradient>.*In Inkscape: /,
  'smil-hidden': /only its animation shows/,
  'tiny-gradient': /<linearGradient> of a tiny scale/,
  'tiny-pattern': /<pattern> of a tiny scale/,
  turbulence: /filter effect.*feTurbulence.*PNG/,
};

const read = (name: string) => Bun.file(join(folder, `${name}.svg`)).bytes();

for (const [name, colors] of Object.entries(drawn)) {
  test(`${name} is drawn as browsers draw it`, async () => {
    const { rgba, widthPx, heightPx } = decodeRgbaPng((await convertLogo(await read(name))).png);
    for (const [place, color] of Object.entries(colors)) {
      const [x = 0, y = 0] = place.split(' ').map(Number);
      const at = Math.floor((y / 100) * heightPx) * widthPx + Math.floor((x / 100) * widthPx);
      const [r = 0, g = 0, b = 0, a = 0] = rgba.subarray(at * 4, at * 4 + 4);
      const wanted = color === 'none' ? [0, 0, 0, 0] : (Bun.color(color, '[rgba]') ?? []);
      const difference = Math.max(
        ...[r, g, b, a].map((value, n) => Math.abs(value - (wanted[n] ?? 0))),
      );
      // JPEG and half transparent pixels are rounded.
      expect({ place, color: [r, g, b, a], isRight: difference <= 4 }).toMatchObject({
        isRight: true,
      });
    }
  });
}

for (const [name, message] of Object.entries(refused)) {
  test(`${name} is refused with what to do`, async () => {
    const file = await read(name);
    expect((await refusalOf(() => convertLogo(file))).said).toMatch(message);
  });
}

test('every file is in one of the tables', async () => {
  const files = (await readdir(folder)).map((file) => file.replace('.svg', ''));
  expect(files.sort()).toEqual([...Object.keys(drawn), ...Object.keys(refused)].sort());
});
