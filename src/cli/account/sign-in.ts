import { isatty } from 'node:tty';
import type { Command } from 'commander';
import { realClock, realRandomBytes } from '../../compose/runtime.ts';
import type { Config } from '../../config.ts';
import type { ListedAccount } from '../../core/accounts/account.ts';
import {
  createPasswordQueue,
  hashPassword,
  parsePassword,
  passwordProblem,
} from '../../core/accounts/password/password.ts';
import { maxSubjectLength } from '../../core/accounts/sign-in/provider.ts';
import {
  createSignInLinks,
  signInLinkLifetimeMs,
} from '../../core/accounts/sign-in/sign-in-link.ts';
import { Refused } from '../../core/errors.ts';
import { readFileAtMost } from '../../lib/files/bounded-read.ts';
import { addCommand, type CommandDeps, commandOn, type Outcome, serverUrl } from '../command.ts';
import { CommandError, UsageError } from '../errors/command-error.ts';
import { onAccount } from './find-account.ts';

const dayMs = 86_400_000;
// More than the longest password.
const maxInputBytes = 4_000;

/** Part of messages: what to do without an operator. */
export const operatorHint = '"waymark account operator EMAIL" makes an account an operator.';

/**
 * Adds the commands of `waymark account` that manage access to the panel.
 * `operator`, `link`, `identity`, `second-factor` and `password`.
 */
export function addSignInCommands(account: Command): void {
  addCommand(account, 'operator <email>', 'let an account manage the server in the panel')
    .option('--remove', 'revoke that right')
    .action(onAccount(changeOperator));
  addCommand(account, 'link <email>', 'issue a one-time link to sign in and set a password').action(
    onAccount(issueLink),
  );
  addCommand(account, 'identity <email>', 'show who an account is at the OpenID Connect provider')
    .option('--subject <subject>', 'connect it with this subject of WAYMARK_OIDC_ISSUER')
    .option('--remove', 'disconnect it, and end the sessions that began there')
    .action(onAccount(identity));
  addCommand(account, 'second-factor <email>', 'show whether an account has a second factor')
    .option('--reset', 'turn it off, for somebody without phone and recovery codes')
    .action(onAccount(secondFactor));
  addCommand(account, 'password <email>', 'set the password for the panel')
    .option('--password-stdin', 'read the password from standard input')
    .hook('preAction', (command) => {
      // A flag for the password itself would leave it in the shell's history.
      if (!command.opts<{ readonly passwordStdin?: true }>().passwordStdin)
        command.error(
          'error: no password is given. Add --password-stdin and "< FILE", or run ' +
            `"waymark account link ${command.args[0]}" for a link to set it in the browser.`,
        );
    })
    .action(onAccount(changePassword));
}

async function changeOperator(
  { accounts }: CommandDeps,
  { id, email }: ListedAccount,
  { remove }: { readonly remove?: true },
): Promise<Outcome> {
  const operator = !remove;
  await accounts.changeOperator(commandOn({ id }), operator, realClock.nowMs());
  return {
    text: `${email} is ${operator ? 'an' : 'not an'} operator.`,
    json: { email, operator },
    change: { account: email, operator: operator ? 'yes' : 'no' },
    warnings: [!(await accounts.hasOperator()) && `no account is an operator now. ${operatorHint}`],
  };
}

async function issueLink(
  { signInLinks: store, config }: CommandDeps,
  { id, email }: ListedAccount,
): Promise<Outcome> {
  const passwords = createPasswordQueue();
  const random = { clock: realClock, randomBytes: realRandomBytes };
  const token = await createSignInLinks({ store, passwords, ...random }).issue(commandOn({ id }));
  const link = `${await serverUrl(config)}/account/link/${token}`;
  const days = signInLinkLifetimeMs / dayMs;
  return {
    text:
      `${link}\nThis link signs in as ${email}${config.passwords ? ' and asks for a new password' : ''}. It works ` +
      `once, for ${days} days. A newer link or a changed password makes it invalid.`,
    json: { email, link },
    change: { account: email },
  };
}

async function identity(
  { identities, config }: CommandDeps,
  { id, email }: ListedAccount,
  { subject, remove }: { readonly subject?: string; readonly remove?: true },
): Promise<Outcome> {
  if (remove && subject !== undefined)
    throw new UsageError('--subject and --remove exclude each other.');
  if (subject !== undefined) {
    const { oidcIssuer } = config;
    if (oidcIssuer === null) throw new CommandError('WAYMARK_OIDC_ISSUER is not set.');
    if (subject === '' || subject.length > maxSubjectLength || /\p{Cc}/u.test(subject))
      throw new UsageError(`A subject has 1 to ${maxSubjectLength} characters, in one line.`);
    const result = await identities.bind(commandOn({ id }), {
      identity: { issuer: oidcIssuer, subject },
      stepHash: null,
      replacesOthers: false,
      atMs: realClock.nowMs(),
    });
    if (result !== 'bound')
      throw new CommandError(
        `${email} or this subject is connected already. "waymark account identity EMAIL --remove" disconnects an account.`,
      );
  }
  const isRemoved =
    remove === true && (await identities.remove(commandOn({ id }), realClock.nowMs(), null));
  const found = await identities.ofAccount(id);
  const text =
    found === null
      ? `${email} is not connected${isRemoved ? ' any more' : ''}.`
      : `${email} is ${found.subject} of ${found.issuer}.`;
  const { issuer = null } = found ?? {};
  return {
    text,
    json: { email, issuer, subject: found?.subject ?? null },
    ...((subject !== undefined || isRemoved) && { change: { account: email } }),
  };
}

async function secondFactor(
  { secondFactors }: CommandDeps,
  { id, email, hasSecondFactor }: ListedAccount,
  { reset }: { readonly reset?: true },
): Promise<Outcome> {
  if (!reset)
    return {
      text: `The second factor of ${email} is ${hasSecondFactor ? 'on' : 'off'}.`,
      json: { email, second_factor: hasSecondFactor },
    };
  await secondFactors.remove(commandOn({ id }), realClock.nowMs());
  return {
    text: `The second factor of ${email} is off. The password alone is enough to sign in.`,
    json: { email, second_factor: false },
    change: { account: email, reset: 'yes' },
  };
}

async function changePassword(
  { accounts, config }: CommandDeps,
  { id, email }: ListedAccount,
): Promise<Outcome> {
  requirePasswords(config);
  await accounts.changePassword(
    commandOn({ id }),
    await readPasswordHash(email),
    realClock.nowMs(),
  );
  return {
    text: `Changed the password of ${email}. All its sessions and unused sign-in links have ended.`,
    json: { email },
    change: { account: email },
  };
}

/** @throws CommandError when the server has no passwords */
export function requirePasswords({ passwords }: Pick<Config, 'passwords'>): void {
  if (!passwords)
    throw new CommandError(
      'WAYMARK_PASSWORDS is off, so a password would be of no use. "waymark account link EMAIL" makes a link to sign in.',
    );
}

/** Reads a new password from standard input, without its line end, and hashes it. */
export async function readPasswordHash(email: string): Promise<string> {
  if (isatty(0)) console.error('Type the password (it is shown), then Enter and Ctrl-D.');
  const password = parsePassword(await readFileAtMost('-', maxInputBytes));
  if (password === null) throw new CommandError('The password must be one line of text in UTF-8.');
  const problem = passwordProblem(password, email);
  if (problem !== null) throw new Refused(problem);
  return hashPassword(password);
}
