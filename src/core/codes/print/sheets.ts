import { type Design, withLogoPlacement } from '../../designs/design.ts';
import type { DesignStore } from '../../designs/ports.ts';
import { type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { QrStore, SheetCode, SheetPrinter } from '../ports.ts';
import { type CodeSelection, hasImage, type PrintableCode, readSelection } from './selection.ts';
import { formatMm, PrintError, type SheetLayout } from './sheet-layout.ts';
import { type PrintAdvice, printAdvice } from './size.ts';

/** A sheet whose codes fit and can be read, before it is drawn. */
export interface PreparedSheet {
  readonly codes: number;
  readonly pages: number;
  readonly layout: SheetLayout;
  /** The largest distance from which phones read all of the codes at this size. */
  readonly readableFrom: PrintAdvice;
  /** Names that the font cannot show. Their captions show the codes instead. */
  readonly unprintableNames: readonly string[];
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
  symbolSide: (shortLink: string) => Promise<number>;
}) {
  const { store, designs, printerFor, symbolSide } = deps;

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
    sideMm: number,
  ): Promise<PrintAdvice> => {
    // Symbols of equally long links of one kind have the same size.
    const sides = new Map<string, number>();
    let readable: PrintAdvice | null = null;
    for (const { code, name, shortLink, image } of codes) {
      const quietZoneModules = looks.get(image.designId)?.quietZoneModules ?? 0;
      const kind = `${shortLink.slice(0, -code.length)} ${image.designId}`;
      if (sides.has(kind)) continue;
      const modules = await symbolSide(shortLink);
      sides.set(kind, modules);
      const advice = printAdvice({ modules, quietZoneModules });
      const suitable = advice.filter(({ widthMm }) => widthMm <= sideMm).at(-1);
      if (suitable === undefined)
        throw new PrintError(
          `A side of ${formatMm(sideMm)} mm is too small for ${name ?? code}: phones read it reliably ` +
            `from ${advice[0]?.widthMm} mm. Use larger codes or labels.`,
        );
      if (readable === null || suitable.distanceMm < readable.distanceMm) readable = suitable;
    }
    if (readable === null) throw new PrintError(nothingToPrint);
    return readable;
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
      const readableFrom = await checkSizes(codes, looks, layout.code.widthMm);
      const { isPrintable, pdf } = await printerFor(requesterOf(selection.accountId, work));
      const isUnprintable = ({ name }: PrintableCode) => name !== null && !isPrintable(name);
      const unprintable = new Set(layout.caption === null ? [] : codes.filter(isUnprintable));

      function* drawn(onProgress: (codes: number) => void): Generator<SheetCode> {
        for (const [index, qr] of codes.entries()) {
          const design = looks.get(qr.image.designId);
          if (design === undefined) throw new Error(`Design ${qr.image.designId} was not read`);
          onProgress(index + 1);
          yield {
            shortLink: qr.shortLink,
            design: withLogoPlacement(design, qr.image.logoPlacement),
            caption: qr.name === null || unprintable.has(qr) ? qr.code : qr.name,
          };
        }
      }

      return {
        codes: codes.length,
        pages: Math.ceil(codes.length / (layout.columns * layout.rows)),
        layout,
        readableFrom,
        unprintableNames: Array.from(unprintable, ({ name }) => name ?? ''),
        withoutImage: selected.length - codes.length,
        pdf: (onProgress = () => {}) => pdf(layout, 'Waymark codes', drawn(onProgress)),
      };
    },
  };
}

const nothingToPrint =
  'No codes to print were found. Create codes first, or search for another text.';
