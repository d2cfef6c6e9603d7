import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { composeSearchTerm } from '../../compose/domains.ts';
import { closing, realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import {
  type AccountActivity,
  createAccountActivity,
} from '../../core/accounts/activity/account-activity.ts';
import type { createArchives } from '../../core/codes/print/archive.ts';
import { parseSizeMm } from '../../core/codes/print/paper.ts';
import {
  type PrintOrder,
  type PrintSelection,
  printOrders,
} from '../../core/codes/print/selection.ts';
import { writeFileAtomically } from '../../lib/files/atomic-write.ts';
import { symbolSide } from '../../render/print-image.ts';
import { createRenderer } from '../../workers/renderer.ts';
import { findAccount } from '../account/find-account.ts';
import {
  addCommand,
  lowerPriority,
  type Outcome,
  onStores,
  rejectOutput,
  withAddressWarning,
} from '../command.ts';
import { messageOf } from '../errors/report.ts';
import { createProgress } from '../progress.ts';
import { searchHelp } from './format.ts';

/** Flags of the commands that write many codes to a file. */
export interface PrintRunFlags {
  readonly account: string;
  readonly out: string;
  readonly search: string;
  readonly folder?: string;
  readonly order: PrintOrder;
}

/** Adds a command that writes many codes to a file. */
export function addPrintRunCommand(
  code: Command,
  usage: string,
  description: string,
  file: string,
): Command {
  return addCommand(code, usage, description)
    .requiredOption('--account <email>', 'account of the codes')
    .requiredOption('--out <file>', `${file} to write; an earlier file is replaced`)
    .option('--search <text>', searchHelp, '')
    .option('--folder <folder>', 'only codes in a folder')
    .addOption(
      new Option('--order <order>', 'by name, as people count, or as they were created')
        .choices(printOrders)
        .default('name'),
    )
    .hook('preAction', lowerPriority);
}

/** Creates the option `--size-mm`. */
export function sizeMmOption(description: string): Option {
  return new Option('--size-mm <mm>', description).argParser(usage(parseSizeMm));
}

/** Makes a parser of core one of commander. */
export function usage<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(messageOf(error));
    }
  };
}

/** What images in an archive are printed with, and sheets too. */
type PrintDeps = Parameters<typeof createArchives>[0] & { readonly activity: AccountActivity };

/** Creates the action of such a command on the selected codes. */
export function onSelection<Flags extends PrintRunFlags>(
  startRenderWorker: StartRenderWorker,
  act: (deps: PrintDeps, selection: PrintSelection, flags: Flags) => Promise<Outcome>,
) {
  return onStores(async ({ accounts, qrs, designs, domains, activity, config }, flags: Flags) => {
    rejectOutput(config, flags.out);
    const account = await findAccount(accounts, flags.account);
    const { fonts } = config;
    const workers = availableParallelism();
    await using renderer = closing(createRenderer({ startRenderWorker, workers, fonts }));
    const { order, folder } = flags;
    const search = await composeSearchTerm(config, domains)(flags.search);
    const filter = folder === undefined ? {} : { folder };
    const selection = { accountId: account.id, search, filter, order };
    const printing = {
      store: qrs,
      designs,
      rendererFor: renderer.for,
      printerFor: renderer.sheetPrinterFor,
      symbolSide,
      clock: realClock,
      activity: createAccountActivity({ store: activity, clock: realClock }),
    };
    return withAddressWarning(config, await act(printing, selection, flags));
  });
}

/** Writes the pieces of a file with progress on a terminal. */
export async function writePieces(
  file: string,
  total: number,
  pieces: (onProgress: (done: number) => void) => AsyncIterable<Uint8Array>,
): Promise<void> {
  using progress = createProgress('codes', total);
  await writeFileAtomically(file, async (append) => {
    for await (const piece of pieces(progress.update)) append(piece);
  });
}
