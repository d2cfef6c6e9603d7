import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { createCodeLists, parseFolder } from '../../core/codes/lists/lists.ts';
import { formatCount } from '../../lib/numbers.ts';
import { findAccount } from '../account/find-account.ts';
import { type CommandDeps, type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError } from '../errors.ts';

interface FolderFlags extends CommonFlags {
  readonly account: string;
}

/** Creates the lists of codes for a command. */
export function listsOf({ codeLists: lists, qrs }: Pick<CommandDeps, 'codeLists' | 'qrs'>) {
  return createCodeLists({ lists, qrs, clock: realClock });
}

function folderCommand(usage: string, description: string): Command {
  return subcommand(usage, description).requiredOption('--account <email>', 'account of the codes');
}

/** Adds `waymark folder …`. A folder is there while a code is in it. */
export function addFolderCommands(program: Command): void {
  program
    .command('folder')
    .description('list, rename and remove folders of codes')
    .addCommand(
      folderCommand('list', 'list folders with the number of their codes').action(
        (flags: FolderFlags) =>
          run(flags, async (deps) => {
            const { id } = await findAccount(deps.accounts, flags.account);
            const folders = (await listsOf(deps).folders(id, true)).filter(
              ({ name }) => name !== null,
            );
            return {
              text:
                folders
                  .map(({ name, codes }) => `${name}  ${formatCount(codes ?? 0, 'code')}`)
                  .join('\n') || 'There is no folder yet.',
              json: folders,
            };
          }),
      ),
    )
    .addCommand(
      folderCommand('rename <name> <new-name>', 'rename a folder').action(
        (name: string, newName: string, flags: FolderFlags) =>
          change(flags, 'rename', name, (lists, id) =>
            lists.renameFolder(id, name, parseFolder(newName)),
          ),
      ),
    )
    .addCommand(
      folderCommand('remove <name>', 'remove a folder; its codes stay, without a folder').action(
        (name: string, flags: FolderFlags) =>
          change(flags, 'remove', name, (lists, id) => lists.removeFolder(id, name)),
      ),
    );
}

function change(
  flags: FolderFlags,
  verb: 'rename' | 'remove',
  name: string,
  act: (lists: ReturnType<typeof listsOf>, accountId: number) => Promise<number>,
): Promise<void> {
  return run(flags, async (deps) => {
    const { id } = await findAccount(deps.accounts, flags.account);
    const codes = await act(listsOf(deps), id);
    if (codes === 0)
      throw new CommandError(
        `There is no folder ${JSON.stringify(name)}. "waymark folder list" shows all.`,
      );
    return {
      text: `${verb === 'rename' ? 'Renamed' : 'Removed'} the folder of ${formatCount(codes, 'code')}.`,
      json: { codes },
      change: { codes: String(codes) },
    };
  });
}
