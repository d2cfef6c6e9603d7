import { Resvg } from '@resvg/resvg-js';
import qrcode from 'qrcode-generator';
import type { Logo } from '../../../src/core/designs/design.ts';
import type { Chance } from './chance.ts';
import { hsl } from './colors.ts';

/** Kinds of logos with their weights. Reports group errors by them. */
export const logoKinds = {
  disc: 16,
  monogram: 16,
  photograph: 18,
  slogan: 14,
  transparent: 14,
  finderLike: 11,
  qrCode: 5,
  blank: 6,
} as const;
export type LogoKind = keyof typeof logoKinds;

/** A logo in stored form: an RGBA PNG whose longer side is 96 to 512 pixels. */
export function logoOf(kind: LogoKind, chance: Chance): Logo {
  const longer = chance.whole(96, 512);
  const aspect = aspectOf(kind, chance);
  const widthPx = Math.round(longer * Math.min(1, aspect));
  const heightPx = Math.round(longer / Math.max(1, aspect));
  const width = widthPx / longer;
  const height = heightPx / longer;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${drawing(kind, width, height, chance)}</svg>`;
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { png: image.asPng(), widthPx, heightPx };
}

/** Width over height: slogans are wide, photographs about 4:3, codes and finders square. */
function aspectOf(kind: LogoKind, chance: Chance): number {
  if (kind === 'slogan') return chance.between(1.6, 4);
  if (kind === 'photograph') return chance.one([1, 4 / 3, 3 / 4, 16 / 9]);
  if (kind === 'qrCode' || kind === 'finderLike' || kind === 'disc') return 1;
  return chance.between(0.6, 1.7);
}

/** SVG content in a box `width` by `height`, the longer of which is 1. */
function drawing(kind: LogoKind, width: number, height: number, chance: Chance): string {
  const color = () => hsl(chance.between(0, 360), chance.unit(), chance.between(0.05, 0.95));
  const ground = (fill: string) => `<rect width="${width}" height="${height}" fill="${fill}"/>`;
  switch (kind) {
    case 'disc':
      return `<circle cx="${width / 2}" cy="${height / 2}" r="${width / 2}" fill="${color()}"/><circle cx="${width / 2}" cy="${height / 2}" r="${chance.between(0.1, 0.4)}" fill="${color()}"/>`;
    case 'monogram':
      return ground(color()) + strokes(width, height, color(), 1, chance);
    case 'photograph':
      return photograph(width, height, color, chance);
    case 'slogan':
      return (
        (chance.true(0.6) ? ground(color()) : '') + strokes(width, height, color(), 12, chance)
      );
    case 'transparent':
      return transparent(width, height, color, chance);
    case 'finderLike':
      return finderLike(color, chance);
    case 'qrCode':
      return smallCode(chance);
    case 'blank':
      return ground(chance.one(['#ffffff', '#000000', '#808080']));
  }
}

/** Glyph-like blocks in a row: each a few bars, as letters are to a scanner. */
function strokes(width: number, height: number, fill: string, glyphs: number, chance: Chance) {
  const step = (width * 0.9) / glyphs;
  const bar = (x: number, y: number, w: number, h: number) =>
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"/>`;
  let out = '';
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const left = width * 0.05 + glyph * step;
    const [w, top, h, thick] = [step * 0.8, height * 0.2, height * 0.6, step * 0.22];
    out += bar(left, top, thick, h);
    if (chance.true(0.6)) out += bar(left + w - thick, top, thick, h);
    if (chance.true(0.6)) out += bar(left, top, w, h * 0.18);
    if (chance.true(0.5)) out += bar(left, top + h * 0.41, w, h * 0.18);
    if (chance.true(0.6)) out += bar(left, top + h * 0.82, w, h * 0.18);
  }
  return out;
}

