import { formatNumber } from '../../../lib/numbers.ts';
import { blackAndWhiteCaution } from '../../designs/black-and-white.ts';
import { type Design, withLogoPlacement } from '../../designs/design.ts';
import { type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { Clock } from '../../ports.ts';
import type { QrStore, SheetCode, SheetPrinter } from '../ports.ts';
import { PrintError, type Remedy } from './paper.ts';
import { type CodeSelection, hasImage, type PrintableCode, readSelection } from './selection.ts';
import { placeCode, type SheetLayout } from './sheet-layout.ts';
import type { PrintAdvice } from './size.ts';
import { printedDesigns, requireReadable, type SymbolDeps, symbolsOf } from './symbols.ts';

/** A sheet whose codes fit and can be read, before it is drawn. */
export interface PreparedSheet {
  readonly codes: number;
  readonly pages: number;
  readonly layout: SheetLayout;
  /** The largest distance from which phones read all of the codes at this size. */
  readonly readableFrom: PrintAdvice;
  /** Side of the smallest code: with whole dots to a module, smaller than its box. */
  readonly sideMm: number;
  /** Texts that no font can show. The code is printed instead of a name. */
  readonly unprintableTexts: readonly string[];
  /** Why designs must not be printed on a thermal printer, for which the layout is; null when they can. */
  readonly thermalCaution: string | null;
  /** Imported links, which have no image. */
  readonly withoutImage: number;
  /**
   * Writes the PDF in pieces.
   *
   * @param onProgress receives the number of codes so far
   */
  pdf(onProgress?: (codes: number) => void): AsyncGenerator<Uint8Array>;
}

export type Sheets = ReturnType<typeof createSheets>;

/** Creates the service that prints sheets of codes. */
export function createSheets(
  deps: SymbolDeps & {
    store: Pick<QrStore, 'searchBatch' | 'findMany'>;
    printerFor: (requester: Requester) => Promise<SheetPrinter>;
    clock: Pick<Clock, 'nowMs'>;
  },
) {
  const { store, printerFor, clock } = deps;

  /** Returns the advice for the largest distance that suits all codes. @throws PrintError when one is too small */
  const checkSizes = async (
    codes: readonly PrintableCode[],
    designOf: (code: PrintableCode) => Design,
    layout: SheetLayout,
  ): Promise<{ readable: PrintAdvice; smallestMm: number }> => {
    const symbols = await symbolsOf(deps, codes, designOf, layout.form === 'compact');
    const sides = symbols.map(({ qr, symbol }) => {
      const total = symbol.modules + 2 * symbol.quietZoneModules;
      const { sideMm } = placeCode(layout, { leftMm: 0, topMm: 0 }, total);
      return { sideMm, advice: requireReadable(symbol, sideMm, qr, remediesFor(layout)) };
    });
    const readable = sides.map(({ advice }) => advice);
    return {
      readable: readable.reduce((one, other) => (other.distanceMm < one.distanceMm ? other : one)),
      smallestMm: Math.min(...sides.map(({ sideMm }) => sideMm)),
    };
  };

  return {
    /**
     * Reads a selection and checks that it can be printed.
     *
     * @throws PrintError when there is nothing to print, or codes would be too small to read
     */
    prepare: async (
      selection: CodeSelection,
      layout: SheetLayout,
      work?: WorkOptions,
    ): Promise<PreparedSheet> => {
      const selected = await readSelection(store, selection);
      const codes = selected.filter(hasImage);
      if (codes.length === 0) throw new PrintError(nothingToPrint);
      const designOf = await printedDesigns(deps, codes, layout.form);
      const { readable, smallestMm } = await checkSizes(codes, designOf, layout);
      const { isPrintable, pdf } = await printerFor(requesterOf(selection.accountId, work));
      const { skippedLabels, copies, captionLines, aboveText } = layout;
      const unprintable: string[] = [];
      const isDrawn = (text: string) => {
        const canDraw = isPrintable(text);
        if (!canDraw) unprintable.push(text);
        return canDraw;
      };
      if (aboveText !== null) isDrawn(aboveText);
      const captions = codes.map((qr): string[] => {
        const texts = { ...qr, link: qr.shortLink.replace(/^https?:\/\//i, '') };
        const shown = captionLines.flatMap((line) => {
          const text = texts[line];
          if (text !== null && isDrawn(text)) return text;
          return line === 'name' ? qr.code : [];
        });
        return shown.length === 0 && captionLines.length > 0 ? [qr.code] : shown;
      });

      function* drawn(onProgress: (codes: number) => void): Generator<SheetCode> {
        for (const [index, qr] of codes.entries()) {
          onProgress(index + 1);
          const design = withLogoPlacement(designOf(qr), qr.image.logoPlacement);
          const { shortLink } = qr;
          const code = { shortLink, design, captions: captions[index] ?? [] };
          for (let copy = 0; copy < copies; copy++) yield code;
        }
      }

      return {
        codes: codes.length,
        pages: Math.ceil((skippedLabels + codes.length * copies) / (layout.columns * layout.rows)),
        layout,
        readableFrom: readable,
        sideMm: smallestMm,
        unprintableTexts: unprintable,
        thermalCaution: layout.isRoll ? cautionOf(new Set(codes.map(designOf))) : null,
        withoutImage: selected.length - codes.length,
        pdf: (onProgress = () => {}) =>
          pdf(layout, 'Waymark codes', clock.nowMs(), drawn(onProgress)),
      };
    },
  };
}

// More would hide the rest of a warning.
const maxListedTexts = 20;

/** Says which texts of a sheet could not be drawn and what to install, or returns null when there are none. */
export function fontAdvice(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  const shown = texts.slice(0, maxListedTexts).map((text) => JSON.stringify(text));
  const more = texts.length - shown.length;
  const list = shown.join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
  const isCjk =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
  const packages = [
    texts.some((text) => isCjk.test(text)) && 'fonts-noto-cjk',
    texts.some((text) => !isCjk.test(text)) && 'fonts-noto-core',
  ].filter((name) => name !== false);
  return (
    `No font has all characters of ${list}: the code is printed instead of a name, and other lines are left out. ` +
    `Install fonts (on Debian and Ubuntu: ${packages.join(' ')}), or set WAYMARK_FONTS to a folder with fonts.`
  );
}

const nothingToPrint =
  'No codes to print were found. Create codes first, or search for another text.';

/** Returns the first caution of designs for printers in black only. */
function cautionOf(designs: Iterable<Design>): string | null {
  for (const design of designs) {
    const caution = blackAndWhiteCaution(design);
    if (caution !== null) return caution;
  }
  return null;
}

/** Lists what makes codes on a sheet larger, or smaller ones readable. */
function remediesFor({ name, form, captionLines, aboveText }: SheetLayout): Remedy[] {
  const hasText = captionLines.length > 0 || aboveText !== null;
  const remedies: readonly (Remedy | false)[] = [
    form !== 'compact' && 'compact',
    hasText && 'text',
    name === 'roll' && 'margins',
    name.endsWith('-grid') && 'grid',
    'larger',
    'labels',
  ];
  return remedies.filter((remedy) => remedy !== false);
}
