import { isatty } from 'node:tty';
import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { hashPassword, passwordProblem } from '../../core/accounts/password.ts';
import { signInLinkLifetimeMs } from '../../core/accounts/sign-in-link.ts';
import type { AccountStore } from '../../core/ports.ts';
import { type CommonFlags, type Outcome, run, subcommand } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { existing } from './named-account.ts';

const dayMs = 86_400_000;

/** What to tell whoever has no operator. */
export const howToManage = '"waymark account operator EMAIL" makes an account an operator.';

/** `waymark account password | link | operator`: who gets into the account panel, and how far. */
export function addPanelAccessCommands(
  account: Command,
  startRenderWorker: StartRenderWorker,
): void {
  account
    .addCommand(
      subcommand('operator <email>', 'let an account manage the server in the account panel')
        .option('--remove', 'take that away again; the account stays')
        .action((text: string, flags: CommonFlags & { remove?: true }) =>
          run(startRenderWorker, flags, ({ accounts }) =>
            changeOperator(accounts, text, flags.remove === undefined),
          ),
        ),
    )
    .addCommand(
      subcommand(
        'link <email>',
        'make a one-time link that signs in and sets a new password',
      ).action((text: string, flags: CommonFlags) =>
        run(startRenderWorker, flags, async ({ accounts, makeSignInLink }, { publicUrl }) => {
          const { id, email } = await existing(accounts, text);
          const link = `${publicUrl}/account/link/${await makeSignInLink(id)}`;
          return {
            text: `${link}\nWhoever opens it within ${signInLinkLifetimeMs / dayMs} days sets a new password for ${email} and is signed in. It works once, and not after another change of the password.`,
            json: { email, link },
          };
        }),
      ),
    )
    .addCommand(createPasswordCommand(startRenderWorker));
}

function createPasswordCommand(startRenderWorker: StartRenderWorker): Command {
  const command = subcommand('password <email>', 'set the password for the account panel').option(
    '--password-stdin',
    'read the password from standard input',
  );
  return command.action(async (text: string, flags: CommonFlags & { passwordStdin?: true }) => {
    // Asked for by name, so that nobody waits for a question, or leaves a password in the shell's history.
    if (!flags.passwordStdin)
      command.error(
        'error: the password is read from standard input: add --password-stdin, and pass it with ' +
          `"< FILE". "waymark account link ${text}" makes a link that sets one in the browser instead.`,
        { exitCode: exitCodes.misused },
      );
    await run(startRenderWorker, flags, async ({ accounts }) => {
      const one = await existing(accounts, text);
      await accounts.changePassword(one.id, await hashFromStdin());
      return {
        text: `Changed the password of ${one.email}. Its sessions have ended, and so has a sign-in link that was not used.`,
        json: { email: one.email },
      };
    });
  });
}

async function changeOperator(
  accounts: AccountStore,
  text: string,
  operator: boolean,
): Promise<Outcome> {
  const { id, email } = await existing(accounts, text);
  await accounts.changeOperator(id, operator);
  const isManaged = await hasOperator(accounts);
  return {
    text: operator
      ? `${email} is an operator and can manage the server in the account panel.`
      : `${email} is no operator.`,
    json: { email, operator },
    ...(!isManaged && {
      warning: `nobody can manage the server in the account panel now. ${howToManage}`,
    }),
  };
}

/** Whether anybody can manage the server in the account panel. */
export async function hasOperator(accounts: AccountStore): Promise<boolean> {
  return (await accounts.list()).some(({ isOperator }) => isOperator);
}

/** The password on standard input, without the line end that a shell puts behind it. */
export async function hashFromStdin(): Promise<string> {
  if (isatty(0)) console.error('Type the password, which is shown, then Enter and Ctrl-D.');
  const password = (await Bun.stdin.text()).replace(/\r?\n$/, '');
  const problem = passwordProblem(password);
  if (problem !== null) throw new CommandError(problem);
  return hashPassword(password);
}
