import {
  type Color,
  converter,
  formatHex,
  formatHex8,
  interpolateWithPremultipliedAlpha,
  parse,
} from 'culori';

/** What a rasterizer for sRGB can do with a colour. */
export type SvgColor =
  | { readonly kind: 'srgb'; readonly value: string }
  /** A browser shows another colour than the declarations before it. */
  | { readonly kind: 'unread'; readonly value: null }
  /** In sRGB, but the author may have written an sRGB value for it, as Figma does for Display P3. */
  | { readonly kind: 'wide'; readonly value: string | null };

/** Colours of the user interface, except those that are black. Browsers differ in them. */
const systemColors =
  /^(accentcolor(text)?|activetext|button(border|face)|canvas|field|graytext|highlight(text)?|linktext|mark|selecteditem(text)?|visitedtext)$/;

const blackSystemColors = /^(button|canvas|field)text$/;

/** What browsers read in colours, and this does not. */
const unreadFunctions = /\(\s*from\s|\bcalc\(|\bhue\b|^contrast-color\(/;

/** Of 1. Rounded coordinates of a colour on the edge of sRGB lie a little outside. */
const gamutTolerance = 0.02;

const toRgb = converter('rgb');
const toLinear = converter('lrgb');

/** Spaces of color-mix() under culori's names. */
const mixSpaces: Readonly<Record<string, Parameters<typeof converter>[0]>> = {
  srgb: 'rgb',
  'srgb-linear': 'lrgb',
  'display-p3': 'p3',
  lab: 'lab',
  oklab: 'oklab',
  lch: 'lch',
  oklch: 'oklch',
  hsl: 'hsl',
  hwb: 'hwb',
  xyz: 'xyz65',
};

/**
 * Reads a colour of CSS Color 4, color-mix() or light-dark().
 *
 * @returns null when it is not a colour that a browser shows
 */
export function readColor(text: string, currentColor = '#000'): SvgColor | null {
  const written = text.trim().toLowerCase();
  if (written === 'currentcolor') return { kind: 'srgb', value: 'currentColor' };
  if (systemColors.test(written) || unreadFunctions.test(written))
    return { kind: 'unread', value: null };
  const css = blackSystemColors.test(written)
    ? '#000'
    : written.replaceAll('currentcolor', currentColor);
  const color = parseColor(css);
  if (color === undefined) return null;
  const { r = 0, g = 0, b = 0, alpha = 1 } = toRgb(color);
  const rgb = { mode: 'rgb', r: clamp(r), g: clamp(g), b: clamp(b), alpha: clamp(alpha) } as const;
  const value = rgb.alpha === 1 ? formatHex(rgb) : formatHex8(rgb);
  // rgb(300 0 0) is clamped, as browsers do.
  if (color.mode === 'rgb') return { kind: 'srgb', value };
  const isOutside = [r, g, b].some(
    (channel) => Math.abs(clamp(channel) - channel) > gamutTolerance,
  );
  if (isOutside) return { kind: 'wide', value: null };
  return { kind: color.mode === 'p3' ? 'wide' : 'srgb', value };
}

/** Returns a colour whose linear value is written as sRGB: so the rasterizer reads those of shadows. */
export function toLinearHex(css: string): string {
  const linear = toLinear(css);
  return linear === undefined ? css : formatHex8({ ...linear, mode: 'rgb' });
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function parseColor(css: string): ReturnType<typeof parse> {
  const [, name, content = ''] = /^([a-z-]+)\((.*)\)$/s.exec(css) ?? [];
  if (name === 'light-dark') return parseColor(splitList(content)[0] ?? '');
  if (name === 'color-mix') return mixColors(splitList(content));
  // The library reads hexadecimal digits without # too.
  return /^[0-9a-f]+$/.test(css) ? undefined : parse(css);
}

/** Mixes two colours as CSS Color 5 describes: percentages are scaled to 100, a smaller sum is transparent. */
function mixColors([method = '', first = '', second = '']: string[]): ReturnType<typeof parse> {
  const space = mixSpaces[/^in\s+([a-z0-9-]+)$/.exec(method)?.[1] ?? ''];
  const [a, b] = [readPart(first), readPart(second)];
  if (space === undefined || a === null || b === null) return undefined;
  const shareA = a.share ?? 1 - (b.share ?? 0.5);
  const shareB = b.share ?? 1 - shareA;
  const sum = shareA + shareB;
  if (sum <= 0) return undefined;
  const [one, other] = [converter(space)(a.color), converter(space)(b.color)];
  takeHue(one, other);
  takeHue(other, one);
  const mixed = interpolateWithPremultipliedAlpha([one, other], space)(shareB / sum);
  return { ...mixed, alpha: (mixed.alpha ?? 1) * Math.min(1, sum) };
}

/** Gives a grey, which has no hue, that of the colour with which it is mixed. */
function takeHue(grey: Color, { ...other }: Color): void {
  const chroma = ('c' in grey ? grey.c : 's' in grey ? grey.s : 1) ?? 1;
  const isGrey = chroma < 1e-4 || (grey.mode === 'hwb' && grey.w + grey.b >= 1);
  // The cast is safe: both are in one space, whose hue is "h".
  if (isGrey && 'h' in other) (grey as { h?: number | undefined }).h = other.h;
}

function readPart(text: string) {
  const [percentage = ''] = /(?<=^|\s)[\d.]+%(?=\s|$)/.exec(text.replaceAll(/\(.*\)/gs, '')) ?? [];
  const color = parseColor(text.replace(percentage, '').trim());
  if (color === undefined) return null;
  return { color, share: percentage === '' ? null : Number.parseFloat(percentage) / 100 };
}

/** Splits at the commas outside of parentheses. */
function splitList(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}
