import type { Command } from 'commander';
import { composeSafety } from '../../compose/safety.ts';
import { realClock, type StartRenderWorker } from '../../compose/server.ts';
import { type Config, options } from '../../config.ts';
import { parseCode } from '../../core/codes/code.ts';
import { flagSource } from '../../core/safety/flag.ts';
import {
  createRecheck,
  emptyReport,
  type FlaggedCode,
  type FlagStore,
} from '../../core/safety/recheck.ts';
import { inBackground } from '../background.ts';
import { type CommonFlags, type Outcome, run, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';
import { serverLog } from '../serve/server.ts';
import { listName } from './list-name.ts';
import { onWire } from './on-wire.ts';

// Codes that are read from the database at a time.
const sliceSize = 500;

/** `waymark safety recheck | block-code | unblock-code`: codes that exist already. */
export function addCodeCommands(safety: Command, startRenderWorker: StartRenderWorker): void {
  const setBlocked = (text: string, flags: CommonFlags, blocked: boolean) =>
    run(startRenderWorker, flags, async (deps) => {
      const code = parseCode(text);
      if (code === null || !(await deps.flags.setBlocked(code, blocked)))
        throw new CommandError(`There is no code ${text}.`);
      const status = blocked ? 'blocked' : 'no longer blocked';
      return { text: `${code} is ${status}.`, json: { code, blocked } };
    });

  safety
    .addCommand(
      inBackground(subcommand('recheck', 'check the destinations of all codes again')).action(
        (flags: CommonFlags) =>
          run(startRenderWorker, flags, ({ flags: store }, config) => recheckAll(store, config)),
      ),
    )
    .addCommand(
      subcommand('block-code <code>', 'stop a code: its short link answers 410').action(
        (text: string, flags: CommonFlags) => setBlocked(text, flags, true),
      ),
    )
    .addCommand(
      subcommand(
        'unblock-code <code>',
        'lift the block: the code is again what its owner has made it, active or paused',
      ).action((text: string, flags: CommonFlags) => setBlocked(text, flags, false)),
    );
}

async function recheckAll(store: FlagStore, config: Config): Promise<Outcome> {
  const safety = composeSafety(config, realClock, serverLog(config));
  const flagged: Omit<FlaggedCode, 'qrId'>[] = [];
  const recheck = createRecheck({
    store,
    reputation: safety.rechecks.whole,
    clock: realClock,
    // The server beside this may have settings that this shell has not.
    maySkipRemote: config.safeBrowsing === 'off',
    onFlagged: ({ qrId: _, ...suspect }) => flagged.push(suspect),
  });
  const report = emptyReport();
  await recheck.all(sliceSize, async () => true, report).finally(() => safety.close());
  const { checked, flagged: newlyFlagged, cleared, incomplete } = report;
  const lines = flagged.map(
    ({ code, owner, destination, flag: { list, expression } }) =>
      `${code}  ${owner}  ${destination}  by ${listName(list)} as "${expression}"`,
  );
  const sums = `Checked ${counted(checked, 'code')}: ${flagged.length} flagged (${newlyFlagged} of them new), ${cleared} no longer flagged, ${incomplete} checked only in part.`;
  const warning = warningOf(config, flagged);
  return {
    text: [sums, ...lines].join('\n'),
    json: onWire({ checked, found: newlyFlagged, cleared, partly: incomplete, flagged }),
    ...(warning !== null && { warning }),
  };
}

/** Where a remote check has flagged codes and is not asked: why they stay flagged. */
function warningOf(
  { safeBrowsing }: Pick<Config, 'safeBrowsing'>,
  flagged: readonly Pick<FlaggedCode, 'flag'>[],
): string | null {
  const kept = flagged.filter(({ flag }) => flagSource(flag.list) === 'remote check').length;
  if (safeBrowsing !== 'off' || kept === 0) return null;
  return (
    `${counted(kept, 'code')} flagged by a remote check ${kept === 1 ? 'keeps its' : 'keep their'} flag, because ` +
    `${options.safeBrowsing.name} is off here. Set what the server has, as waymarkctl does, to ask it again.`
  );
}
