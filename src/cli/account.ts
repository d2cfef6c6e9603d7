import type { Command } from 'commander';
import type { Spawn } from '../compose.ts';
import { type Account, hasActivePlan, parseEmail, parsePlanEnd } from '../core/account.ts';
import { hashPassword, passwordProblem } from '../core/password.ts';
import type { AccountStore } from '../core/ports.ts';
import { instant } from '../core/qr.ts';
import { type CommonFlags, type Outcome, run, subcommand } from './command.ts';
import { counted } from './counted.ts';
import { Refused } from './refusals.ts';

interface CreateFlags extends CommonFlags {
  readonly planUntil?: string;
  readonly operator?: true;
  readonly passwordStdin?: true;
}

const planHelp =
  'a day such as 2027-01-31 (inclusive, UTC), an ISO 8601 instant such as 2027-01-31T18:00:00+01:00, or "never"';

/** `waymark account …` */
export function addAccountCommands(program: Command, spawn: Spawn): void {
  const account = program.command('account').description('accounts: who owns codes');

  account
    .addCommand(
      subcommand('create <email>', 'create an account')
        .option('--plan-until <date>', `end of the paid plan: ${planHelp} (default: never)`)
        .option('--operator', 'may manage the server in the account panel')
        .option('--password-stdin', 'read the password for the account panel from standard input')
        .action((text: string, flags: CreateFlags) =>
          run(spawn, flags, (world) => createAccount(world.accounts, text, flags), {
            create: true,
          }),
        ),
    )
    .addCommand(
      subcommand('list', 'list the accounts').action((flags: CommonFlags) =>
        run(spawn, flags, async ({ accounts }) => {
          const all = await accounts.list();
          return {
            text: all.map(line).join('\n') || 'There is no account yet.',
            json: all.map(shown),
          };
        }),
      ),
    )
    .addCommand(
      subcommand('show <email>', 'show an account').action((text: string, flags: CommonFlags) =>
        run(spawn, flags, async ({ accounts }) => {
          const { email } = await existing(accounts, text);
          const one = (await accounts.list()).find((candidate) => candidate.email === email);
          if (one === undefined) throw new Refused(`There is no account ${text}.`);
          return {
            text: `${line(one)}${one.operator ? '  operator' : ''}`,
            json: shown(one),
          };
        }),
      ),
    )
    .addCommand(
      subcommand('plan <email>', 'set when the paid plan of an account ends')
        .requiredOption('--until <date>', planHelp)
        .action((text: string, flags: CommonFlags & { until: string }) =>
          run(spawn, flags, async ({ accounts }) => {
            const one = await existing(accounts, text);
            const planUntilMs = planEndOf(flags.until);
            await accounts.changePlan(one.id, planUntilMs);
            const changed = { ...one, planUntilMs };
            return {
              text: `${one.email}: ${planText(changed)}`,
              json: { email: one.email, plan_until: planEnd(changed) },
            };
          }),
        ),
    )
    .addCommand(
      subcommand('password <email>', 'set the password for the account panel')
        .requiredOption('--password-stdin', 'read the password from standard input')
        .action((text: string, flags: CommonFlags) =>
          run(spawn, flags, async ({ accounts }) => {
            const one = await existing(accounts, text);
            await accounts.changePassword(one.id, await hashFromStdin());
            return { text: `Changed the password of ${one.email}.`, json: { email: one.email } };
          }),
        ),
    );
}

async function createAccount(
  accounts: AccountStore,
  text: string,
  flags: CreateFlags,
): Promise<Outcome> {
  const created = await accounts.create({
    email: emailOf(text),
    operator: flags.operator ?? false,
    planUntilMs: planEndOf(flags.planUntil ?? 'never'),
    passwordHash: flags.passwordStdin ? await hashFromStdin() : null,
    atMs: Date.now(),
  });
  if (created === 'taken') throw new Refused(`There is already an account ${text}.`);
  return {
    text: `Created ${created.email}. ${planText(created)}`,
    json: { email: created.email, plan_until: planEnd(created) },
  };
}

/** The account that a person named. @throws Refused when there is none */
export async function existing(accounts: AccountStore, text: string): Promise<Account> {
  const account = await accounts.findByEmail(emailOf(text));
  if (account === null) throw new Refused(`There is no account ${text}.`);
  return account;
}

function emailOf(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new Refused(`${JSON.stringify(text)} is not an e-mail address.`);
  return email;
}

function planEndOf(text: string): number | null {
  const end = parsePlanEnd(text);
  if (end === undefined)
    throw new Refused(`${JSON.stringify(text)} is not a date. Give ${planHelp}.`);
  return end;
}

/** The password on standard input, without the line end that a shell puts behind it. */
async function hashFromStdin(): Promise<string> {
  const password = (await Bun.stdin.text()).replace(/\r?\n$/, '');
  const problem = passwordProblem(password);
  if (problem !== null) throw new Refused(problem);
  return hashPassword(password);
}

function line(account: Account & { qrs: number }): string {
  return `${account.email}  ${counted(account.qrs, 'QR')}  ${planText(account)}`;
}

function shown(account: Account & { qrs: number }) {
  return {
    email: account.email,
    plan_until: planEnd(account),
    operator: account.operator,
    created_at: instant(account.createdAtMs),
    qrs: account.qrs,
  };
}

function planEnd({ planUntilMs }: Account): string | null {
  return planUntilMs === null ? null : instant(planUntilMs);
}

function planText(account: Account): string {
  const end = planEnd(account);
  if (end === null) return 'The plan has no end.';
  return hasActivePlan(account, Date.now()) ? `The plan ends ${end}.` : `The plan ended ${end}.`;
}
