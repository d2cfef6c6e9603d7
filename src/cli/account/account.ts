import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { type Account, hasActivePlan, parsePlanEnd } from '../../core/accounts/account.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { AccountStore } from '../../core/ports.ts';
import { type CommonFlags, type Outcome, run, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';
import { emailOf, existing } from './named-account.ts';
import { addPanelAccessCommands, hashFromStdin, hasOperator, howToManage } from './panel-access.ts';

interface CreateFlags extends CommonFlags {
  readonly planUntil?: string;
  readonly operator?: true;
  readonly passwordStdin?: true;
}

const planHelp =
  'a day such as 2027-01-31 (inclusive, UTC), an ISO 8601 instant such as 2027-01-31T18:00:00+01:00, or "never"';

/** `waymark account …` */
export function addAccountCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const account = program.command('account').description('accounts: who owns codes');

  account
    .addCommand(
      subcommand('create <email>', 'create an account')
        .option('--plan-until <date>', `end of the paid plan: ${planHelp} (default: never)`)
        .option('--operator', 'may manage the server in the account panel')
        .option('--password-stdin', 'read the password for the account panel from standard input')
        .action((text: string, flags: CreateFlags) =>
          run(startRenderWorker, flags, (deps) => createAccount(deps.accounts, text, flags), {
            create: true,
          }),
        ),
    )
    .addCommand(
      subcommand('list', 'list the accounts').action((flags: CommonFlags) =>
        run(startRenderWorker, flags, async ({ accounts }) => {
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
        run(startRenderWorker, flags, async ({ accounts }) => {
          const { email } = await existing(accounts, text);
          const one = (await accounts.list()).find((candidate) => candidate.email === email);
          if (one === undefined) throw new CommandError(`There is no account ${text}.`);
          return { text: line(one), json: shown(one) };
        }),
      ),
    )
    .addCommand(
      subcommand('plan <email>', 'set when the paid plan of an account ends')
        .requiredOption('--until <date>', planHelp)
        .action((text: string, flags: CommonFlags & { until: string }) =>
          run(startRenderWorker, flags, async ({ accounts }) => {
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
    );
  addPanelAccessCommands(account, startRenderWorker);
}

async function createAccount(
  accounts: AccountStore,
  text: string,
  flags: CreateFlags,
): Promise<Outcome> {
  const email = emailOf(text);
  const created = await accounts.create({
    email,
    isOperator: flags.operator ?? false,
    planUntilMs: planEndOf(flags.planUntil ?? 'never'),
    passwordHash: flags.passwordStdin ? await hashFromStdin() : null,
    atMs: Date.now(),
  });
  if (created === 'taken') throw new CommandError(`There is already an account ${email}.`);
  return {
    text: [
      `Created ${created.email}. ${planText(created)}`,
      // The link that the server prints makes the very first account only.
      ...((await hasOperator(accounts)) ? [] : [`There is no operator yet. ${howToManage}`]),
    ].join('\n'),
    json: { email: created.email, plan_until: planEnd(created) },
  };
}

function planEndOf(text: string): number | null {
  const end = parsePlanEnd(text);
  if (end === undefined)
    throw new CommandError(`${JSON.stringify(text)} is not a date. Give ${planHelp}.`);
  return end;
}

function line(account: Account & { qrs: number }): string {
  const operator = account.isOperator ? '  operator' : '';
  return `${account.email}  ${counted(account.qrs, 'QR')}  ${planText(account)}${operator}`;
}

function shown(account: Account & { qrs: number }) {
  return {
    email: account.email,
    plan_until: planEnd(account),
    operator: account.isOperator,
    created_at: isoTimestamp(account.createdAtMs),
    qrs: account.qrs,
  };
}

function planEnd({ planUntilMs }: Account): string | null {
  return planUntilMs === null ? null : isoTimestamp(planUntilMs);
}

function planText(account: Account): string {
  const end = planEnd(account);
  if (end === null) return 'The plan has no end.';
  const verb = hasActivePlan(account, Date.now()) ? 'ends' : 'ended';
  // What a day stands for where it is written (`parsePlanEnd`).
  const [day, atEndOfDay] = end.split(/T(?=23:59:59\.999Z$)/);
  return atEndOfDay === undefined
    ? `The plan ${verb} at ${end.replace('.000Z', 'Z')}.`
    : `The plan ${verb} with ${day} (UTC).`;
}
