import { composeCodeCommand } from '../../compose/code-command.ts';
import { closing, type StartRenderWorker } from '../../compose/runtime.ts';
import type { Config } from '../../config.ts';
import { type CommandDeps, type CommonFlags, type Outcome, run } from '../command.ts';
import { createStderrLog } from '../output.ts';

/** The stores, and what creates and edits codes. */
export interface CodeDeps extends CommandDeps {
  readonly codes: Awaited<ReturnType<typeof composeCodeCommand>>;
}

/** Runs a command that creates codes or changes destinations, with the checks of the server. */
export function runWithChecks(
  flags: CommonFlags,
  startRenderWorker: StartRenderWorker,
  act: (deps: CodeDeps, config: Config) => Promise<Outcome>,
): Promise<void> {
  return run(flags, async (stores, config) => {
    const log = createStderrLog(config);
    await using codes = closing(
      await composeCodeCommand(config, { stores, startRenderWorker, log }),
    );
    return await act({ ...stores, codes }, config);
  });
}
