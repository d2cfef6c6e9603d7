import type { Command } from 'commander';
import { realRandomBytes, type StartRenderWorker } from '../compose/runtime.ts';
import { hasActivePlan } from '../core/accounts/account.ts';
import { generateKey } from '../core/accounts/api-key.ts';
import { existing } from './account/named-account.ts';
import { type CommonFlags, run, subcommand } from './command.ts';
import { CommandError } from './exit-codes.ts';

/** `waymark key …` */
export function addKeyCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  program
    .command('key')
    .description('API keys: one for each account')
    .addCommand(
      subcommand('generate <email>', 'generate a key; it replaces the one before').action(
        (text: string, flags: CommonFlags) =>
          run(startRenderWorker, flags, async ({ accounts, keys }, { keyPrefix }) => {
            const account = await existing(accounts, text);
            if (!hasActivePlan(account, Date.now()))
              throw new CommandError(
                `The plan of ${account.email} has ended, and a key needs an active one. Extend it ` +
                  `with "waymark account plan ${account.email} --until DATE".`,
              );
            const { key, hash, lastFour } = generateKey(keyPrefix, realRandomBytes);
            await keys.replace(account.id, hash, lastFour, Date.now());
            return { text: key, json: { key } };
          }),
      ),
    )
    .addCommand(
      subcommand('revoke <email>', 'revoke the key; it stops working at once').action(
        (text: string, flags: CommonFlags) =>
          run(startRenderWorker, flags, async ({ accounts, keys }) => {
            const account = await existing(accounts, text);
            if (!(await keys.revoke(account.id)))
              throw new CommandError(`${account.email} has no key to revoke.`);
            return {
              text: `Revoked the key of ${account.email}.`,
              json: { email: account.email },
            };
          }),
      ),
    );
}
