import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { Caution } from '../../reasons.ts';
import type { CaptionText, SheetPrinter } from '../ports.ts';
import { typedAddress } from '../urls/short-url.ts';
import type { PrintableCode } from './selection.ts';
import type { SheetLayout } from './sheet-layout.ts';

/** The texts on the labels of a sheet. */
export interface SheetTexts {
  /** The lines below or beside each code, by its position in the selection. */
  readonly captions: readonly (readonly CaptionText[])[];
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
  const [unprintable, cut, captions]: [string[], string[], CaptionText[][]] = [[], [], []];
  let namePt: number | null = null;
  const isDrawn = (text: string | null): text is string => {
    if (text === null || isPrintable(text)) return text !== null;
    unprintable.push(text);
    return false;
  };
  const layout = { ...rest, aboveText: isDrawn(aboveText) ? aboveText : null };
  const { captionLines } = layout;
  for (const [index, qr] of codes.entries()) {
    if (signal?.aborted) break;
    const link = qr.shortLink.replace(/^https?:\/\//i, '');
    // The same address twice helps nobody.
    const addressIfNoPath = captionLines.includes('link') ? null : link;
    const texts = { ...qr, link, address: typedAddress(qr) ?? addressIfNoPath };
    const instead = { line: 'name', text: qr.code } as const;
    const shown = captionLines.flatMap((line): CaptionText[] => {
      const text = texts[line];
      if (isDrawn(text)) return [{ line, text }];
      return line === 'name' ? [instead] : [];
    });
    const lines = shown.length === 0 && captionLines.length > 0 ? [instead] : shown;
    captions.push(lines);
    const laidOut = layOutTexts(layout, lines);
    if (laidOut.isCut) cut.push(qr.name ?? qr.code);
    // All names that fit in one line have the size of the longest.
    if (laidOut.namePt !== null) namePt = Math.min(namePt ?? laidOut.namePt, laidOut.namePt);
    if (index % labelsPerTurn === labelsPerTurn - 1) await yieldToEventLoop();
  }
  return { captions, layout: { ...layout, namePt }, unprintable, cut };
}

/** Returns what is wrong with the texts of a sheet that can be printed. */
export function textCautions({
  unprintable,
  cut,
}: Pick<SheetTexts, 'unprintable' | 'cut'>): Caution[] {
  const cautions: Caution[] = [];
  if (unprintable.length > 0)
    cautions.push({ kind: 'no font', texts: unprintable, packages: fontPackages(unprintable) });
  if (cut.length > 0) cautions.push({ kind: 'texts cut', titles: cut });
  return cautions;
}

const cjk =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** Returns the packages of Debian whose fonts have the characters of texts. */
function fontPackages(texts: readonly string[]): string[] {
  const packages: string[] = [];
  if (texts.some((text) => cjk.test(text))) packages.push('fonts-noto-cjk');
  if (texts.some((text) => !cjk.test(text))) packages.push('fonts-noto-core');
  return packages;
}
