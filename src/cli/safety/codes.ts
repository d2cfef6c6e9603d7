import type { Command } from 'commander';
import { composeSafety } from '../../compose/safety.ts';
import { realClock, type Spawn } from '../../compose.ts';
import { parseCode } from '../../core/code.ts';
import { emptyReport, makeRecheck } from '../../core/recheck.ts';
import { inBackground } from '../background.ts';
import { type CommonFlags, run, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { Refused } from '../refusals.ts';
import { serverLog } from '../server.ts';
import { listName } from './list-name.ts';
import { onWire } from './on-wire.ts';

// Codes that are read from the database at a time.
const sliceSize = 500;

/** `waymark safety recheck | block-code | unblock-code`: codes that exist already. */
export function addCodeCommands(safety: Command, spawn: Spawn): void {
  const setBlocked = (text: string, flags: CommonFlags, blocked: boolean) =>
    run(spawn, flags, async (world) => {
      const code = parseCode(text);
      if (code === null || !(await world.flags.setBlocked(code, blocked)))
        throw new Refused(`There is no code ${text}.`);
      const status = blocked ? 'blocked' : 'no longer blocked';
      return { text: `${code} is ${status}.`, json: { code, blocked } };
    });

  safety
    .addCommand(
      inBackground(subcommand('recheck', 'check the destinations of all codes again')).action(
        (flags: CommonFlags) =>
          run(spawn, flags, async ({ flags: store }, config) => {
            const check = composeSafety(config, realClock, serverLog(config));
            const reputation = check.rechecks.whole;
            const recheck = makeRecheck({ store, reputation, clock: realClock });
            const report = emptyReport();
            await recheck.all(sliceSize, async () => true, report).finally(() => check.close());
            const { checked, found, cleared, partly } = report;
            const flagged = report.flagged.map(({ qrId: _, ...suspect }) => suspect);
            const lines = flagged.map(
              ({ code, owner, destination, flag }) =>
                `${code}  ${owner}  ${destination}  by ${listName(flag?.list ?? '')} as "${flag?.expression}"`,
            );
            const sums = `Checked ${counted(checked, 'code')}: ${flagged.length} flagged (${found} of them new), ${cleared} no longer flagged, ${partly} checked only in part.`;
            return { text: [sums, ...lines].join('\n'), json: onWire({ ...report, flagged }) };
          }),
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
