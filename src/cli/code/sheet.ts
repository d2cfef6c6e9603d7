import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import {
  layoutNamed,
  layouts,
  parseCaptionLines,
  type SheetOptions,
  sheetBounds,
  sheetDpis,
  sheetLayout,
  textPlaces,
} from '../../core/codes/print/sheet-layout.ts';
import { textCautions } from '../../core/codes/print/sheet-texts.ts';
import { createSheets, type PreparedSheet } from '../../core/codes/print/sheets.ts';
import { type Caution, sentenceOf } from '../../core/reasons.ts';
import { textsOf } from '../../languages/texts.ts';
import { formatCount, formatDecimal, plural } from '../../lib/numbers.ts';
import { commandOn, numberOption, type Outcome } from '../command.ts';
import { formatTable, printAtOnce } from '../output.ts';
import { cautionSentences, layoutText, useText } from '../sentences/print.ts';
import {
  addPrintRunCommand,
  onSelection,
  type PrintRunFlags,
  sizeMmOption,
  usage,
  writePieces,
} from './print-runs.ts';

interface SheetFlags
  extends PrintRunFlags,
    Omit<SheetOptions, 'form' | 'dpi' | 'hasCaptions' | 'hasCutMarks'> {
  readonly layout: string;
  readonly black?: true;
  readonly compact?: true;
  readonly dpi?: string;
  readonly cutMarks?: true;
  readonly captions: boolean;
}

/** Adds `waymark code sheet`. */
export function addSheetCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  addPrintRunCommand(code, 'sheet', 'write codes with captions on pages to print', 'PDF')
    .addOption(
      new Option('--layout <layout>', 'a4-grid, letter-grid, roll, or labels such as L7160')
        .argParser(usage(layoutNamed))
        .makeOptionMandatory(),
    )
    .option('--layouts', 'list the layouts and exit')
    .option('--page <size>', 'page of a grid or roll: a3 to a6, letter, 4x6in, or mm such as 62x29')
    .addOption(numberOption('--columns <number>', 'columns of a grid', sheetBounds.columns))
    .addOption(numberOption('--rows <number>', 'rows of a grid', sheetBounds.rows))
    .option('--margin-mm <mm>', 'margins of a grid or roll: 10, or 10x15 for sides and top')
    .option('--gap-mm <mm>', 'gaps of a grid: 5, or 5x8 between columns and rows')
    .addOption(sizeMmOption('side of a code with its quiet zone (default: the largest that fits)'))
    .option('--black', 'print in black on white, without logos')
    .option('--compact', 'print plain codes of fewer modules, for labels from 12 mm')
    .addOption(
      new Option(
        '--dpi <number>',
        'resolution of the printer, so that modules are whole dots',
      ).choices(sheetDpis.map(String)),
    )
    .addOption(
      numberOption('--start <number>', 'first label of the sheet to use', sheetBounds.start),
    )
    .addOption(numberOption('--copies <number>', 'labels of each code', sheetBounds.copies))
    .option('--above <text>', 'line above each code, such as "Scan for the menu"')
    .addOption(
      new Option(
        '--below <lines>',
        'lines below each code: any of name,note,link,address',
      ).argParser(usage(parseCaptionLines)),
    )
    .addOption(
      new Option('--text <place>', 'place of the lines (default: beside on wide labels)').choices(
        textPlaces,
      ),
    )
    .option('--cut-marks', 'draw cut marks in the margins')
    .option('--no-captions', 'leave out the lines below: names, or codes where there is none')
    .action(
      onSelection(startRenderWorker, async (deps, selection, flags: SheetFlags) => {
        const { dpi, black, compact, ...options } = flags;
        const layout = sheetLayout(flags.layout, {
          ...options,
          ...(dpi !== undefined && { dpi: Number(dpi) }),
          form: compact ? 'compact' : black ? 'black' : 'design',
          hasCaptions: flags.captions,
          hasCutMarks: flags.cutMarks === true,
        });
        const sheet = await createSheets(deps).prepare(selection, layout);
        await writePieces(flags.out, sheet.codes, sheet.pdf);
        await deps.activity.recordPrint(commandOn({ id: selection.accountId }), sheet.codes);
        return outcomeOf(sheet, flags.out);
      }),
    )
    .on('option:layouts', printLayouts);
}

/** Prints the layouts and exits: like `--help`, `--layouts` needs none of the mandatory options. */
function printLayouts(): never {
  const isJson = process.argv.includes('--json');
  const rows = Array.from(layouts, ([name, layout]) => ({ name, description: layoutText(layout) }));
  const table = formatTable(rows.map(({ name, description }) => [name, description]));
  printAtOnce(isJson ? JSON.stringify(rows) : table);
  process.exit(0);
}

function outcomeOf(sheet: PreparedSheet, file: string): Outcome {
  const { codes, pages, sideMm, readableFrom, unprintable, cut, thermalCaution, withoutImage } =
    sheet;
  const side = formatDecimal(sideMm);
  const cautions: Caution[] = textCautions({ unprintable, cut });
  if (thermalCaution !== null) cautions.unshift(thermalCaution);
  const warning = [
    ...cautions.map((caution) => sentenceOf(cautionSentences(textsOf('en')), caution)),
    withoutImage > 0 &&
      `${formatCount(withoutImage, 'imported link has', 'imported links have')} no image and ` +
        `${plural(withoutImage, 'is', 'are')} not on the sheet.`,
  ]
    .filter(Boolean)
    .join(' ');
  return {
    text:
      `Wrote ${formatCount(codes, 'code')} on ${formatCount(pages, 'page')} to ${file}. Each has a side of ` +
      `${side} mm and can be read ${useText(readableFrom)}. Print at 100 %, without fitting to the page.`,
    json: {
      file,
      codes,
      pages,
      size_mm: Math.round(sideMm * 1000) / 1000,
      readable_from_mm: readableFrom.distanceMm,
      captions_with_code: unprintable.length,
      not_drawn: unprintable,
      cut,
      without_image: withoutImage,
    },
    warnings: [warning],
  };
}
