import { formatNumber } from '../../../lib/numbers.ts';
import { blackAndWhiteCaution } from '../../designs/black-and-white.ts';
import { type Design, plainDesign, withLogoPlacement } from '../../designs/design.ts';
import type { DesignStore } from '../../designs/ports.ts';
import { type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { Clock } from '../../ports.ts';
import type { QrStore, SheetCode, SheetPrinter } from '../ports.ts';
import { formatMm, PrintError } from './paper.ts';
import { type CodeSelection, hasImage, type PrintableCode, readSelection } from './selection.ts';
import { placeCode, type SheetForm, type SheetLayout } from './sheet-layout.ts';
import { type PrintAdvice, readableFrom, smallestWidthMm } from './size.ts';

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
export function createSheets(deps: {
  store: Pick<QrStore, 'searchBatch' | 'findMany'>;
  designs: Pick<DesignStore, 'find'>;
  printerFor: (requester: Requester) => Promise<SheetPrinter>;
  /** Returns the side of a short link's symbol in modules, without quiet zone. */
  symbolSide: (shortLink: string, isCompact: boolean) => Promise<number>;
  clock: Pick<Clock, 'nowMs'>;
}) {
  const { store, designs, printerFor, symbolSide, clock } = deps;

  /** Returns the designs of codes by id. Codes of one account share few. */
  const designsOf = async (codes: readonly PrintableCode[]): Promise<Map<number, Design>> => {
    const found = new Map<number, Design>();
    for (const {
      image: { designId },
    } of codes)
      if (!found.has(designId)) found.set(designId, await designs.find(designId));
    return found;
  };

  /** Returns the advice for the largest distance that suits all codes. @throws PrintError when one is too small */
  const checkSizes = async (
    codes: readonly PrintableCode[],
    looks: ReadonlyMap<number, Design>,
    layout: SheetLayout,
  ): Promise<{ readable: PrintAdvice; smallestMm: number }> => {
    // Symbols of equally long links of one kind have the same size.
    const checked = new Set<string>();
    let [readable, smallestMm]: [PrintAdvice | null, number] = [null, layout.code.widthMm];
    const isCompact = layout.form === 'compact';
    for (const { code, name, shortLink, image } of codes) {
      const kind = `${shortLink.slice(0, -code.length)} ${image.designId}`;
      if (checked.has(kind)) continue;
      checked.add(kind);
      const symbol = {
        modules: await symbolSide(shortLink, isCompact),
        quietZoneModules: formOf(layout.form, looks.get(image.designId)).quietZoneModules,
        isCompact,
      };
      const total = symbol.modules + 2 * symbol.quietZoneModules;
      const { sideMm } = placeCode(layout, { leftMm: 0, topMm: 0 }, total);
      smallestMm = Math.min(smallestMm, sideMm);
      const suitable = readableFrom(symbol, sideMm);
      if (suitable === null)
        throw new PrintError(
          `A side of ${formatMm(sideMm)} mm is too small for ${name ?? code}: phones read it reliably from ` +
            `${smallestWidthMm(symbol)} mm. Use ${remediesFor(layout)}.`,
        );
      if (readable === null || suitable.distanceMm < readable.distanceMm) readable = suitable;
    }
    if (readable === null) throw new PrintError(nothingToPrint);
    return { readable, smallestMm };
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
      const looks = await designsOf(codes);
      const { readable, smallestMm } = await checkSizes(codes, looks, layout);
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
          const design = withLogoPlacement(
            formOf(layout.form, looks.get(qr.image.designId)),
            qr.image.logoPlacement,
          );
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
        thermalCaution: layout.isRoll ? cautionOf(layout.form, looks) : null,
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

/** Returns a design as a sheet prints it. */
function formOf(form: SheetForm, design: Design | undefined): Design {
  if (form === 'compact') return plainDesign;
  if (design === undefined) throw new Error('The design of a code was not read');
  const { foreground, background } = plainDesign;
  return form === 'black'
    ? { ...design, foreground, background, finderColor: null, logo: null }
    : design;
}

/** Returns the first caution of designs, as a sheet prints them, for printers in black only. */
function cautionOf(form: SheetForm, looks: ReadonlyMap<number, Design>): string | null {
  for (const design of looks.values()) {
    const caution = blackAndWhiteCaution(formOf(form, design));
    if (caution !== null) return caution;
  }
  return null;
}

/** Lists what makes codes on a sheet larger, or smaller ones readable. */
function remediesFor({ name, form, captionLines, aboveText }: SheetLayout): string {
  const hasText = captionLines.length > 0 || aboveText !== null;
  const remedies = [
    form !== 'compact' && 'compact codes (--compact)',
    hasText && 'fewer lines of text, or none (--no-captions)',
    name === 'roll' && 'smaller margins (--margin-mm)',
    name.endsWith('-grid') && 'fewer columns or rows, or smaller margins and gaps',
    'a larger size (--size-mm)',
    'larger labels (--layout, --page)',
  ];
  return remedies.filter((remedy) => remedy !== false).join(', ');
}
