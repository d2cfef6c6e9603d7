import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import {
  type ArchiveFormat,
  archiveFormats,
  createArchives,
} from '../../core/codes/print/archive.ts';
import { formatMm } from '../../core/codes/print/paper.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { formatCount } from '../../lib/numbers.ts';
import { numberOption } from '../command.ts';
import {
  type PrintRunFlags,
  printRunCommand,
  runPrintRun,
  sizeMmOption,
  writePieces,
} from './print-runs.ts';

interface DownloadFlags extends PrintRunFlags {
  readonly format: ArchiveFormat;
  readonly size: number;
  readonly sizeMm?: number;
}

/** Creates `waymark code download`. */
export function downloadCommand(startRenderWorker: StartRenderWorker): Command {
  return printRunCommand('download', 'write the images of codes, named by name, and a table', 'ZIP')
    .addOption(
      new Option('--format <format>', 'format of the images')
        .choices(archiveFormats)
        .makeOptionMandatory(),
    )
    .addOption(
      numberOption('--size <pixels>', 'width and height of a PNG', imageWidthPxRange).default(
        imageWidthPxRange.default,
      ),
    )
    .addOption(
      sizeMmOption('width in print, quiet zone included (default: that of a PNG at 300 dpi)'),
    )
    .action((flags: DownloadFlags) =>
      runPrintRun(flags, startRenderWorker, async (deps, selection) => {
        const archive = await createArchives(deps).prepare(selection, {
          format: flags.format,
          widthPx: flags.size,
          widthMm: flags.sizeMm,
        });
        const { codes, widthMm, withoutImage } = archive;
        await writePieces(flags.out, codes, archive.zip);
        return {
          text: `Wrote the images of ${formatCount(codes, 'code')} to ${flags.out}, ${formatMm(widthMm)} mm wide in print.`,
          json: { file: flags.out, codes, size_mm: widthMm, without_image: withoutImage },
          ...(withoutImage > 0 && {
            warning: `${formatCount(withoutImage, 'imported link has', 'imported links have')} no image; codes.csv lists ${withoutImage === 1 ? 'it' : 'them'} without a file.`,
          }),
        };
      }),
    );
}
