import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { type Config, ConfigError } from '../../config.ts';
import { isLocked } from '../../sqlite/database/lock.ts';
import { DatabaseUnusable } from '../../sqlite/database/migrate.ts';
import { type CommonFlags, configOf, type Outcome, reporting, subcommand } from '../command.ts';
import { inWords, unknownSettings } from '../serve/unknown-settings.ts';
import { checkAddress, checkAnswer } from './address.ts';
import { broken, type Check, fine, warning } from './check.ts';
import { checkDatabase } from './database.ts';
import { checkFolder, checkOwner, checkSpace, checkTemporary } from './folder.ts';
import { checkRenderer } from './renderer.ts';

const listed = '"waymark serve --help" lists them all.';

/** `waymark doctor` */
export function addDoctorCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  program.addCommand(
    subcommand('doctor', 'examine settings, folder, address, clock, database and renderer').action(
      (flags: CommonFlags) =>
        reporting(flags, async () => outcomeOf(await examine(flags, startRenderWorker))),
    ),
  );
}

async function examine(flags: CommonFlags, startRenderWorker: StartRenderWorker): Promise<Check[]> {
  const config = settings(flags);
  // Everything else depends on them.
  if (!('data' in config)) return [config, ...checkNames(), checkTemporary()];
  return [
    fine('settings', 'every value is understood'),
    ...checkNames(),
    ...checkRemote(config),
    checkFolder(config.data),
    checkOwner(config.data),
    checkSpace(config.data),
    checkTemporary(),
    checkAddress(config),
    ...(await checkServer(config)),
    ...checkDatabase(config, Date.now()),
    await checkRenderer(config, startRenderWorker),
  ];
}

function settings(flags: CommonFlags): Config | Check {
  try {
    return configOf(flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return broken('settings', error.message, listed);
  }
}

/** What is in the environment for Waymark and is read by nothing. */
function checkNames(): Check[] {
  return unknownSettings(Bun.env).map((unknown) =>
    warning('setting names', inWords(unknown), listed),
  );
}

/** Whoever sets up the remote check, and does not switch it on, believes that it is asked. */
function checkRemote(config: Config): Check[] {
  const { safeBrowsing, safeBrowsingKey, safeBrowsingUrl, safeBrowsingFailure } = config;
  const isSetUp =
    safeBrowsingKey !== null || safeBrowsingUrl !== null || safeBrowsingFailure !== 'allow';
  if (safeBrowsing !== 'off' || !isSetUp) return [];
  return [
    warning(
      'remote check',
      'it is set up, but WAYMARK_SAFE_BROWSING is off, so no remote service is asked about destinations',
      'Set WAYMARK_SAFE_BROWSING to webrisk, v5 or http, or remove its other settings.',
    ),
  ];
}

/** Asks the server that runs on the data folder, where one does. */
async function checkServer(config: Config): Promise<Check[]> {
  try {
    return isLocked(config.data) ? [await checkAnswer(config)] : [];
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    return [
      broken(
        'answer',
        `nobody can tell whether a server runs: ${error.message}`,
        'Run Waymark as the user that owns the data folder, and give every file in it to that user.',
      ),
    ];
  }
}

const marks = { ok: 'ok     ', warning: 'warning', broken: 'BROKEN ' } as const;

function outcomeOf(checks: readonly Check[]): Outcome {
  const count = (status: Check['status']) => checks.filter((one) => one.status === status).length;
  return {
    text: checks.map(line).join('\n'),
    json: { healthy: count('broken') === 0, warnings: count('warning'), checks },
    ...(count('broken') > 0 && {
      failure: `${count('broken')} of ${checks.length} examinations found something broken.`,
    }),
  };
}

function line({ name, status, message, advice }: Check): string {
  const text = `${marks[status]}  ${name}: ${message}`.replaceAll('\n', '\n         ');
  return advice === null ? text : `${text}\n         → ${advice}`;
}
