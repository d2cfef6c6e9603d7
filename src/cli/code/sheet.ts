import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import {
  formatMm,
  type LayoutName,
  layoutNames,
  sheetBounds,
  sheetLayout,
} from '../../core/codes/print/sheet-layout.ts';
import { createSheets, type PreparedSheet } from '../../core/codes/print/sheets.ts';
import { formatCount } from '../../lib/numbers.ts';
import { matrixOf } from '../../render/symbol/matrix.ts';
import { numberOption, type Outcome } from '../command.ts';
import { type PrintRunFlags, printRunCommand, runPrintRun, writePieces } from './print-runs.ts';

interface SheetFlags extends PrintRunFlags {
  readonly layout: LayoutName;
  readonly page?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly marginMm?: string;
  readonly gapMm?: string;
  readonly sizeMm?: number;
  readonly cutMarks?: true;
  readonly captions: boolean;
}

/** Creates `waymark code sheet`. */
export function sheetCommand(startRenderWorker: StartRenderWorker): Command {
  return printRunCommand('sheet', 'write codes with captions on pages to print', 'PDF')
    .addOption(
      new Option('--layout <layout>', 'free grid, roll, or sheet of labels')
        .choices(layoutNames)
        .makeOptionMandatory(),
    )
    .option('--page <size>', 'page of a grid or roll: a4, letter, or mm such as 62x29')
    .addOption(numberOption('--columns <number>', 'columns of a grid', sheetBounds.columns))
    .addOption(numberOption('--rows <number>', 'rows of a grid', sheetBounds.rows))
    .option('--margin-mm <mm>', 'margins of a grid or roll: 10, or 10x15 for sides and top')
    .option('--gap-mm <mm>', 'gaps of a grid: 5, or 5x8 between columns and rows')
    .addOption(
      numberOption(
        '--size-mm <mm>',
        'side of a code with its quiet zone (default: the largest that fits)',
        sheetBounds.sizeMm,
      ),
    )
    .option('--cut-marks', 'draw cut marks in the margins')
    .option('--no-captions', 'leave out the captions: names, or codes where there is none')
    .action((flags: SheetFlags) =>
      runPrintRun(flags, startRenderWorker, async ({ qrs, designs, renderer }, selection) => {
        const layout = sheetLayout(flags.layout, {
          ...flags,
          hasCaptions: flags.captions,
          hasCutMarks: flags.cutMarks === true,
        });
        const sheets = createSheets({
          store: qrs,
          designs,
          printerFor: renderer.sheetPrinterFor,
          symbolSide: async (shortLink) => matrixOf(shortLink).side,
        });
        const sheet = await sheets.prepare(selection, layout);
        await writePieces(flags.out, sheet.codes, sheet.pdf);
        return outcomeOf(sheet, flags.out);
      }),
    );
}

function outcomeOf(sheet: PreparedSheet, file: string): Outcome {
  const { codes, pages, layout, readableFrom, unprintableNames, withoutImage } = sheet;
  const side = formatMm(layout.code.widthMm);
  const warnings = [
    unprintableNames.length > 0 &&
      `${formatCount(unprintableNames.length, 'caption shows', 'captions show')} the code, because the font ` +
        `lacks characters of the name, such as ${JSON.stringify(unprintableNames[0])}.`,
    withoutImage > 0 &&
      `${formatCount(withoutImage, 'imported link has', 'imported links have')} no image and ` +
        `${withoutImage === 1 ? 'is' : 'are'} not on the sheet.`,
  ].filter((text) => text !== false);
  return {
    text:
      `Wrote ${formatCount(codes, 'code')} on ${formatCount(pages, 'page')} to ${file}. Each has a side of ` +
      `${side} mm and can be read ${readableFrom.use}. Print at 100 %, without fitting to the page.`,
    json: {
      file,
      codes,
      pages,
      size_mm: layout.code.widthMm,
      readable_from_mm: readableFrom.distanceMm,
      captions_with_code: unprintableNames.length,
      without_image: withoutImage,
    },
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  };
}
