import type { composeCodeCommand } from '../../compose/code-command.ts';
import { closing, type StartRenderWorker } from '../../compose/runtime.ts';
import { createStderrLog } from '../../lib/logger.ts';
import { type CommandDeps, type Outcome, onStores } from '../command.ts';

/** The stores, and what creates and edits codes. */
export interface CodeDeps extends CommandDeps {
  readonly codes: Awaited<ReturnType<typeof composeCodeCommand>>;
}

/**
 * Creates the action of a command that creates codes or changes destinations.
 * Destinations are checked as by the server.
 */
export function onCodes<Given extends unknown[]>(
  startRenderWorker: StartRenderWorker,
  act: (deps: CodeDeps, ...given: Given) => Promise<Outcome>,
) {
  return onStores((stores, ...given: Given) =>
    withCodes(stores, startRenderWorker, (deps) => act(deps, ...given)),
  );
}

/** Runs a function with what creates and edits codes. */
export async function withCodes<Result>(
  stores: CommandDeps,
  startRenderWorker: StartRenderWorker,
  act: (deps: CodeDeps) => Promise<Result>,
): Promise<Result> {
  const { config } = stores;
  // Loaded on demand, because most commands only read codes.
  const { composeCodeCommand } = await import('../../compose/code-command.ts');
  const log = createStderrLog(config);
  await using codes = closing(await composeCodeCommand(config, { stores, startRenderWorker, log }));
  return await act({ ...stores, codes });
}
