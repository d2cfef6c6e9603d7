import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { createArchives } from '../../core/codes/print/archive.ts';
import { type ImageFormat, imageWidthPxRange } from '../../core/codes/qrs.ts';
import { formatCount } from '../../lib/numbers.ts';
import { numberOption } from '../command.ts';
import { type PrintRunFlags, printRunCommand, runPrintRun, writePieces } from './print-runs.ts';

interface DownloadFlags extends PrintRunFlags {
  readonly format: ImageFormat;
  readonly size: number;
}

/** Creates `waymark code download`. */
export function downloadCommand(startRenderWorker: StartRenderWorker): Command {
  return printRunCommand('download', 'write the images of codes, named by name, and a table', 'ZIP')
    .addOption(
      new Option('--format <format>', 'format of the images')
        .choices(['svg', 'png'])
        .makeOptionMandatory(),
    )
    .addOption(
      numberOption('--size <pixels>', 'width and height of a PNG', imageWidthPxRange).default(
        imageWidthPxRange.default,
      ),
    )
    .action((flags: DownloadFlags) =>
      runPrintRun(flags, startRenderWorker, async ({ qrs, designs, renderer }, selection) => {
        const archives = createArchives({ store: qrs, designs, rendererFor: renderer.for });
        const archive = await archives.prepare(selection, flags.format, flags.size);
        const { codes, withoutImage } = archive;
        await writePieces(flags.out, codes, archive.zip);
        return {
          text: `Wrote the images of ${formatCount(codes, 'code')} to ${flags.out}.`,
          json: { file: flags.out, codes, without_image: withoutImage },
          ...(withoutImage > 0 && {
            warning: `${formatCount(withoutImage, 'imported link has', 'imported links have')} no image; codes.csv lists ${withoutImage === 1 ? 'it' : 'them'} without a file.`,
          }),
        };
      }),
    );
}
