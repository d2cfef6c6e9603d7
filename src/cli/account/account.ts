import { type Command, InvalidArgumentError } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { composeSafety } from '../../compose/safety.ts';
import { servedPrefixesOf } from '../../config.ts';
import {
  type Account,
  hasActivePlan,
  type ListedAccount,
  parsePlanEnd,
} from '../../core/accounts/account.ts';
import { changeEmail } from '../../core/accounts/change-email.ts';
import { parseTimeZone, timeZoneOf } from '../../core/accounts/time-zone.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { createDestinationCheck } from '../../core/codes/urls/destination-check.ts';
import { createNewDomains } from '../../core/codes/urls/new-domain.ts';
import { Refused } from '../../core/errors.ts';
import { type PausedTexts, parseBusinessName, parsePausedMessage } from '../../core/labels.ts';
import { createStderrLog } from '../../lib/logger.ts';
import { formatCount } from '../../lib/numbers.ts';
import {
  addCommand,
  type CommandDeps,
  commandOn,
  type Outcome,
  onStores,
  scheduleOf,
} from '../command.ts';
import { parseDomain } from '../domain-url.ts';
import { CommandError, UsageError } from '../errors/command-error.ts';
import { messageOf } from '../errors/report.ts';
import { formatTable } from '../output.ts';
import { addDeleteCommand } from './delete.ts';
import { onAccount, requireAnyEmail, requireNewEmail } from './find-account.ts';
import { addPeopleCommands } from './people.ts';
import { addSignInCommands, operatorHint, readPasswordHash, requirePasswords } from './sign-in.ts';

/** Expiry of a plan. Commander would replace a bare null. */
interface PlanEnd {
  readonly ms: number | null;
}

interface CreateFlags {
  readonly planUntil?: PlanEnd;
  readonly operator?: true;
  readonly passwordStdin?: true;
}

const dateHelp =
  'a day such as 2027-01-31 (inclusive, UTC), an ISO 8601 time such as 2027-01-31T18:00:00+01:00, or "never"';

/** Adds `waymark account …`. */
export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('manage accounts, the owners of codes');
  addCommand(account, 'create <email>', 'create an account')
    .option('--plan-until <date>', `expiry of the plan: ${dateHelp} (default: never)`, planEndOf)
    .option('--operator', 'let the account manage the server in the panel')
    .option('--password-stdin', 'read a password for the panel from standard input')
    .action(onStores(createAccount, { create: true }));
  addCommand(account, 'list', 'list the accounts').action(onStores(listAccounts));
  addCommand(account, 'show <email>', 'show an account').action(
    onAccount(async (_, account) => ({ text: toText(account), json: toJson(account) })),
  );
  addCommand(account, 'plan <email>', 'set when the plan of an account expires')
    .requiredOption('--until <date>', dateHelp, planEndOf)
    .action(onAccount(changePlan));
  addCommand(account, 'set <email>', 'change the settings of an account')
    .option('--time-zone <zone>', 'zone of its days and times, such as Europe/Zurich', zoneOf)
    .option('--business <name>', 'name on the page of its paused codes; "" removes it')
    .option('--paused-message <text>', 'what that page says; "" removes it')
    .option('--paused-link <url>', 'address of the button on that page; "" removes it')
    .option('--domain <url>', 'domain of its new codes; "" is the main one')
    .action(onAccount(changeSettings));
  addCommand(account, 'rename <old> <new>', 'change the e-mail address of an account').action(
    onAccount(rename),
  );
  addDeleteCommand(account);
  addSignInCommands(account);
  addPeopleCommands(account);
}

