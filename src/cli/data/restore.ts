import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { keyProblem } from '../../compose/app/secret-box.ts';
import { closing, realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { unservedPrefixes } from '../../core/codes/urls/short-url.ts';
import { type RestoreLosses, WouldReplaceDatabase } from '../../core/storage.ts';
import { formatCount, plural } from '../../lib/numbers.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import { addCommand, type CommonFlags, configOf, type Outcome, toAction } from '../command.ts';
import { contentJson, contentText } from './backup.ts';
import { chooseBackup } from './backup-folder.ts';

interface RestoreFlags extends CommonFlags {
  readonly force?: true;
  readonly keepSessions?: true;
}

/** Adds `waymark restore FILE`. */
export function addRestoreCommand(program: Command): void {
  addCommand(program, 'restore <file>', 'replace the database with a backup; stop the server first')
    .option('--force', 'replace the current database; it is kept under a dated name')
    .option(
      '--keep-sessions',
      'keep who is signed in, known browsers, one-time links and invitations as in the backup',
    )
    .action(toAction(restore));
}

async function restore(path: string, flags: RestoreFlags): Promise<Outcome> {
  const { file, problem } = chooseBackup(path, realClock.nowMs());
  const config = configOf(flags);
  const { data, shortUrl, shortUrlAliases } = config;
  const { force = false, keepSessions = false } = flags;
  const options = { replace: force, keepSessions, nowMs: realClock.nowMs() };
  const storage = await createStorage(config);
  const restored = await storage.restore(resolve(file), options).catch((error: unknown) => {
    if (error instanceof WouldReplaceDatabase) return error;
    throw error;
  });
  if (restored instanceof WouldReplaceDatabase) return rejection(restored);

  const { rows, shortUrlPrefixes, leftOut, kept, losses } = restored;
  const keptFile = kept === null ? null : join(data, kept);
  await using reader = closing(await storage.openForReading());
  const unreadable = await keyProblem(config, await reader.storedSecrets());
  const missing = unservedPrefixes(shortUrlPrefixes, [shortUrl, ...shortUrlAliases]);
  return {
    text: [
      `Restored ${file} into ${storage.name}: ${contentText(rows)}.`,
      keptFile !== null && `The old database is kept as ${keptFile}.`,
      keepSessions
        ? 'Keys, passwords and sessions are those of the time of the backup.'
        : 'Keys and passwords are those of the time of the backup. Everybody has to sign in again.',
    ],
    json: { ...contentJson(rows), kept: keptFile, ...lossesJson(losses) },
    warnings: [
      problem !== null && `${problem} Codes and edits since ${file} are missing.`,
      leftOut.length > 0 &&
        `Waymark did not make what follows in the backup, so it was left out: ${leftOut.slice(0, 20).join(', ')}.`,
      losses !== null &&
        losses.lostCodes.length > 0 &&
        `${lostText(losses)}; the old database still has ${plural(losses.lostCodes.length, 'it', 'them')}.`,
      unreadable !== null && `${unreadable.message}. ${unreadable.advice}`,
      missing.length > 0 &&
        `the backup has codes printed with ${missing.join(', ')}, which is neither the short URL of the settings nor a ` +
          'domain. Add each with "waymark domain add", or name it in WAYMARK_SHORT_URL_ALIASES, before "waymark serve".',
    ],
  };
}

/** Lists what a restore without `--force` would take back. */
function rejection({ message, losses }: WouldReplaceDatabase): Outcome {
  const { codes, lostCodes, changedCodes, isComplete } = losses;
  const list = lostCodes.map(({ code, destination }) => `${code}  ${readableUrl(destination)}`);
  const reasons = [
    message,
    lostCodes.length > 0 &&
      `${lostText(losses)}, because the backup doesn't have ${plural(lostCodes.length, 'it', 'them')} (listed on standard output).`,
    changedCodes > 0 && `${formatCount(changedCodes, 'code')} will lead to an earlier destination.`,
    !isComplete &&
      'The database is damaged, so not all of its codes could be compared. First save what can be ' +
        'read of it with "waymark repair --to FILE": a restore loses what came after the backup.',
    'Add --force to replace the database; it is then kept under a dated name.',
  ];
  return {
    text:
      lostCodes.length > 0
        ? ["Codes that the backup doesn't have:", ...list]
        : `The backup has all ${formatCount(codes, 'code')} that could be read.`,
    json: lossesJson(losses),
    failure: reasons.filter((reason) => reason !== false).join(' '),
  };
}

function lostText({ lostCodes }: RestoreLosses): string {
  return `${formatCount(lostCodes.length, 'printed code')} will lead nowhere`;
}

function lossesJson(losses: RestoreLosses | null) {
  return {
    lost_codes: losses?.lostCodes ?? [],
    changed_codes: losses?.changedCodes ?? 0,
    compared: losses?.isComplete ?? true,
  };
}
