import { blackAndWhiteCaution } from '../../designs/black-and-white.ts';
import { type Design, withLogoPlacement } from '../../designs/design.ts';
import type { BlackAndWhiteCaution } from '../../designs/readability.ts';
import { Refused } from '../../errors.ts';
import { type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { Clock } from '../../ports.ts';
import type { Remedy } from '../../reasons.ts';
import type { QrStore, SheetCode, SheetPrinter, TextLine } from '../ports.ts';
import { hasImage, type PrintableCode, type PrintSelection, readSelection } from './selection.ts';
import {
  labelCorner,
  placeCode,
  type SheetLayout,
  type TextColors,
  textColors,
} from './sheet-layout.ts';
import { readTexts, type SheetTexts } from './sheet-texts.ts';
import { type PrintAdvice, totalModules } from './size.ts';
import {
  printedDesigns,
  requireReadable,
  type SymbolDeps,
  symbolKind,
  symbolsOf,
} from './symbols.ts';

/** A sheet whose codes fit and can be read, before it is drawn. */
export interface PreparedSheet extends Pick<SheetTexts, 'layout' | 'unprintable' | 'cut'> {
  readonly codes: number;
  readonly pages: number;
  /** The largest distance from which phones read all of the codes at this size. */
  readonly readableFrom: PrintAdvice;
  /** Side of the smallest code: with whole dots to a module, smaller than its box. */
  readonly sideMm: number;
  /** Why designs must not be printed on a thermal printer, for which the layout is; null when they can. */
  readonly thermalCaution: BlackAndWhiteCaution | null;
  /** Imported links, which have no image. */
  readonly withoutImage: number;
  /** Those that do not redirect. */
  readonly paused: readonly Pick<PrintableCode, 'code' | 'name'>[];
  /** Returns the labels of a page, counted from 0. */
  page(number: number): ShownLabel[];
  /**
   * Writes the PDF in pieces.
   *
   * @param onProgress receives the number of codes so far
   */
  pdf(onProgress?: (codes: number) => void): AsyncGenerator<Uint8Array>;
}

/** A label of a page, and what is drawn on it. */
export interface ShownLabel {
  readonly code: string;
  readonly name: string | null;
  /** Upper left corner of the label. */
  readonly leftMm: number;
  readonly topMm: number;
  /** The code, from the corner of the page. */
  readonly picture: { readonly leftMm: number; readonly topMm: number; readonly sideMm: number };
  readonly lines: readonly TextLine[];
  readonly colors: TextColors;
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
  return {
    /**
     * Reads a selection and checks that it can be printed.
     *
     * @throws Refused when there is nothing to print, or codes would be too small to read
     */
    prepare: async (
      selection: PrintSelection,
      wanted: SheetLayout,
      work?: WorkOptions,
    ): Promise<PreparedSheet> => {
      const selected = await readSelection(store, selection);
      const codes = selected.filter(hasImage);
      if (codes.length === 0) throw new Refused({ kind: 'no codes to print' });
      const designOf = await printedDesigns(deps, codes, wanted.form);
      const symbols = symbolsOf(deps, codes, designOf, wanted.form === 'compact');
      const sides = [...symbols.values()].map(({ qr, symbol }) => {
        const { sideMm } = placeCode(wanted, { leftMm: 0, topMm: 0 }, totalModules(symbol));
        return { sideMm, readable: requireReadable(symbol, sideMm, qr, remediesFor(wanted)) };
      });
      const smallest = sides.reduce((one, other) =>
        other.readable.distanceMm < one.readable.distanceMm ? other : one,
      );
      const printer = await printerFor(requesterOf(selection.accountId, work));
      const { captions, layout, unprintable, cut } = await readTexts(
        printer,
        codes,
        wanted,
        work?.signal,
      );
      const { skippedLabels, copies, columns, rows, isRoll } = layout;
      const labelsPerPage = columns * rows;

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
        pages: Math.ceil((skippedLabels + codes.length * copies) / labelsPerPage),
        layout,
        readableFrom: smallest.readable,
        sideMm: Math.min(...sides.map(({ sideMm }) => sideMm)),
        unprintable,
        cut,
        thermalCaution: isRoll ? cautionOf(new Set(codes.map(designOf))) : null,
        withoutImage: selected.length - codes.length,
        paused: codes.filter(({ status }) => status === 'paused'),
        page: (number) =>
          Array.from({ length: labelsPerPage }, (_, position): ShownLabel[] => {
            const index = Math.floor((number * labelsPerPage + position - skippedLabels) / copies);
            const qr = codes[index];
            const symbol = qr && symbols.get(symbolKind(qr))?.symbol;
            if (qr === undefined || symbol === undefined) return [];
            const corner = labelCorner(layout, position);
            const picture = placeCode(layout, corner, totalModules(symbol));
            const { lines } = printer.layOutTexts(layout, captions[index] ?? []);
            const { code, name } = qr;
            const colors = textColors(layout, designOf(qr).foreground);
            return [{ code, name, ...corner, picture, lines, colors }];
          }).flat(),
        pdf: (onProgress = () => {}) =>
          printer.pdf(layout, 'Waymark codes', clock.nowMs(), drawn(onProgress)),
      };
    },
  };
}

/**
 * Returns the first label to use, counted from 1, from which a sheet has a page less.
 * Null when there is none.
 */
export function tighterStart({ codes, layout }: Pick<PreparedSheet, 'codes' | 'layout'>) {
  const { skippedLabels, copies, columns, rows } = layout;
  const onLastPage = (skippedLabels + codes * copies) % (columns * rows);
  return onLastPage > 0 && onLastPage <= skippedLabels ? skippedLabels - onLastPage + 1 : null;
}

/** Returns the first caution of designs for printers in black only. */
function cautionOf(designs: Iterable<Design>): BlackAndWhiteCaution | null {
  for (const design of designs) {
    const caution = blackAndWhiteCaution(design);
    if (caution !== null) return caution;
  }
  return null;
}

/** Lists what makes codes on a sheet larger, or smaller ones readable. */
function remediesFor({ name, form, captionLines, aboveText, hasOwnSize }: SheetLayout): Remedy[] {
  const hasText = captionLines.length > 0 || aboveText !== null;
  const remedies: readonly (Remedy | false)[] = [
    form !== 'compact' && 'compact',
    hasText && 'text',
    name === 'roll' && 'margins',
    name.endsWith('-grid') && 'grid',
    hasOwnSize && 'larger',
    'labels',
  ];
  return remedies.filter((remedy) => remedy !== false);
}