async function createAccount(
  { accounts, config }: CommandDeps,
  text: string,
  flags: CreateFlags,
): Promise<Outcome> {
  if (flags.passwordStdin) requirePasswords(config);
  const email = requireNewEmail(text);
  // Version 1.1 stored a domain as it was typed.
  const known = await requireAnyEmail(accounts, text);
  if (known !== email) throw emailTaken(known);
  const created = await accounts.create({
    email,
    isOperator: flags.operator ?? false,
    planUntilMs: flags.planUntil?.ms ?? null,
    passwordHash: flags.passwordStdin ? await readPasswordHash(email) : null,
    by: { kind: 'command' },
    atMs: realClock.nowMs(),
  });
  if (created.outcome === 'taken') throw emailTaken(email);
  const { account } = created;
  // The server prints no sign-in link once there is an account.
  const hint = (await accounts.hasOperator()) ? '' : `\nThere is no operator yet. ${operatorHint}`;
  const end = planEnd(account);
  const operator = account.isOperator ? 'yes' : 'no';
  return {
    text: `Created ${email}. ${planText(account)}${hint}`,
    json: { email, plan_until: end },
    change: { account: email, until: end ?? 'never', operator },
  };
}

async function listAccounts({ accounts }: CommandDeps): Promise<Outcome> {
  const { accounts: all } = await accounts.search('');
  return {
    text: all.length > 0 ? toTable(all) : 'There is no account yet.',
    json: all.map(toJson),
  };
}

async function changePlan(
  { accounts }: CommandDeps,
  account: ListedAccount,
  { until }: { readonly until: PlanEnd },
): Promise<Outcome> {
  const { email } = account;
  await accounts.changePlan(commandOn(account), until.ms, realClock.nowMs());
  const changed = { ...account, planUntilMs: until.ms };
  const end = planEnd(changed);
  return {
    text: `${email}: ${planText(changed)}`,
    json: { email, plan_until: end },
    change: { account: email, until: end ?? 'never' },
  };
}

interface SettingFlags {
  readonly timeZone?: string;
  readonly business?: string;
  readonly pausedMessage?: string;
  readonly pausedLink?: string;
  readonly domain?: string;
}

async function changeSettings(
  deps: CommandDeps,
  { id, email }: ListedAccount,
  { timeZone, business, pausedMessage, pausedLink, domain: domainText }: SettingFlags,
): Promise<Outcome> {
  const texts: Partial<PausedTexts> = {
    ...(business !== undefined && { businessName: parseBusinessName(business) }),
    ...(pausedMessage !== undefined && { pausedMessage: parsePausedMessage(pausedMessage) }),
    ...(pausedLink !== undefined && { pausedLink: await checkLink(deps, pausedLink) }),
  };
  const areTextsGiven = Object.keys(texts).length > 0;
  if (timeZone === undefined && domainText === undefined && !areTextsGiven)
    throw new UsageError(
      'Nothing to change. Give --time-zone, --business, --paused-message, --paused-link or --domain.',
    );
  const domain = domainText === undefined ? undefined : parseDomain(deps.config, domainText);
  if (domain !== undefined) {
    const { domains, config } = deps;
    const newDomains = createNewDomains({ domains, shortUrl: config.shortUrl });
    await newDomains.setDefault(commandOn({ id }), domain, realClock.nowMs());
  }
  const moved =
    timeZone === undefined ? 0 : await scheduleOf(deps).changeTimeZone(commandOn({ id }), timeZone);
  const kept =
    moved === 0 ? '' : ` The time of day of ${formatCount(moved, 'planned change')} stays.`;
  if (areTextsGiven)
    await deps.accounts.changePausedTexts(commandOn({ id }), texts, realClock.nowMs());
  return {
    text: [
      timeZone !== undefined && `${email}: The time zone is ${timeZone}.${kept}`,
      areTextsGiven && `${email}: The page of paused codes is changed.`,
      domain !== undefined && `${email}: New codes begin with ${domain}.`,
    ],
    json: {
      email,
      ...(timeZone !== undefined && { time_zone: timeZone }),
      ...('businessName' in texts && { business: texts.businessName }),
      ...('pausedMessage' in texts && { paused_message: texts.pausedMessage }),
      ...('pausedLink' in texts && { paused_link: texts.pausedLink }),
      ...(domain !== undefined && { domain }),
    },
    change: {
      account: email,
      ...(timeZone !== undefined && { timeZone }),
      ...(areTextsGiven && { pausedPage: Object.keys(texts).join(' ') }),
      ...(domain !== undefined && { domain }),
    },
  };
}

