import { resolve } from 'node:path';
import type { Command } from 'commander';
import { keyProblem, secretKeyPlace } from '../../compose/app/secret-box.ts';
import { closing } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { copySnapshot, type SnapshotSummary } from '../../core/backups/snapshot.ts';
import { checkSnapshot } from '../../core/backups/snapshot-values.ts';
import { formatCount } from '../../lib/numbers.ts';
import { isDatabaseUrl } from '../../lib/text/addresses.ts';
import {
  addCommand,
  type CommonFlags,
  configOf,
  lowerPriority,
  type Outcome,
  toAction,
} from '../command.ts';
import { CommandError } from '../errors/command-error.ts';

interface MoveFlags extends CommonFlags {
  readonly to: string;
}

/** Adds `waymark move`. */
export function addMoveCommand(program: Command): void {
  addCommand(
    program,
    'move',
    'copy everything to PostgreSQL, or back into a folder; stop the server first',
  )
    .requiredOption(
      '--to <target>',
      'an empty PostgreSQL database (postgres://…), or a new data folder',
    )
    .hook('preAction', lowerPriority)
    .action(toAction(move));
}

async function move(flags: MoveFlags): Promise<Outcome> {
  const { to } = flags;
  const { data, databaseUrl, secretKey } = configOf(flags);
  // The disk of a path on Windows, such as `C:`, is followed by no slashes.
  const isUrl = /^\w+:\/\//.test(to);
  const isToPostgres = isDatabaseUrl(to);
  if ((isUrl || /^postgres(ql)?:/i.test(to)) && !isToPostgres)
    throw new CommandError(
      '--to must be the address of a PostgreSQL database, such as postgres://user:password@db.example.com/waymark.',
    );
  if (!isToPostgres && databaseUrl === null)
    throw new CommandError(
      'WAYMARK_DATABASE_URL names no database to copy from. To copy a data folder into another, use ' +
        '"waymark backup" and "waymark restore".',
    );
  const source = await createStorage({ data, databaseUrl: isToPostgres ? null : databaseUrl });
  const targetSettings = isToPostgres
    ? { data, databaseUrl: to }
    : { data: resolve(to), databaseUrl: null };
  const target = await createStorage(targetSettings);
  const moved = await source.whileStopped(() =>
    source.readSnapshot((snapshot) => copySnapshot(checkSnapshot(snapshot), target)),
  );
  await using reader = closing(await target.openForReading());
  const stored = await reader.storedSecrets();
  const unreadable = await keyProblem({ ...targetSettings, secretKey }, stored);
  const { accounts, codes, scans, images } = moved;
  return {
    text: [
      `Copied ${source.name} to ${target.name}, and compared every row: ${contentText(moved)}. Both sides are equal.`,
      isToPostgres
        ? 'Now set WAYMARK_DATABASE_URL to the same address and start the server.'
        : `Now unset WAYMARK_DATABASE_URL, set WAYMARK_DATA to ${target.name} and start the server.`,
      `${source.name} is unchanged. Keep it until the new server works, and never start a server on it again.`,
    ],
    json: { accounts, codes, scans, images },
    warnings: [
      unreadable !== null &&
        `${unreadable.message}. ${isToPostgres ? `The key is in ${secretKeyPlace({ data, databaseUrl: null, secretKey: null })}. ` : ''}${unreadable.advice}`,
    ],
  };
}

function contentText({ accounts, codes, scans, images }: SnapshotSummary): string {
  return [
    formatCount(accounts, 'account'),
    formatCount(codes, 'code'),
    formatCount(scans, 'scan'),
    formatCount(images, 'image hash', 'image hashes'),
  ].join(', ');
}
