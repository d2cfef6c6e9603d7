import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { composeSafety } from '../../compose/safety.ts';
import { options } from '../../config.ts';
import { flagSource } from '../../core/codes/qr.ts';
import { parseBlockReason } from '../../core/safety/admin.ts';
import { createRecheck } from '../../core/safety/recheck.ts';
import { createStderrLog } from '../../lib/logger.ts';
import { formatCount } from '../../lib/numbers.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import { findChangeable } from '../code/find-code.ts';
import { addCommand, type CommandDeps, lowerPriority, type Outcome, onStores } from '../command.ts';
import { toJson } from '../output.ts';
import { createProgress } from '../progress.ts';
import { listName } from './format.ts';

const keptFlags =
  `codes flagged by a remote check keep their flag, because ${options.safeBrowsing.name} is off here. ` +
  "Use the server's settings, as waymarkctl does, to ask it again.";
// Codes read from the database at a time.
const sliceSize = 500;

/** Adds `waymark safety recheck | block-code | unblock-code`. */
export function addCodeCommands(safety: Command): void {
  addCommand(safety, 'recheck', 'check the destinations of all codes again')
    .hook('preAction', lowerPriority)
    .action(onStores(recheckAll));
  addCommand(safety, 'block-code <code>', 'block a code: its short link answers 410')
    .option('--reason <text>', 'why, in the words that its owner reads')
    .action(setBlocked(true));
  addCommand(
    safety,
    'unblock-code <code>',
    'unblock a code: it is active or paused again, as its owner set it',
  ).action(setBlocked(false));
}

/** Creates the action that blocks or unblocks a code. */
function setBlocked(blocked: boolean) {
  return onStores(async (deps, text: string, given: { readonly reason?: string }) => {
    const reason = parseBlockReason(given.reason ?? '');
    const { code } = (await findChangeable(deps, text)).qr;
    await deps.flags.setBlocked({ kind: 'command' }, code, blocked, realClock.nowMs(), reason);
    return {
      text: `${code} is ${blocked ? 'blocked' : 'no longer blocked'}.`,
      json: { code, blocked },
      change: { code, ...(reason !== null && { reason }) },
    };
  });
}

async function recheckAll(stores: CommandDeps): Promise<Outcome> {
  const { config } = stores;
  const safety = composeSafety(config, stores, createStderrLog(config));
  const recheck = createRecheck({
    store: stores.flags,
    reputation: safety.rechecks.withProvider,
    clock: realClock,
    // A running server may have settings that this shell lacks.
    maySkipRemote: config.safeBrowsing === 'off',
  });
  using progress = createProgress('codes', null);
  let slices = 0;
  const afterSlice = async () => {
    progress.update(++slices * sliceSize);
    return true;
  };
  const report = await recheck.all(sliceSize, afterSlice);
  const { checked, flagged: newlyFlagged, cleared, incomplete } = report;
  const flagged = (await stores.flags.flagged(checked)).map(
    ({ qrId: _, blockReason: __, ...code }) => code,
  );
  const lines = flagged.map(({ code, owner, destination, flag }) => {
    const reason = flag && `flagged by ${listName(flag.list)} ("${flag.expression}")`;
    return [code, owner, readableUrl(destination), reason].join('  ');
  });
  const sums =
    `Checked ${formatCount(checked, 'code')}: ${flagged.length} flagged (${newlyFlagged} new), ` +
    `${cleared} no longer flagged, ${incomplete} checked only in part.`;
  const isKept =
    config.safeBrowsing === 'off' &&
    flagged.some(({ flag }) => flag && flagSource(flag.list) === 'remote check');
  return {
    text: [sums, ...lines],
    json: toJson({ checked, newlyFlagged, cleared, incomplete, flagged }),
    warnings: [isKept && keptFlags],
  };
}