/**
 * Checks a link on pages for visitors, or of a domain, like a destination.
 *
 * @throws ApiError invalid_url or unsafe_url
 */
export async function checkLink(deps: CommandDeps, text: string): Promise<string | null> {
  if (text === '') return null;
  const { config } = deps;
  const { checkDestination } = createDestinationCheck({
    linkImports: deps.linkImports,
    domains: deps.domains,
    reputation: composeSafety(config, deps, createStderrLog(config)),
    shortUrls: { prefixes: servedPrefixesOf(config) },
  });
  return (await checkDestination(text)).destination;
}

/** Parses the value of an option. @throws InvalidArgumentError when it is not a time zone */
function zoneOf(text: string): string {
  try {
    return parseTimeZone(text);
  } catch (error) {
    if (error instanceof Refused) throw new InvalidArgumentError(messageOf(error));
    throw error;
  }
}

async function rename(
  { accounts }: CommandDeps,
  account: ListedAccount,
  to: string,
): Promise<Outcome> {
  const { email } = account;
  const renamed = requireNewEmail(to);
  await changeEmail(accounts, commandOn(account), account, renamed, realClock.nowMs());
  return {
    text: `${email} is ${renamed} now. Its password, key and codes stay.`,
    json: { email: renamed },
    change: { account: email, to: renamed },
  };
}

function emailTaken(email: string): CommandError {
  return new CommandError(`There is already an account ${email}.`);
}

/** Parses the value of an option. @throws InvalidArgumentError when it is not a date */
function planEndOf(text: string): PlanEnd {
  const ms = parsePlanEnd(text);
  if (ms === undefined) throw new InvalidArgumentError(`It is not a date. Give ${dateHelp}.`);
  return { ms };
}

function toText(account: ListedAccount): string {
  const marks = [account.isOperator && 'operator', account.hasSecondFactor && 'second factor'];
  const zone = `Time zone ${timeZoneOf(account)}.`;
  const facts = [
    account.email,
    formatCount(account.qrs, 'code'),
    planText(account),
    zone,
    ...marks,
  ];
  return facts.filter(Boolean).join('  ');
}

function toTable(accounts: readonly ListedAccount[]): string {
  return formatTable([
    ['E-MAIL', 'CODES', 'PLAN', 'ROLE', 'SECOND FACTOR'],
    ...accounts.map((account) => [
      account.email,
      String(account.qrs),
      shortPlanText(account),
      account.isOperator ? 'operator' : '',
      account.hasSecondFactor ? 'on' : 'off',
    ]),
  ]);
}

function shortPlanText(account: Account): string {
  const end = planEnd(account);
  if (end === null) return "doesn't expire";
  return `${hasActivePlan(account, realClock.nowMs()) ? 'until' : 'expired'} ${endText(end)}`;
}

function toJson(account: ListedAccount) {
  return {
    email: account.email,
    plan_until: planEnd(account),
    operator: account.isOperator,
    second_factor: account.hasSecondFactor,
    created_at: isoTimestamp(account.createdAtMs),
    qrs: account.qrs,
  };
}

function planEnd({ planUntilMs }: Account): string | null {
  return planUntilMs === null ? null : isoTimestamp(planUntilMs);
}

function planText(account: Account): string {
  const end = planEnd(account);
  if (end === null) return "The plan doesn't expire.";
  const verb = hasActivePlan(account, realClock.nowMs()) ? 'expires' : 'expired';
  const text = endText(end);
  return `The plan ${verb} at ${text === end.slice(0, 10) ? `the end of ${text} (UTC)` : text}.`;
}

/** Formats the end of a plan: a day if it ends with one, as a plan does whose end has no time. */
function endText(end: string): string {
  return end.endsWith('T23:59:59.999Z') ? end.slice(0, 10) : end.replace('.000Z', 'Z');
}
