import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { formatNumber } from '../../../lib/numbers.ts';
import type { SheetPrinter } from '../ports.ts';
import type { PrintableCode } from './selection.ts';
import type { SheetLayout } from './sheet-layout.ts';

/** The texts on the labels of a sheet. */
export interface SheetTexts {
  /** The lines below or beside each code, by its position in the selection. */
  readonly captions: readonly (readonly string[])[];
  /** The layout without the line above if no font can show it. */
  readonly layout: SheetLayout;
  /** Texts that no font can show. The code is printed instead of a name. */
  readonly unprintable: readonly string[];
  /** Names, or codes, of those whose texts do not fit their labels and are cut. */
  readonly cut: readonly string[];
}

// Breaking the texts of a label into lines takes 0.1 ms.
const labelsPerTurn = 50;

/**
 * Chooses the texts of codes and checks that they can be printed. Yields to the event loop.
 *
 * @param signal aborted when the client has gone: the result is incomplete then
 */
export async function readTexts(
  { isPrintable, layOutTexts }: Pick<SheetPrinter, 'isPrintable' | 'layOutTexts'>,
  codes: readonly PrintableCode[],
  { aboveText, ...rest }: SheetLayout,
  signal?: AbortSignal,
): Promise<SheetTexts> {
  const [unprintable, cut, captions]: [string[], string[], string[][]] = [[], [], []];
  const isDrawn = (text: string | null): text is string => {
    if (text === null || isPrintable(text)) return text !== null;
    unprintable.push(text);
    return false;
  };
  const layout = { ...rest, aboveText: isDrawn(aboveText) ? aboveText : null };
  const { captionLines } = layout;
  for (const [index, qr] of codes.entries()) {
    if (signal?.aborted) break;
    const texts = { ...qr, link: qr.shortLink.replace(/^https?:\/\//i, '') };
    const shown = captionLines.flatMap((line) => {
      const text = texts[line];
      if (isDrawn(text)) return text;
      return line === 'name' ? qr.code : [];
    });
    const lines = shown.length === 0 && captionLines.length > 0 ? [qr.code] : shown;
    captions.push(lines);
    if (layOutTexts(layout, lines).isCut) cut.push(qr.name ?? qr.code);
    if (index % labelsPerTurn === labelsPerTurn - 1) await yieldToEventLoop();
  }
  return { captions, layout, unprintable, cut };
}

/** Says which texts of a sheet could not be drawn and what to install, or returns null when there are none. */
export function fontAdvice(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  const isCjk =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
  const packages = [
    texts.some((text) => isCjk.test(text)) && 'fonts-noto-cjk',
    texts.some((text) => !isCjk.test(text)) && 'fonts-noto-core',
  ].filter((name) => name !== false);
  return (
    `No font has all characters of ${listOf(texts)}: the code is printed instead of a name, and other lines are left out. ` +
    `Install fonts (on Debian and Ubuntu: ${packages.join(' ')}), or set WAYMARK_FONTS to a folder with fonts.`
  );
}

/** Says which codes have texts that are cut, or returns null when there are none. */
export function cutAdvice(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return (
    `The texts of ${listOf(names)} don’t fit and end with “…”. Use shorter or fewer lines, smaller codes or larger ` +
    'labels.'
  );
}

// More would hide the rest of a warning.
const maxListedTexts = 20;

function listOf(texts: readonly string[]): string {
  const shown = texts.slice(0, maxListedTexts).map((text) => JSON.stringify(text));
  const more = texts.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
}
