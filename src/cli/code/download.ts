import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import {
  type ArchiveFormat,
  archiveFormats,
  createArchives,
} from '../../core/codes/print/archive.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { formatCount, formatDecimal, plural } from '../../lib/numbers.ts';
import { numberOption } from '../command.ts';
import {
  addPrintRunCommand,
  onSelection,
  type PrintRunFlags,
  sizeMmOption,
  writePieces,
} from './print-runs.ts';

interface DownloadFlags extends PrintRunFlags {
  readonly format: ArchiveFormat;
  readonly size: number;
  readonly sizeMm?: number;
}

/** Adds `waymark code download`. */
export function addDownloadCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  const description = 'write the images of codes, named by name, and a table';
  addPrintRunCommand(code, 'download', description, 'ZIP')
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
    .action(
      onSelection(startRenderWorker, async (deps, selection, flags: DownloadFlags) => {
        const archive = await createArchives(deps).prepare(selection, {
          format: flags.format,
          widthPx: flags.size,
          widthMm: flags.sizeMm,
        });
        const { codes, widthMm, withoutImage } = archive;
        await writePieces(flags.out, codes, archive.zip);
        return {
          text: `Wrote the images of ${formatCount(codes, 'code')} to ${flags.out}, ${formatDecimal(widthMm)} mm wide in print.`,
          json: { file: flags.out, codes, size_mm: widthMm, without_image: withoutImage },
          warnings: [
            withoutImage > 0 &&
              `${formatCount(withoutImage, 'imported link has', 'imported links have')} no image; codes.csv lists ${plural(withoutImage, 'it', 'them')} without a file.`,
          ],
        };
      }),
    );
}
