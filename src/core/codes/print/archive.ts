import { csvLine, formulaStart } from '../../../lib/csv.ts';
import { mapAhead } from '../../../lib/event-loop.ts';
import { createZipWriter } from '../../../lib/files/zip.ts';
import { trimWhere } from '../../../lib/trim.ts';
import { withLogoPlacement } from '../../designs/design.ts';
import type { RendererFor } from '../../designs/ports.ts';
import { Refused } from '../../errors.ts';
import { type Requester, requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { Clock } from '../../ports.ts';
import { textLabels } from '../fields.ts';
import type { QrStore, SheetPrinter } from '../ports.ts';
import {
  hasImage,
  type PrintableCode,
  type PrintSelection,
  readSelection,
  type SelectedCode,
} from './selection.ts';
import { codeLayout } from './sheet-layout.ts';
import { printedWidthMm } from './size.ts';
import { printedDesigns, requireReadable, type SymbolDeps, symbolsOf } from './symbols.ts';

/** Formats of the images in an archive. A PDF is one vector image for print shops. */
export const archiveFormats = ['svg', 'png', 'pdf'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

export interface ArchiveOptions {
  readonly format: ArchiveFormat;
  /** Of PNG. */
  readonly widthPx: number;
  /** Printed width, quiet zone included, which the files carry. Default: that of the PNG at 300 dpi. */
  readonly widthMm?: number | undefined;
}

/** Images of codes to download as one file. */
export interface PreparedArchive {
  readonly codes: number;
  /** Printed width of the images, quiet zone included. */
  readonly widthMm: number;
  /** Imported links, which have no image. The table of contents lists them too. */
  readonly withoutImage: number;
  /** Draws the first code. */
  first(): Promise<Uint8Array>;
  /**
   * Writes the archive in pieces.
   *
   * @param onProgress receives the number of images so far
   */
  zip(onProgress?: (codes: number) => void): AsyncGenerator<Uint8Array>;
}

export type Archives = ReturnType<typeof createArchives>;

// Enough to keep two workers busy, and few enough to leave room in their queue.
const imagesInFlight = 3;

/** Largest number of codes in an archive: one file each, and the table. */
const maxArchivedCodes = 65_534;

/** Creates the service that packs the images of codes into an archive, with a table in CSV. */
export function createArchives(
  deps: SymbolDeps & {
    store: Pick<QrStore, 'searchBatch' | 'findMany'>;
    rendererFor: RendererFor<'printImage'>;
    printerFor: (requester: Requester) => Promise<SheetPrinter>;
    clock: Pick<Clock, 'nowMs'>;
  },
) {
  const { store, rendererFor, printerFor, clock } = deps;

  return {
    /**
     * Reads a selection.
     *
     * @throws Refused when there is nothing to download, or too much, or phones can't read codes of the width
     */
    prepare: async (
      selection: PrintSelection,
      options: ArchiveOptions,
      work?: WorkOptions,
    ): Promise<PreparedArchive> => {
      const { format, widthPx, widthMm = printedWidthMm(widthPx) } = options;
      const selected = await readSelection(store, selection);
      const codes = selected.filter(hasImage);
      const [first] = codes;
      if (first === undefined) throw new Refused({ kind: 'no images' });
      if (codes.length > maxArchivedCodes)
        throw new Refused({
          kind: 'too many images',
          max: maxArchivedCodes,
          found: codes.length,
        });
      const requester = requesterOf(selection.accountId, work);
      const renderer = rendererFor(requester);
      const designOf = await printedDesigns(deps, codes, 'design');
      // Other images without a width may be for a screen.
      if (format === 'pdf' || options.widthMm !== undefined)
        for (const { qr, symbol } of symbolsOf(deps, codes, designOf, false).values())
          requireReadable(symbol, widthMm, qr, ['larger']);

      const draw = async (qr: PrintableCode) => {
        const { name, shortLink } = qr;
        const design = withLogoPlacement(designOf(qr), qr.image.logoPlacement);
        if (format !== 'pdf')
          return renderer.printImage(shortLink, design, { format, widthPx, widthMm });
        const { pdf } = await printerFor(requester);
        const code = { shortLink, design, captions: [] };
        return Buffer.concat(
          await Array.fromAsync(pdf(codeLayout(widthMm), name ?? shortLink, clock.nowMs(), [code])),
        );
      };

      async function* zip(onProgress: (codes: number) => void = () => {}) {
        const archive = createZipWriter();
        const images = mapAhead(codes, imagesInFlight, async (qr) => {
          return { path: fileNameOf(qr, format), image: await draw(qr) };
        });
        let done = 0;
        for await (const { path, image } of images) {
          const entry = archive.add(path, image);
          onProgress(++done);
          yield entry;
        }
        yield archive.add('codes.csv', tableOf(selected, format));
        yield archive.end();
      }

      return {
        codes: codes.length,
        widthMm,
        withoutImage: selected.length - codes.length,
        first: () => draw(first),
        zip,
      };
    },
  };
}

// 200 bytes leave room for a folder below the 260 characters of Windows.
const maxNameBytes = 160;

/**
 * Returns a file name that begins with the code's name and is unique, because it ends with the code:
 * `Table 7 - 0w50gwaj.svg`. Leaves out what Windows, macOS or Linux does not allow in names.
 */
export function fileNameOf(
  { name, code }: Pick<SelectedCode, 'name' | 'code'>,
  format: string,
): string {
  const spaced = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu, ' ')
    .replace(/\s+/gu, ' ');
  const cleaned = trimWhere(spaced, (unit) => /[\s.]/.test(unit));
  // Windows reserves these names, with any extension. Spreadsheets take the first signs for a formula.
  const isFormula = formulaStart.test(cleaned);
  const safe =
    /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(cleaned) || isFormula ? `_${cleaned}` : cleaned;
  const short = truncate(safe, maxNameBytes).trimEnd();
  return short === '' ? `${code}.${format}` : `${short} - ${code}.${format}`;
}

function truncate(text: string, maxBytes: number): string {
  // A character takes a byte at least.
  let kept = text.slice(0, maxBytes).toWellFormed();
  while (Buffer.byteLength(kept) > maxBytes) kept = [...kept].slice(0, -1).join('');
  return kept;
}

const otherLabels = textLabels.filter((name) => name !== 'name');

/** Writes the table of an archive. The byte order mark makes spreadsheets read it as UTF-8. */
function tableOf(codes: readonly SelectedCode[], format: ArchiveFormat): Uint8Array {
  const lines = codes.map((qr) =>
    csvLine([
      hasImage(qr) ? fileNameOf(qr, format) : '',
      qr.name ?? '',
      qr.code,
      qr.shortLink,
      qr.destination,
      ...otherLabels.map((name) => qr[name] ?? ''),
      hasImage(qr) ? fileNameOf(qr, format) : '',
    ]),
  );
  // Data merge of InDesign places the files of a column whose name begins with @. The names need no quotes, and no
  // apostrophe like cells.
  const columns = ['file', 'name', 'code', 'url', 'destination', ...otherLabels, '@image'];
  return new TextEncoder().encode(`\ufeff${columns.join(',')}\r\n${lines.join('')}`);
}
