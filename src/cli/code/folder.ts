import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { createCodeLists, parseFolder } from '../../core/codes/lists/lists.ts';
import type { Acting } from '../../core/ports.ts';
import { formatCount } from '../../lib/numbers.ts';
import { findAccount } from '../account/find-account.ts';
import { addCommand, type CommandDeps, commandOn, type Outcome, onStores } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';

interface FolderFlags {
  readonly account: string;
}

/** Creates the lists of codes for a command. */
export function listsOf({ codeLists: lists, qrs }: Pick<CommandDeps, 'codeLists' | 'qrs'>) {
  return createCodeLists({ lists, qrs, clock: realClock });
}

/** Adds `waymark folder …`. A folder is there while a code is in it. */
export function addFolderCommands(program: Command): void {
  const folder = program.command('folder').description('list, rename and remove folders of codes');
  const add = (usage: string, description: string) =>
    addCommand(folder, usage, description).requiredOption(
      '--account <email>',
      'account of the codes',
    );
  add('list', 'list folders with the number of their codes').action(
    onStores(async (deps, flags: FolderFlags) => {
      const { id } = await findAccount(deps.accounts, flags.account);
      const all = await listsOf(deps).countedFolders(id);
      const folders = all.filter(({ name }) => name !== null);
      const lines = folders.map(({ name, codes }) => `${name}  ${formatCount(codes ?? 0, 'code')}`);
      return { text: lines.join('\n') || 'There is no folder yet.', json: folders };
    }),
  );
  add('rename <name> <new-name>', 'rename a folder').action(
    onStores((deps, name: string, newName: string, flags: FolderFlags) =>
      change(deps, flags, 'Renamed', name, (lists, acting) =>
        lists.renameFolder(acting, name, parseFolder(newName)),
      ),
    ),
  );
  add('remove <name>', 'remove a folder; its codes stay, without a folder').action(
    onStores((deps, name: string, flags: FolderFlags) =>
      change(deps, flags, 'Removed', name, (lists, acting) => lists.removeFolder(acting, name)),
    ),
  );
}

async function change(
  deps: CommandDeps,
  { account }: FolderFlags,
  done: 'Renamed' | 'Removed',
  name: string,
  act: (lists: ReturnType<typeof listsOf>, acting: Acting) => Promise<number>,
): Promise<Outcome> {
  const owner = await findAccount(deps.accounts, account);
  const codes = await act(listsOf(deps), commandOn(owner));
  if (codes === 0)
    throw new CommandError(
      `There is no folder ${JSON.stringify(name)}. "waymark folder list" shows all.`,
    );
  return {
    text: `${done} the folder of ${formatCount(codes, 'code')}.`,
    json: { codes },
    change: { codes: String(codes) },
  };
}
