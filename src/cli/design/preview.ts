import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { imageWidthPxRange, sampleShortLink } from '../../core/codes/qrs.ts';
import { withLogoPlacement } from '../../core/designs/design.ts';
import { writeFileAtomically } from '../../lib/atomic-write.ts';
import { pngSignature } from '../../render/png/file.ts';
import { refuseTarget } from '../../sqlite/maintenance/overwrite-guard.ts';
import { existing } from '../account/named-account.ts';
import { spelled, within } from '../bounded-number.ts';
import { type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError } from '../exit-codes.ts';

interface PreviewFlags extends CommonFlags {
  readonly out: string;
  readonly size: number;
}

/** `waymark design preview` */
export function previewCommand(startRenderWorker: StartRenderWorker): Command {
  return subcommand('preview <email>', 'draw a sample code in the default design')
    .requiredOption('--out <file>', 'PNG to write, in place of an earlier one')
    .option(
      '--size <pixels>',
      `width and height, ${spelled(imageWidthPxRange)}`,
      within(imageWidthPxRange),
      imageWidthPxRange.default,
    )
    .action((text: string, flags: PreviewFlags) =>
      run(startRenderWorker, flags, async ({ accounts, designs, renderer }, config) => {
        const { out, size } = flags;
        refuseTarget(config.data, out);
        await refuseOther(out);
        const account = await existing(accounts, text);
        const { design: current } = await designs.findDefault(account.id);
        const link = sampleShortLink(config);
        const { logoPlacement } = await renderer.checkReadability(link, current);
        const png = await renderer.png(link, withLogoPlacement(current, logoPlacement), size);
        await writeFileAtomically(out, (add) => add(png));
        return { text: `Wrote ${out}.`, json: { file: out, link } };
      }),
    );
}

/** Refuses to replace what is no picture: a slip of the tongue must not cost a logo, or a backup. */
async function refuseOther(out: string): Promise<void> {
  // It would be a file of that name, which is easily missed and hard to remove.
  if (out === '-')
    throw new CommandError('A preview cannot go to standard output. Name a PNG file.');
  const file = Bun.file(out);
  if (!(await file.exists()) || file.size === 0) return;
  const start = await file.slice(0, pngSignature.length).bytes();
  if (!Bun.deepEquals(start, pngSignature))
    throw new CommandError(`${out} exists already and is not a PNG. Name another file.`);
}
