import type { Command } from 'commander';
import { realRandomBytes } from '../../compose/runtime.ts';
import { hasActivePlan } from '../../core/accounts/account.ts';
import { issueKey } from '../../core/accounts/api-key.ts';
import type { ApiKeyRecord } from '../../core/accounts/ports.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError } from '../errors.ts';
import { findAccount } from './find-account.ts';

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
        .action((text: string, flags: CommonFlags & { replace?: true }) =>
          run(flags, async ({ accounts, keys }, { keyPrefix }) => {
            const account = await findAccount(accounts, text);
            if (!hasActivePlan(account, Date.now()))
              throw new CommandError(
                `The plan of ${account.email} has expired, and a key needs an active one. Extend it ` +
                  `with "waymark account plan ${account.email} --until DATE".`,
              );
            const current = await keys.findByAccount(account.id);
            if (current !== null && !flags.replace)
              throw new CommandError(replacesText(account.email, current));
            const key = await issueKey(account.id, {
              keys,
              prefix: keyPrefix,
              randomBytes: realRandomBytes,
              nowMs: Date.now(),
              isLimited: !flags.replace,
            });
            return {
              text: key,
              json: { key },
              change: {
                command: 'key generate',
                details: { account: account.email, replaced: current === null ? 'no' : 'yes' },
              },
            };
          }),
        ),
    )
    .addCommand(
      subcommand('revoke <email>', 'revoke the key; it stops working at once').action(
        (text: string, flags: CommonFlags) =>
          run(flags, async ({ accounts, keys }) => {
            const { id, email } = await findAccount(accounts, text);
            if (!(await keys.revoke(id))) throw new CommandError(`${email} has no key to revoke.`);
            return {
              text: `Revoked the key of ${email}.`,
              json: { email },
              change: { command: 'key revoke', details: { account: email } },
            };
          }),
      ),
    );
}

/** Describes what replacing a key breaks. */
function replacesText(email: string, { lastFour, lastUsedAtMs }: ApiKeyRecord): string {
  const use = lastUsedAtMs === null ? 'never used' : `last used ${isoTimestamp(lastUsedAtMs)}`;
  return (
    `${email} has a key already, ending in ${lastFour} and ${use}. A new key replaces it: programs that use ` +
    'the old one get 401 until they have the new one. Printed codes are not affected. Add --replace to do it.'
  );
}
