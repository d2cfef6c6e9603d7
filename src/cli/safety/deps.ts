import { composeSafety, safetyFolder } from '../../compose/safety.ts';
import { realClock } from '../../compose/server.ts';
import type { Config } from '../../config.ts';
import type { SafetyCheck } from '../../reputation/reputation.ts';
import { hasDatabase } from '../../sqlite/database/open.ts';
import { type CommonFlags, configOf, type Outcome, reporting } from '../command.ts';
import { serverLog } from '../serve/server.ts';

/** Runs a command on the safety folder. Lists and entries are files; no database is opened. */
export function onFolder(
  flags: CommonFlags,
  act: (folder: string, config: Config) => Promise<Outcome>,
): Promise<void> {
  return reporting(flags, async () => {
    const config = configOf(flags);
    return { ...unserved(config), ...(await act(safetyFolder(config), config)) };
  });
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
      return { ...unserved(config), ...(await act(check, safetyFolder(config))) };
    } finally {
      check.close();
    }
  });
}

/** Lists can be made before the first start, but in a mistyped folder they would protect nobody. */
function unserved({ data }: Config): Pick<Outcome, 'warning'> {
  if (hasDatabase(data)) return {};
  return {
    warning:
      `there is no database in ${data}, so no server goes by these lists yet. If one runs, name its data ` +
      'folder with --data or WAYMARK_DATA.',
  };
}
