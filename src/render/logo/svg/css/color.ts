import { converter, formatHex, formatHex8, parse } from 'culori';

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
const unreadFunctions = /\(\s*from\s|\bcalc\(|\bhue\b|\/\s*none\b|^(contrast-color|color-mix)\(/;

/** Of 1. Rounded coordinates of a colour on the edge of sRGB lie a little outside. */
const gamutTolerance = 0.02;

const toRgb = converter('rgb');
const toLinear = converter('lrgb');

/**
 * Reads a colour of CSS Color 4, or light-dark(), which draw.io writes.
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

/** Returns a text up to its first comma outside of parentheses. */
function untilComma(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    else if (text[at] === ',' && depth === 0) return text.slice(0, at);
  }
  return text;
}

function parseColor(css: string): ReturnType<typeof parse> {
  const [, both] = /^light-dark\((.*)\)$/s.exec(css) ?? [];
  // The first of both, up to a comma outside of parentheses.
  if (both !== undefined) return parseColor(untilComma(both).trim());
  // The library reads hexadecimal digits without # too.
  return /^[0-9a-f]+$/.test(css) ? undefined : parse(css);
}
