import { composeSafety, safetyFolder } from '../../compose/safety.ts';
import { realClock } from '../../compose.ts';
import type { SafetyCheck } from '../../safety/reputation.ts';
import { type CommonFlags, configOf, type Outcome, reporting } from '../command.ts';
import { serverLog } from '../server.ts';

/** Runs a command on the safety folder. Lists and entries are files; no database is opened. */
export function onFolder(
  flags: CommonFlags,
  act: (folder: string) => Promise<Outcome>,
): Promise<void> {
  return reporting(flags, () => act(safetyFolder(configOf(flags))));
}

/** Runs a command on the check as a server with these settings would make it. */
export function withCheck(
  flags: CommonFlags,
  act: (check: SafetyCheck, folder: string) => Promise<Outcome>,
): Promise<void> {
  return reporting(flags, async () => {
    const config = configOf(flags);
    const check = composeSafety(config, realClock, serverLog(config));
    try {
      return await act(check, safetyFolder(config));
    } finally {
      check.close();
    }
  });
}
