import { type Command, InvalidArgumentError } from 'commander';
import { realRandomBytes } from '../../compose/runtime.ts';
import { hasActivePlan } from '../../core/accounts/account.ts';
import { issueKey, maxOverlapHours } from '../../core/accounts/api-key.ts';
import type { ApiKeyRecord } from '../../core/accounts/ports.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError, exitCodes } from '../errors.ts';
import { findAccount, onAccount } from './find-account.ts';

/** Adds `waymark key generate | revoke`. */
export function addKeyCommands(program: Command): void {
  program
    .command('key')
    .description('manage API keys, one per account')
    .addCommand(
      subcommand('generate <email>', 'generate a key')
        .option(
          '--replace',
          'replace the current key, which stops working at once; not limited to five keys an hour',
        )
        .option(
          '--overlap <hours>',
          `with --replace: the current key works for so long beside the new one, from 1 to ${maxOverlapHours} hours, such as 24h`,
          parseHours,
        )
        .action((text: string, flags: GenerateFlags, command: Command) => {
          if (flags.overlap !== undefined && !flags.replace)
            command.error('error: --overlap needs --replace, which names what it is about', {
              exitCode: exitCodes.misused,
            });
          return run(flags, async ({ accounts, keys }, { keyPrefix }) => {
            const account = await findAccount(accounts, text);
            if (!hasActivePlan(account, Date.now()))
              throw new CommandError(
                `The plan of ${account.email} has expired, and a key needs an active one. Extend it ` +
                  `with "waymark account plan ${account.email} --until DATE".`,
              );
            const current = await keys.findByAccount(account.id);
            const key = await issueKey(account.id, {
              keys,
              prefix: keyPrefix,
              randomBytes: realRandomBytes,
              nowMs: Date.now(),
              overlapHours: flags.overlap ?? 0,
              isLimited: !flags.replace,
              expectedMs: flags.replace ? undefined : null,
            });
            if (key === null) throw new CommandError(replacesText(account.email, current));
            return {
              text: key,
              json: { key },
              change: { account: account.email, replaced: current === null ? 'no' : 'yes' },
            };
          });
        }),
    )
    .addCommand(
      subcommand(
        'revoke <email>',
        'revoke the key, and one that it replaced; they stop working at once',
      )
        .option('--old', 'only the one that was replaced and still works beside it')
        .action(
          onAccount(async ({ keys }, { id, email }, { old }: CommonFlags & { old?: true }) => {
            if (old) {
              if (!(await keys.endFormer(id)))
                throw new CommandError(`${email} has no replaced key that still works.`);
              return {
                text: `Ended the replaced key of ${email}. The new one goes on.`,
                json: { email },
                change: { account: email, key: 'old' },
              };
            }
            if (!(await keys.revoke(id))) throw new CommandError(`${email} has no key to revoke.`);
            return {
              text: `Revoked the key of ${email}.`,
              json: { email },
              change: { account: email },
            };
          }),
        ),
    );
}

interface GenerateFlags extends CommonFlags {
  readonly replace?: true;
  readonly overlap?: number;
}

/** Parses a number of hours, with or without the unit. @throws InvalidArgumentError */
function parseHours(text: string): number {
  const hours = Number(/^(\d{1,4}) ?h?$/i.exec(text)?.[1]);
  if (hours >= 1 && hours <= maxOverlapHours) return hours;
  throw new InvalidArgumentError(
    `It must be whole hours from 1 to ${maxOverlapHours}, such as 24h.`,
  );
}

/**
 * Describes what replacing a key breaks.
 *
 * @param current null if the key was generated a moment ago
 */
function replacesText(email: string, current: ApiKeyRecord | null): string {
  const { lastFour, lastUsedAtMs = null } = current ?? {};
  const use = lastUsedAtMs === null ? 'never used' : `last used ${isoTimestamp(lastUsedAtMs)}`;
  const which = lastFour === undefined ? '' : `, ending in ${lastFour} and ${use}`;
  return (
    `${email} has a key already${which}. A new key replaces it: programs that use ` +
    'the old one get 401 until they have the new one. Printed codes are not affected. Add --replace to do it, and --overlap 24h to let the old one work for a day.'
  );
}