/** A sky, a hill, a few dozen soft and hard blobs, and grain: many tones and edges, like a photograph. */
function photograph(width: number, height: number, color: () => string, chance: Chance): string {
  let blobs = '';
  for (let blob = chance.whole(15, 60); blob > 0; blob--) {
    const shape = `cx="${width * chance.unit()}" cy="${height * chance.unit()}" rx="${chance.between(0.02, 0.25)}" ry="${chance.between(0.02, 0.25)}"`;
    blobs += `<ellipse ${shape} fill="${color()}" fill-opacity="${chance.between(0.2, 0.9)}"/>`;
  }
  const grain = `<filter id="g" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="${chance.between(0.02, 0.3)}" numOctaves="3" seed="${chance.whole(1, 9999)}"/><feComposite in2="SourceGraphic" operator="in"/></filter>`;
  return `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${color()}"/><stop offset="1" stop-color="${color()}"/></linearGradient>${grain}</defs><rect width="${width}" height="${height}" fill="url(#s)"/>${blobs}<rect width="${width}" height="${height}" fill="#808080" filter="url(#g)" opacity="0.4"/>`;
}

/** A shape on nothing: rings, stars and triangles with clear or half-clear parts. */
function transparent(width: number, height: number, color: () => string, chance: Chance): string {
  const [x, y, r] = [width / 2, height / 2, Math.min(width, height) * 0.46];
  const points = chance.whole(3, 9);
  const inner = chance.between(0.35, 0.8);
  const star = Array.from({ length: points * 2 }, (_, corner) => {
    const reach = corner % 2 === 0 ? r : r * inner;
    const angle = (Math.PI * corner) / points;
    return `${x + reach * Math.sin(angle)},${y - reach * Math.cos(angle)}`;
  }).join(' ');
  const opacity = chance.true(0.3) ? chance.between(0.3, 0.9) : 1;
  return chance.true(0.5)
    ? `<polygon points="${star}" fill="${color()}" opacity="${opacity}"/>`
    : `<circle cx="${x}" cy="${y}" r="${r * 0.8}" fill="none" stroke="${color()}" stroke-width="${r * chance.between(0.1, 0.4)}" opacity="${opacity}"/><polygon points="${star}" fill="none" stroke="${color()}" stroke-width="${r * 0.1}"/>`;
}

/** Nested squares or rings in the 1:1:3:1:1 proportion that scanners look for first. */
function finderLike(color: () => string, chance: Chance): string {
  const dark = chance.true(0.6) ? '#000000' : color();
  const one = (x: number, y: number, side: number) => {
    const box = (inset: number, fill: string) =>
      `<rect x="${x + (inset * side) / 7}" y="${y + (inset * side) / 7}" width="${(side * (7 - 2 * inset)) / 7}" height="${(side * (7 - 2 * inset)) / 7}" rx="${round * side * (0.5 - inset / 7)}" fill="${fill}"/>`;
    return box(0, dark) + box(1, '#ffffff') + box(2, dark);
  };
  const round = chance.one([0, 0, 0.5, 1]);
  const ground = '<rect width="1" height="1" fill="#ffffff"/>';
  if (chance.true(0.6)) return ground + one(0.06, 0.06, 0.88);
  return ground + one(0.04, 0.04, 0.42) + one(0.54, 0.04, 0.42) + one(0.04, 0.54, 0.42);
}

/** A complete QR code for another URL. */
function smallCode(chance: Chance): string {
  const matrix = qrcode(0, 'L');
  matrix.addData(`HTTPS://OTHER.EXAMPLE/${chance.whole(0, 9)}`, 'Alphanumeric');
  matrix.make();
  const side = matrix.getModuleCount();
  const module = 1 / (side + 4);
  let path = '';
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      if (!matrix.isDark(row, column)) continue;
      path += `M${(column + 2) * module} ${(row + 2) * module}h${module}v${module}h${-module}z`;
    }
  }
  return `<rect width="1" height="1" fill="#ffffff"/><path d="${path}"/>`;
}
